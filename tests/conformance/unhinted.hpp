// Constructs of takt that take no hints: the same for all engines.
#pragma once

#include <takt/takt.hpp>

#include <cstdint>
#include <utility>

namespace takt_test {

struct unhinted_constructs {
  template <class I, class Body>
  static void loop_of_subranges(I first, I last, Body body) {
    takt::parallel_for(first, last, std::move(body));
  }
  template <class Body>
  static void loop_of_cells(std::uint32_t rows, std::uint32_t columns, Body body) {
    takt::parallel_for(takt::box(rows, columns), takt::tile(1, 1),
                       [&](const auto& cell) { body(cell.first[0], cell.first[1]); });
  }
  template <class List, class Body>
  static void loop_over_list(List& list, Body body) {
    takt::parallel_for_each(list, std::move(body));
  }
  template <class I, class Body>
  static void collect(I first, I last, Body& body) {
    takt::parallel_reduce(first, last, body);
  }
};

}  // namespace takt_test
