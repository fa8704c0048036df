// Makes a problem's algorithm known for the system that it is compiled for.
#pragma once

#include "harness/problem.hpp"

namespace takt::bench::pbbs {

// A namespace-scope object of this type makes `Run` the program of Parallel's system for P. `Run`
// belongs to an unnamed namespace: it is compiled once for each system, and two of them can end
// up in one program.
template <class Parallel, class P, body<P> Run>
class enrol_parallel {
 public:
  enrol_parallel() : enrolled_(Parallel::k_system, in_root) {}

 private:
  static void in_root(const typename P::input& in, typename P::answer& out) {
    Parallel::root([&] { Run(in, out); });
  }

  enrol<P> enrolled_;
};

}  // namespace takt::bench::pbbs
