// The settings and the statistics, as they leave the library: see abi/takt/settings.hpp.
#include <takt/config.hpp>

#include "platform/cancellation.hpp"
#include "settings/settings.hpp"
#include "settings/signal_names.hpp"
#include "settings/values.hpp"
#include "scheduler/scheduler.hpp"
#include "observe/report.hpp"

namespace takt::core {

namespace {

// The sentence that says what is out of range; null if nothing is.
const char* wrong_with(const config& c) noexcept {
  if (c.workers > k_most_workers) return "takt::configure: workers out of range";
  if (c.beat.count() < 0) return "takt::configure: beat must not be negative";
  if (c.stack_bytes != 0 && (c.stack_bytes < k_least_stack || c.stack_bytes > k_most_stack))
    return "takt::configure: stack_bytes out of range";
  if (!settings::has(settings::k_triggers, c.trigger)) return "takt::configure: no such trigger in this build";
  if (!takt_has_policy(static_cast<std::int32_t>(c.policy)))
    return "takt::configure: no such policy in this build";
  if (c.signal != 0 && !settings::may_use_signal(c.signal)) return "takt::configure: signal must not be used";
  return nullptr;
}

}  // namespace

}  // namespace takt::core

using takt::core::process;
using takt::core::runtime;
using takt::core::enter_call;
using takt::core::format_report;
using takt::core::replace_runtime;

extern "C" {

void takt_settings_of_environment(void (*take)(void*, const takt::abi::settings*), void* context) {
  const takt::config c = [] {
    const takt::platform::uncancelled here;
    return takt::settings::settings_of_environment();
  }();
  const takt::abi::settings plain = c.plain();
  take(context, &plain);
}

bool takt_settings_in_force(void (*take)(void*, const takt::abi::settings*), void* context) {
  const runtime* r = enter_call();
  if (r == nullptr) return false;
  takt::config c;
  try {
    c = r->settings;
    c.workers = r->worker_count();
  } catch (...) {
    process::end_call();
    return false;
  }
  process::end_call();
  const takt::abi::settings plain = c.plain();
  take(context, &plain);
  return true;
}

takt::abi::configured takt_configure(const takt::abi::settings* wanted, const char** message) noexcept {
  using takt::abi::configured;
  const takt::platform::uncancelled here;
  *message = "";
  try {
    const takt::config c = takt::config::of(*wanted);
    if (const char* wrong = takt::core::wrong_with(c); wrong != nullptr) {
      *message = wrong;
      return configured::out_of_range;
    }
    if (replace_runtime(c)) return configured::good;
    *message = "takt::configure: a parallel call is under way";
    return configured::under_way;
  } catch (...) {
    return configured::no_memory;
  }
}

bool takt_statistics(void (*take)(void*, const char*, std::size_t), void* context) {
  runtime* r = enter_call();
  if (r == nullptr) return false;
  std::string text;
  try {
    text = format_report(*r);
  } catch (...) {
    process::end_call();
    return false;
  }
  process::end_call();
  take(context, text.data(), text.size());
  return true;
}
}
