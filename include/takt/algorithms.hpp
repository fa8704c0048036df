// All algorithms.
#pragma once

#include <takt/algorithms/count.hpp>
#include <takt/algorithms/deterministic.hpp>
#include <takt/algorithms/extremum.hpp>
#include <takt/algorithms/fill.hpp>
#include <takt/algorithms/filter.hpp>
#include <takt/algorithms/find.hpp>
#include <takt/algorithms/flatten.hpp>
#include <takt/algorithms/for_each.hpp>
#include <takt/algorithms/group_by.hpp>
#include <takt/algorithms/histogram.hpp>
#include <takt/algorithms/merge.hpp>
#include <takt/algorithms/per_worker.hpp>
#include <takt/algorithms/permutation.hpp>
#include <takt/algorithms/radix_sort.hpp>
#include <takt/algorithms/random.hpp>
#include <takt/algorithms/reduce.hpp>
#include <takt/algorithms/reducer.hpp>
#include <takt/algorithms/reverse.hpp>
#include <takt/algorithms/scan.hpp>
#include <takt/algorithms/set_operations.hpp>
#include <takt/algorithms/sort.hpp>
#include <takt/algorithms/top_k.hpp>
#include <takt/algorithms/unique.hpp>
