#include <takt/algorithms/scan.hpp>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

const enrol<scan_problem> one_pass("takt", [](const scan_problem::input& in, scan_problem::answer& out) {
  takt::inclusive_scan(in, out.begin());
});
const enrol<scan_doubles_problem> doubles(
    "takt", [](const scan_doubles_problem::input& in, scan_doubles_problem::answer& out) {
      takt::inclusive_scan(in, out.begin());
    });
const enrol<scan_fixed_problem> fixed(
    "takt", [](const scan_fixed_problem::input& in, scan_fixed_problem::answer& out) {
      takt::inclusive_scan(takt::deterministic, in, out.begin());
    });

}  // namespace
}  // namespace takt::bench
