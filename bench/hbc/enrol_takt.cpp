#include "hbc/enrol.hpp"

namespace takt::bench {

#define TAKT_HBC_ROW(problem, program) \
  TAKT_HBC_ENROL(takt, "takt", nothing_before, problem, program)
TAKT_HBC_TABLE(TAKT_HBC_ROW)

}  // namespace takt::bench
