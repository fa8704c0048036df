// The settings that a test of behaviour is repeated under, and how to say which one failed.
#pragma once

#include <takt/takt.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAKT_TEST_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAKT_TEST_SANITIZER 1
#endif
#endif
#if !defined(TAKT_TEST_SANITIZER)
#define TAKT_TEST_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__)
#define TAKT_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAKT_TEST_THREAD_SANITIZER 1
#endif
#endif
#if !defined(TAKT_TEST_THREAD_SANITIZER)
#define TAKT_TEST_THREAD_SANITIZER 0
#endif

namespace takt_test {

inline std::string name_of(takt::trigger t) {
  switch (t) {
    case takt::trigger::beat:
      return "beat";
    case takt::trigger::eager:
      return "eager";
    case takt::trigger::never:
      return "never";
    case takt::trigger::request:
      return "request";
    case takt::trigger::lazy:
      return "lazy";
  }
  return "?";
}

inline std::string name_of(takt::balancer b) {
  switch (b) {
    case takt::balancer::concurrent:
      return "concurrent";
    case takt::balancer::private_:
      return "private";
    case takt::balancer::mixed:
      return "mixed";
  }
  return "?";
}

inline std::string name_of(takt::policy p) {
  switch (p) {
    case takt::policy::automatic:
      return "automatic";
    case takt::policy::random:
      return "random";
    case takt::policy::adws:
      return "adws";
    case takt::policy::ml_random:
      return "ml-random";
    case takt::policy::ml_adws:
      return "ml-adws";
    case takt::policy::sb:
      return "sb";
  }
  return "?";
}

inline std::string describe(const takt::config& c) {
  return "TAKT_WORKERS=" + std::to_string(c.workers) + " TAKT_BEAT_US=" + std::to_string(c.beat.count()) +
         " TAKT_TRIGGER=" + name_of(c.trigger) + " TAKT_BALANCER=" + name_of(c.balancer) +
         (c.policy == takt::policy::automatic ? "" : " TAKT_POLICY=" + name_of(c.policy)) +
         (c.memory_policy == takt::memory_policy::hybrid
              ? " TAKT_MEMORY_POLICY=hybrid TAKT_MEMORY_ALPHA=" + std::to_string(c.memory_alpha)
              : "") +
         (c.memory_policy == takt::memory_policy::asyncdf
              ? " TAKT_MEMORY_POLICY=asyncdf TAKT_MEMORY_K=" + std::to_string(c.memory_k)
              : "") +
         (c.memory == 0 ? "" : " TAKT_MEMORY=" + std::to_string(c.memory)) +
         (c.memory_need == 0 ? "" : " TAKT_MEMORY_NEED=" + std::to_string(c.memory_need));
}

inline takt::config settings(unsigned workers, takt::trigger t, std::chrono::microseconds beat = takt::config{}.beat) {
  takt::config c;
  c.workers = workers;
  c.trigger = t;
  c.beat = beat;
  return c;
}

/// Every fork and split is a task at once: with at least two workers something is stolen sooner or later.
inline takt::config eager(unsigned workers) { return settings(workers, takt::trigger::eager); }
/// A promotion at every poll.
inline takt::config beat_zero(unsigned workers) {
  return settings(workers, takt::trigger::beat, std::chrono::microseconds(0));
}
/// A promotion whenever a worker is idle; with N = 0, as soon as there is a frame.
inline takt::config on_request(unsigned workers, std::chrono::microseconds beat = takt::config{}.beat) {
  return settings(workers, takt::trigger::request, beat);
}
/// The same with another balancer.
inline takt::config with(takt::balancer b, takt::config c) {
  c.balancer = b;
  return c;
}
/// The same with another policy.
inline takt::config with(takt::policy p, takt::config c) {
  c.policy = p;
  return c;
}
/// Whoever ends a join goes on with it, wherever it began, under any TAKT_POLICY.
inline takt::config at_random(takt::config c) { return with(takt::policy::random, c); }
inline takt::config by_default(unsigned workers) { return settings(workers, takt::config{}.trigger); }
/// A promotion at every poll that finds nothing on offer.
inline takt::config lazy_zero(unsigned workers) {
  return settings(workers, takt::trigger::lazy, std::chrono::microseconds(0));
}

/// One of each way in which a join can end: nothing promoted, promoted and taken back, stolen and waited for.
inline std::vector<takt::config> each_setting() {
  return {
      by_default(1),
      by_default(2),
      settings(2, takt::trigger::beat),
      settings(2, takt::trigger::beat, std::chrono::microseconds(1)),
      lazy_zero(1),
      lazy_zero(3),
      beat_zero(1),
      beat_zero(3),
      eager(1),
      eager(2),
      eager(4),
      settings(2, takt::trigger::never),
      on_request(1),
      on_request(2),
      on_request(3, std::chrono::microseconds(0)),
      with(takt::balancer::private_, beat_zero(3)),
      with(takt::balancer::private_, lazy_zero(3)),
      with(takt::balancer::private_, eager(2)),
      with(takt::balancer::mixed, beat_zero(3)),
      with(takt::balancer::mixed, lazy_zero(3)),
      with(takt::balancer::mixed, eager(2)),
      with(takt::policy::adws, by_default(2)),
      with(takt::policy::adws, beat_zero(1)),
      with(takt::policy::adws, beat_zero(3)),
      with(takt::policy::adws, lazy_zero(4)),
      with(takt::policy::adws, eager(2)),
      with(takt::policy::adws, eager(5)),
  };
}

template <class Body>
void under_each_setting(Body body) {
  for (const takt::config& c : each_setting()) {
    // Who is alone races with nobody.
    if (TAKT_TEST_THREAD_SANITIZER && c.workers == 1) continue;
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    body();
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace takt_test
