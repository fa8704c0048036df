#pragma once

#include "takt_door.h"

#include <tuple>

namespace tbb {
inline namespace on_takt {

/// Two functions or more; a context may follow.
template <class F, class G, class... More>
void parallel_invoke(F&& f, G&& g, More&&... more) {
  auto all = std::forward_as_tuple(f, g, more...);
  const auto invoke = [&all]<std::size_t... I>(std::index_sequence<I...>) {
    takt::parallel_invoke(std::get<I>(all)...);
  };
  constexpr std::size_t k_last = 1 + sizeof...(More);
  if constexpr (door::manner<std::tuple_element_t<k_last, decltype(all)>>) {
    door::run(std::get<k_last>(all), [&] { invoke(std::make_index_sequence<k_last>()); });
  } else {
    door::run([&] { invoke(std::make_index_sequence<k_last + 1>()); });
  }
}

}  // namespace on_takt
}  // namespace tbb
