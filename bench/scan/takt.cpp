#include <takt/algorithms/scan.hpp>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

const enrol<scan_problem> one_pass("takt", [](const scan_problem::input& in, scan_problem::answer& out) {
  takt::inclusive_scan(in, out.begin());
});

}  // namespace
}  // namespace takt::bench
