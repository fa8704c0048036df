// Settings from the environment and from the settings file.
#include <takt/config.hpp>

#include "platform/files.hpp"
#include "platform/threads/usable_memory.hpp"
#include "settings/known_settings.hpp"
#include "settings/settings.hpp"
#include "settings/signal_names.hpp"
#include "settings/sizes.hpp"
#include "settings/values.hpp"

#include <errno.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace takt {

namespace {

void reject(const char* variable, const char* value, const char* wants, const char* used) {
  std::fprintf(stderr, "takt: %s='%s' is not %s; using %s\n", variable, value, wants, used);
}

bool parse(const char* text, long least, long most, long& out) {
  const char* end = text + std::strlen(text);
  long value = 0;
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end || value < least || value > most) return false;
  out = value;
  return true;
}

constexpr const char* k_beat = "TAKT_BEAT_US";
constexpr const char* k_beat_values = "a number from 0 to 1000000000";

bool parse_beat(const char* text, std::chrono::microseconds& out) {
  long n = 0;
  if (!parse(text, 0, 1'000'000'000, n)) return false;
  out = std::chrono::microseconds(n);
  return true;
}

template <class Value, std::size_t N>
void read_named(const char* variable, const settings::named<Value> (&all)[N], Value& out) {
  const char* const v = std::getenv(variable);
  if (v == nullptr) return;
  if (const auto* const said = settings::find(all, v); said != nullptr) {
    out = said->value;
  } else if (std::ranges::find(settings::k_values_of_laboratory, v) != std::end(settings::k_values_of_laboratory)) {
    std::fprintf(stderr, "takt: %s='%s' needs a build with TAKT_LAB\n", variable, v);
    std::exit(2);
  } else {
    reject(variable, v, settings::list_of(all).c_str(), all[0].name);
  }
}

// Whoever has set a budget must not take a run without one for a run with it.
std::uint64_t budget_or_exit(const char* text) {
  std::uint64_t n = 0;
  if (settings::parse_size(text, n) && n != 0) return n;
  if (unsigned percent = 0; settings::parse_percent(text, percent)) {
    const std::uint64_t all = platform::usable_memory().bytes;
    return all / 100 * percent + all % 100 * percent / 100;
  }
  std::fprintf(stderr,
               "takt: TAKT_MEMORY='%s' is not a number of bytes (such as 500M or 2G), nor 1%% to 100%% of the memory"
               " that the process may use\n",
               text);
  std::exit(2);
}

// A run with another one must not be taken for one with what was asked for.
std::uint64_t bytes_or_exit(const char* variable, const char* text, const char* such_as) {
  std::uint64_t n = 0;
  if (settings::parse_size(text, n) && n != 0) return n;
  std::fprintf(stderr, "takt: %s='%s' is not a number of bytes above 0 (such as %s)\n", variable, text, such_as);
  std::exit(2);
}

// A privileged program must not be made to read, and quote in a message, a file that its user may not read.
const char* trusted_variable(const char* name) { return ::secure_getenv(name); }

struct file_closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// One bad line spoils the file: half of somebody's settings is nobody's settings. It also keeps a file of another
// kind from filling the screen.
std::chrono::microseconds beat_from_file(std::chrono::microseconds by_default) {
  const std::string path = settings::settings_path();
  if (path.empty()) return by_default;
  const auto using_default = "using " + std::to_string(by_default.count());
  const platform::opened found = platform::open_to_read(path.c_str());
  const std::unique_ptr<std::FILE, file_closer> file(found.file);
  if (!file) {
    // Nobody need have a file in the default place, or be allowed to look there; one that was asked for must be there.
    if (trusted_variable("TAKT_SETTINGS") != nullptr)
      std::fprintf(stderr, "takt: settings file %s: %s; %s\n", path.c_str(), found.why, using_default.c_str());
    return by_default;
  }
  std::chrono::microseconds beat = by_default;
  char line[256];
  for (int number = 1; std::fgets(line, sizeof line, file.get()) != nullptr; ++number) {
    const std::size_t length = std::strcspn(line, "\r\n");
    // Part of a line is no line: what is cut off might be digits. Nor is what has a zero in it, of which a device may
    // have no end.
    const bool whole = line[length] != '\0' || (length < sizeof line - 1 && std::feof(file.get()) != 0);
    line[length] = '\0';
    if (whole && (line[0] == '\0' || line[0] == '#')) continue;
    const std::size_t key = std::strlen(k_beat);
    if (whole && std::strncmp(line, k_beat, key) == 0 && line[key] == '=') {
      if (parse_beat(line + key + 1, beat)) continue;
      std::fprintf(stderr, "takt: %s:%d: %s='%s' is not %s; %s\n", path.c_str(), number, k_beat, line + key + 1,
                   k_beat_values, using_default.c_str());
    } else {
      std::fprintf(stderr, "takt: %s:%d: '%s' is not a setting (%s=NUMBER); %s\n", path.c_str(), number, line, k_beat,
                   using_default.c_str());
    }
    return by_default;
  }
  if (std::ferror(file.get()) != 0) {
    std::fprintf(stderr, "takt: settings file %s: %s; %s\n", path.c_str(), std::strerror(errno), using_default.c_str());
    return by_default;
  }
  return beat;
}

}  // namespace

std::string settings::settings_path() {
  if (const char* v = trusted_variable("TAKT_SETTINGS"); v != nullptr) return v;
  // The XDG base directory specification: a relative path counts as none.
  if (const char* v = trusted_variable("XDG_CONFIG_HOME"); v != nullptr && v[0] == '/')
    return std::string(v) + "/takt/settings";
  if (const char* v = trusted_variable("HOME"); v != nullptr && v[0] != '\0')
    return std::string(v) + "/.config/takt/settings";
  return "";
}

// Called where a runtime is made, so that the process must not end here.
policy settings::policy_of_environment() {
  const char* const v = std::getenv("TAKT_POLICY");
  if (v == nullptr) return policy::automatic;
  if (const named<policy>* const said = find(k_policies, v); said != nullptr) return said->value;
  reject("TAKT_POLICY", v, list_of(k_policies).c_str(), k_policies[0].name);
  return policy::random;
}

bool settings::find_deterministic() noexcept {
  const char* const v = std::getenv("TAKT_DETERMINISTIC");
  const bool is = v != nullptr && std::strcmp(v, "0") != 0;
  // Who wants something of it is not to find other bits.
  if (is && std::strcmp(v, "1") != 0) reject("TAKT_DETERMINISTIC", v, "0 or 1", "1");
  __atomic_store_n(&deterministic, is ? 1 : 0, __ATOMIC_RELAXED);
  return is;
}

config settings::settings_of_environment() {
  config c;
  long n = 0;
  if (const char* v = std::getenv("TAKT_WORKERS"); v != nullptr) {
    if (parse(v, 1, k_most_workers, n)) {
      c.workers = static_cast<unsigned>(n);
    } else {
      reject("TAKT_WORKERS", v, "a number from 1 to 4096", "the number of usable CPUs");
    }
  }
  // The environment wins, so the file is looked at only where the environment has nothing usable.
  if (const char* v = std::getenv(k_beat); v == nullptr) {
    c.beat = beat_from_file(c.beat);
  } else if (!parse_beat(v, c.beat)) {
    c.beat = beat_from_file(c.beat);
    reject(k_beat, v, k_beat_values, std::to_string(c.beat.count()).c_str());
  }
  read_named("TAKT_TRIGGER", settings::k_triggers, c.trigger);
  // What has been said of a name that is none is not said again where the runtime is made.
  if (std::getenv("TAKT_POLICY") != nullptr) c.policy = policy::random;
  read_named("TAKT_POLICY", settings::k_policies, c.policy);
  if (const char* v = std::getenv("TAKT_STATS"); v != nullptr && std::strcmp(v, "0") != 0) c.stats = v;
  if (const char* v = std::getenv("TAKT_SIGNAL"); v != nullptr) {
    if (std::strcmp(v, "none") == 0) {
      c.interrupts = false;
    } else if (const int number = settings::signal_named(v); number != 0) {
      c.signal = number;
    } else {
      reject("TAKT_SIGNAL", v, "none, or the name or number of a signal that takt may use", "one of takt's choice");
    }
  }
  if (const char* v = std::getenv("TAKT_MEMORY_NEED"); v != nullptr) {
    c.memory_need = bytes_or_exit("TAKT_MEMORY_NEED", v, "500000000 or 500M");
  }
  if (const char* v = std::getenv("TAKT_MEMORY"); v != nullptr) c.memory = budget_or_exit(v);
  settings::read_others();
  // Nor is what was measured without the laboratory to be taken for a measurement of it.
  for (const settings::known_setting& k : settings::known_settings()) {
    if (k.by != settings::known_setting::reader::laboratory || std::getenv(k.name.data()) == nullptr) continue;
    std::fprintf(stderr, "takt: %s %s\n", k.name.data(),
                 settings::k_has_laboratory ? "has another name: lab/README.md" : "needs a build with TAKT_LAB");
    std::exit(2);
  }
  // Other names that begin as ours do are somebody else's.
  for (const settings::unknown_setting& u : settings::unknown_settings()) {
    if (u.nearest.empty()) continue;
    std::fprintf(stderr, "takt: %s is not a setting; %s is\n", u.name.c_str(), std::string(u.nearest).c_str());
  }
  return c;
}

}  // namespace takt
