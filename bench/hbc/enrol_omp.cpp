#include "harness/preloaded_counts.hpp"
#include "harness/system.hpp"
#include "hbc/enrol.hpp"
#include "hbc/mandelbrot/images.hpp"
#include "hbc/support.h"

namespace takt::bench {

std::string_view system_name() { return "omp"; }

std::string runtime_name() { return "libomp, OpenMP " + std::to_string(hbc_openmp_version()); }

void use_workers(unsigned workers) { hbc_use_threads(static_cast<int>(workers)); }

run_totals totals() { return preloaded_totals(); }

namespace {

void one_level() { hbc_use_levels(1); }
// One active level is the default, which would make the inner loops serial.
void all_levels() { hbc_use_levels(8); }

}  // namespace

#define TAKT_HBC_ROW(problem, program)                                     \
  TAKT_HBC_ENROL(static, "omp-static", one_level, problem, program)        \
  TAKT_HBC_ENROL(dynamic, "omp-dynamic", one_level, problem, program)      \
  TAKT_HBC_ENROL(guided, "omp-guided", one_level, problem, program)        \
  TAKT_HBC_ENROL(nested, "omp-nested", all_levels, problem, program)
TAKT_HBC_TABLE(TAKT_HBC_ROW)
TAKT_HBC_BESIDE_TABLE(TAKT_HBC_ROW)
TAKT_HBC_ENROL_IMAGES(static, "omp-static", one_level)
TAKT_HBC_ENROL_IMAGES(dynamic, "omp-dynamic", one_level)
TAKT_HBC_ENROL_IMAGES(guided, "omp-guided", one_level)
TAKT_HBC_ENROL_IMAGES(nested, "omp-nested", all_levels)

}  // namespace takt::bench
