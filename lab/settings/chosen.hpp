// What takt/lab.hpp has chosen for the runtimes to come.
#pragma once

#include <takt/lab.hpp>

namespace takt::lab {

namespace detail {
inline settings chosen;
}

inline const settings& chosen() noexcept { return detail::chosen; }

}  // namespace takt::lab
