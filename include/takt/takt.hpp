// Everything, but for a program's touches (takt/touch.hpp), which simulations want.
#pragma once

#include <takt/algorithms.hpp>
#include <takt/async.hpp>
#include <takt/config.hpp>
#include <takt/fork_join.hpp>
#include <takt/hints.hpp>
#include <takt/memory.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_for_each.hpp>
#include <takt/parallel_reduce.hpp>
#include <takt/pipeline.hpp>
#include <takt/spawn.hpp>
#include <takt/stay.hpp>
#include <takt/stop.hpp>
#include <takt/subranges.hpp>
#include <takt/task_group.hpp>
#include <takt/with_policy.hpp>
#include <takt/workers.hpp>
