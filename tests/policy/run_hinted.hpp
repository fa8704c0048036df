// As run_takt(), with hints.
#pragma once

#include "conformance/program.hpp"

namespace takt_test {

outcome run_hinted(const node& program);

}  // namespace takt_test
