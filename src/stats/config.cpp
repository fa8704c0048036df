// Settings from the environment.
#include <takt/config.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

}  // namespace

config config::from_environment() {
  config c;
  long n = 0;
  if (const char* v = std::getenv("TAKT_WORKERS"); v != nullptr) {
    if (parse(v, 1, k_most_workers, n)) {
      c.workers = static_cast<unsigned>(n);
    } else {
      reject("TAKT_WORKERS", v, "a number from 1 to 4096", "the number of usable CPUs");
    }
  }
  if (const char* v = std::getenv("TAKT_BEAT_US"); v != nullptr) {
    if (parse(v, 0, 1'000'000'000, n)) {
      c.beat = std::chrono::microseconds(n);
    } else {
      reject("TAKT_BEAT_US", v, "a number from 0 to 1000000000", std::to_string(c.beat.count()).c_str());
    }
  }
  if (const char* v = std::getenv("TAKT_TRIGGER"); v != nullptr) {
    if (std::strcmp(v, "beat") == 0) {
      c.trigger = trigger::beat;
    } else if (std::strcmp(v, "eager") == 0) {
      c.trigger = trigger::eager;
    } else if (std::strcmp(v, "never") == 0) {
      c.trigger = trigger::never;
    } else if (std::strcmp(v, "request") == 0) {
      c.trigger = trigger::request;
    } else {
      reject("TAKT_TRIGGER", v, "beat, eager, never or request", "beat");
    }
  }
  if (const char* v = std::getenv("TAKT_BALANCER"); v != nullptr) {
    if (std::strcmp(v, "concurrent") == 0) {
      c.balancer = balancer::concurrent;
    } else if (std::strcmp(v, "private") == 0) {
      c.balancer = balancer::private_;
    } else if (std::strcmp(v, "mixed") == 0) {
      c.balancer = balancer::mixed;
    } else {
      reject("TAKT_BALANCER", v, "concurrent, private or mixed", "concurrent");
    }
  }
  if (const char* v = std::getenv("TAKT_STATS"); v != nullptr && std::strcmp(v, "0") != 0) c.stats = v;
  if (const char* v = std::getenv("TAKT_INTERRUPTS"); v != nullptr) {
    if (parse(v, 0, 1, n)) {
      c.interrupts = n != 0;
    } else {
      reject("TAKT_INTERRUPTS", v, "0 or 1", "1");
    }
  }
  return c;
}

}  // namespace takt
