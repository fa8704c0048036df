// What takt's programs hand to library algorithms as a projection, so that the caches of a
// simulated machine see the elements: std::identity unless touches are compiled (docs/tools/scale.md).
// touched(x) is x, seen in the same way.
#pragma once

#include <functional>

#include <takt/touch.hpp>

namespace takt::bench {

#if defined(TAKT_TOUCH) && !defined(TAKT_ELISION)
struct touching {
  template <class T>
  const T& operator()(const T& element) const {
    takt::touch(&element, sizeof element);
    return element;
  }
};
template <class T>
T& touched(T& element) {
  takt::touch(&element, sizeof element);
  return element;
}
#else
using touching = std::identity;
template <class T>
T& touched(T& element) {
  return element;
}
#endif

}  // namespace takt::bench
