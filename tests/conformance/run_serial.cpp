// Programs by the rules.
#include "conformance/rules.hpp"

#include "conformance/evaluate.hpp"

namespace takt_test {

outcome run_serial(const node& program) { return run_with<serial_engine>(program); }

}  // namespace takt_test
