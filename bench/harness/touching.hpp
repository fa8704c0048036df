// What takt's programs hand to library algorithms as a projection, so that the caches of a
// simulated machine see the elements: std::identity unless touches are compiled (docs/scale.md).
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
#else
using touching = std::identity;
#endif

}  // namespace takt::bench
