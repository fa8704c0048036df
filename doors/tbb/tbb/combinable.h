#pragma once

#include "enumerable_thread_specific.h"

namespace tbb {
inline namespace on_takt {

template <class T>
class combinable {
 public:
  combinable() = default;
  template <class Make>
    requires std::is_invocable_r_v<T, Make&>
  explicit combinable(Make make) : elements_(make) {}

  void clear() { elements_.clear(); }
  T& local() { return elements_.local(); }
  T& local(bool& exists) { return elements_.local(exists); }
  template <class Combine>
  T combine(Combine how) {
    return elements_.combine(how);
  }
  template <class F>
  void combine_each(F f) {
    elements_.combine_each(f);
  }

 private:
  enumerable_thread_specific<T> elements_;
};

}  // namespace on_takt
}  // namespace tbb
