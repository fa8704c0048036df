// Measuring one problem: all contenders take turns.
#pragma once

#include "tools/bench_plan.hpp"

namespace takt::tools {

// Builds the input once with some contender of `match` and drops it again, so that a bad file
// is found before anything has been measured. Throws usage_error.
void probe_input(const bench_match& match, int limit_s);

// Fills in the rows' times, answers and failures. Runs are interleaved, one of each contender
// per round, so that a change of the machine's mood hits all of them; each round, and each launch of
// all their processes, begins with another one. Progress goes to stderr when a step takes longer
// than a second. A contender that fails is left out of later rounds. Throws bench_stopped; the rows
// have what was measured until then.
void measure(bench_match& match, const bench_options& options);

}  // namespace takt::tools
