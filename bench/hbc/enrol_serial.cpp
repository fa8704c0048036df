#include "harness/system.hpp"
#include "hbc/enrol.hpp"
#include "hbc/mandelbrot/images.hpp"
#include "hbc/support.h"

namespace takt::bench {

#define TAKT_HBC_ROW(problem, program) \
  TAKT_HBC_ENROL(serial, "serial", nothing_before, problem, program)
TAKT_HBC_TABLE(TAKT_HBC_ROW)
TAKT_HBC_BESIDE_TABLE(TAKT_HBC_ROW)
TAKT_HBC_ENROL_IMAGES(serial, "serial", nothing_before)

namespace {

// In every runner of these programs, as this file is.
[[maybe_unused]] const bool is_named = [] {
  the_suite = {"hbc", "clang", hbc_compiler_version()};
  return true;
}();

}  // namespace
}  // namespace takt::bench
