// reduce_fixed: the sum of reduce's array, the same in every run.
#pragma once

#include "reduce/config.hpp"

namespace takt::bench {

struct reduce_fixed_problem : reduce_problem {
  static constexpr problem_info info{.name = "reduce_fixed",
                                     .about = "sum of an array of double that is the same in every run",
                                     .form = kind::forks,
                                     .size_unit = "elements",
                                     .size_default = reduce_problem::info.size_default,
                                     .size_min = reduce_problem::info.size_min,
                                     .size_max = reduce_problem::info.size_max};
};

}  // namespace takt::bench
