#include <takt/algorithms/scan.hpp>

#include "harness/touching.hpp"
#include "scan/config.hpp"

namespace takt::bench {
namespace {

const enrol<scan_problem> one_pass("takt", [](const scan_problem::input& in, scan_problem::answer& out) {
  takt::inclusive_scan(in, out.begin(), std::plus<>{}, touching{});
});
const enrol<scan_doubles_problem> doubles(
    "takt", [](const scan_doubles_problem::input& in, scan_doubles_problem::answer& out) {
      takt::inclusive_scan(in, out.begin(), std::plus<>{}, touching{});
    });
const enrol<scan_fixed_problem> fixed(
    "takt", [](const scan_fixed_problem::input& in, scan_fixed_problem::answer& out) {
      takt::inclusive_scan(takt::deterministic, in, out.begin(), std::plus<>{}, touching{});
    });

}  // namespace
}  // namespace takt::bench
