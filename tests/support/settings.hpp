// The settings that a test of behaviour is repeated under, and how to say which one failed.
#pragma once

#include <takt/takt.hpp>
#ifdef TAKT_LAB
#include <takt/lab.hpp>
#endif

#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
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
#ifdef TAKT_LAB
  if (t == takt::lab::beat) return "beat";
  if (t == takt::lab::eager) return "eager";
  if (t == takt::lab::request) return "request";
#endif
  return t == takt::trigger::lazy ? "lazy" : t == takt::trigger::never ? "never" : "?";
}

inline std::string name_of(takt::policy p) {
#ifdef TAKT_LAB
  if (p == takt::lab::ml_random) return "ml-random";
  if (p == takt::lab::sb) return "sb";
  if (p == takt::lab::random_private) return "random-private";
  if (p == takt::lab::random_mixed) return "random-mixed";
  if (p == takt::lab::asyncdf) return "asyncdf";
#endif
  switch (p) {
    case takt::policy::automatic:
      return "automatic";
    case takt::policy::random:
      return "random";
    case takt::policy::adws:
      return "adws";
    case takt::policy::ml_adws:
      return "ml-adws";
  }
  return "?";
}

#ifdef TAKT_LAB
/// Empty for the product's.
inline std::string name_of(takt::lab::beat_source s) {
  if (s == takt::lab::beat_source::timer) return "_timer";
  return s == takt::lab::beat_source::ping ? "_ping" : "";
}
#endif

/// As a part of a test's name.
inline std::string in_a_name(std::string text) {
  for (char& c : text) c = c == '-' ? '_' : c;
  return text;
}

inline std::string describe(const takt::config& c) {
  return "TAKT_WORKERS=" + std::to_string(c.workers) + " TAKT_BEAT_US=" + std::to_string(c.beat.count()) +
         " TAKT_TRIGGER=" + name_of(c.trigger) +
         (c.policy == takt::policy::automatic ? "" : " TAKT_POLICY=" + name_of(c.policy)) +
         (c.memory == 0 ? "" : " TAKT_MEMORY=" + std::to_string(c.memory)) +
         (c.memory_need == 0 ? "" : " TAKT_MEMORY_NEED=" + std::to_string(c.memory_need));
}

#ifdef TAKT_LAB
/// All there is to set; without the laboratory, what takt::config has.
using config = takt::lab::config;
using takt::lab::configure;
/// For a takt::configure to come.
inline void choose(const config& c) { takt::lab::choose(c.lab); }

inline std::string describe(const takt::lab::config& c) {
  return describe(static_cast<const takt::config&>(c)) +
         (c.lab.hybrid
              ? " TAKT_HYBRID=" + std::to_string(c.lab.memory_alpha) + ":" + std::to_string(c.lab.memory_beta)
              : "") +
         (c.policy == takt::lab::asyncdf ? " TAKT_MEMORY_K=" + std::to_string(c.lab.memory_k) : "") +
         (c.lab.beats == takt::lab::beat_source{} ? "" : " TAKT_BEAT_SOURCE=" + name_of(c.lab.beats).substr(1));
}
#else
using takt::config;
using takt::configure;
inline void choose(const config&) {}
#endif

inline takt::config settings(unsigned workers, takt::trigger t, std::chrono::microseconds beat = takt::config{}.beat) {
  takt::config c;
  c.workers = workers;
  c.trigger = t;
  c.beat = beat;
  return c;
}

#ifdef TAKT_LAB
/// Every fork and split is a task at once: with at least two workers something is stolen sooner or later.
inline takt::config eager(unsigned workers) { return settings(workers, takt::lab::eager); }
/// A promotion at every poll.
inline takt::config beat_zero(unsigned workers) {
  return settings(workers, takt::lab::beat, std::chrono::microseconds(0));
}
/// A promotion whenever a worker is idle; with N = 0, as soon as there is a frame.
inline takt::config on_request(unsigned workers, std::chrono::microseconds beat = takt::config{}.beat) {
  return settings(workers, takt::lab::request, beat);
}
#endif
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

// Each setting of the laboratory, too; ThreadSanitizer has the product's, and with ./check --all all of them.
#if defined(TAKT_LAB) && (!TAKT_TEST_THREAD_SANITIZER || defined(TAKT_TEST_AT_LENGTH))
#define TAKT_TEST_LAB_SETTINGS 1
#endif

/// One of each kind.
inline std::vector<takt::config> some_settings() {
  return {
      by_default(2),
      lazy_zero(1),
      lazy_zero(3),
      settings(2, takt::trigger::never),
      with(takt::policy::adws, lazy_zero(4)),
#ifdef TAKT_TEST_LAB_SETTINGS
      settings(2, takt::lab::beat, std::chrono::microseconds(1)),
      eager(4),
      with(takt::lab::random_private, beat_zero(3)),
#endif
  };
}
/// One of each way in which a join can end: nothing promoted, promoted and taken back, stolen and waited for.
inline std::vector<takt::config> each_setting() {
  std::vector<takt::config> all = some_settings();
  all.insert(all.end(), {
                            by_default(1),
                            with(takt::policy::adws, by_default(2)),
#ifdef TAKT_TEST_LAB_SETTINGS
                            settings(2, takt::lab::beat),
                            beat_zero(1),
                            beat_zero(3),
                            eager(1),
                            eager(2),
                            on_request(1),
                            on_request(2),
                            on_request(3, std::chrono::microseconds(0)),
                            with(takt::lab::random_private, lazy_zero(3)),
                            with(takt::lab::random_private, eager(2)),
                            with(takt::lab::random_mixed, beat_zero(3)),
                            with(takt::lab::random_mixed, lazy_zero(3)),
                            with(takt::lab::random_mixed, eager(2)),
                            with(takt::policy::adws, beat_zero(1)),
                            with(takt::policy::adws, beat_zero(3)),
                            with(takt::policy::adws, eager(2)),
                            with(takt::policy::adws, eager(5)),
#endif
                        });
  return all;
}

template <class Body>
void under(const std::vector<takt::config>& all, Body body) {
  for (const takt::config& c : all) {
    // Who is alone races with nobody.
    if (TAKT_TEST_THREAD_SANITIZER && c.workers == 1) continue;
    SCOPED_TRACE(describe(c));
    takt::configure(c);
    body();
    if (testing::Test::HasFatalFailure()) return;
  }
}
template <class Body>
void under_each_setting(Body body) {
  under(each_setting(), body);
}
/// For what moves data, and leaves it to forks and loops who runs what; with ./check --all as the others.
template <class Body>
void under_some_settings(Body body) {
#ifdef TAKT_TEST_AT_LENGTH
  under(each_setting(), body);
#else
  under(some_settings(), body);
#endif
}

}  // namespace takt_test

// GoogleTest finds these here; otherwise it prints bytes, and memcheck sees that some are padding.
namespace takt {
inline void PrintTo(policy p, std::ostream* out) { *out << takt_test::name_of(p); }
inline void PrintTo(trigger t, std::ostream* out) { *out << takt_test::name_of(t); }
inline void PrintTo(const config& c, std::ostream* out) { *out << takt_test::describe(c); }
#ifdef TAKT_LAB
namespace lab {
inline void PrintTo(const config& c, std::ostream* out) { *out << takt_test::describe(c); }
}  // namespace lab
#endif
}  // namespace takt
