#include "hbc/enrol.hpp"
#include "hbc/mandelbrot/images.hpp"

namespace takt::bench {

#define TAKT_HBC_ROW(problem, program) \
  TAKT_HBC_ENROL(takt, "takt", nothing_before, problem, program)
TAKT_HBC_TABLE(TAKT_HBC_ROW)
TAKT_HBC_BESIDE_TABLE(TAKT_HBC_ROW)
TAKT_HBC_ENROL_IMAGES(takt, "takt", nothing_before)

}  // namespace takt::bench
