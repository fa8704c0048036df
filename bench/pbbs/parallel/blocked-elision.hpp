// The serial elision of the hand-blocked code: its blocks and passes, without a runtime.
#pragma once

#include <string_view>

#include "pbbs/parallel/blocked.hpp"

namespace takt::bench::pbbs {

struct calls {
  template <class F, class G>
  static void fork(F& f, G& g) {
    f();
    g();
  }
  template <class Body>
  static void blocks(std::size_t n, const Body& body) {
    for (std::size_t b = 0; b < n; ++b) {
      body(b);
    }
  }
};

struct blocked_elision : blocked<calls> {
  static constexpr std::string_view k_system = "blocked-elision";

  template <class F>
  static void root(const F& f) {
    f();
  }
};

// What the problems call: each is compiled once for each system.
using parallel = blocked_elision;

}  // namespace takt::bench::pbbs
