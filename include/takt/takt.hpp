// Everything but the algorithms (takt/algorithms.hpp) and memory (takt/memory.hpp).
#pragma once

#include <takt/config.hpp>
#include <takt/fork_join.hpp>
#include <takt/hints.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>
#include <takt/stay.hpp>
#include <takt/stop.hpp>
#include <takt/task_group.hpp>
#include <takt/with_policy.hpp>
#include <takt/workers.hpp>
