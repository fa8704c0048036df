// Element types and inputs for the tests of algorithms.
#pragma once

#include "support/counted.hpp"
#include "support/seed.hpp"
#include "support/settings.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace takt_test {

/// Can only be moved; a moved-from one compares as -1. Counts its objects.
class move_only : public counted<move_only> {
 public:
  move_only() = default;
  explicit move_only(int value) : value_(std::make_unique<int>(value)) {}
  move_only(move_only&&) noexcept = default;
  move_only& operator=(move_only&&) noexcept = default;
  int value() const { return value_ ? *value_ : -1; }
  friend bool operator==(const move_only& a, const move_only& b) { return a.value() == b.value(); }
  friend std::strong_ordering operator<=>(const move_only& a, const move_only& b) { return a.value() <=> b.value(); }

 private:
  std::unique_ptr<int> value_;
};

struct alignas(128) overaligned {
  int value = 0;
  friend auto operator<=>(const overaligned&, const overaligned&) = default;
};

/// 200 bytes, ordered by `value` alone.
struct large {
  int value = 0;
  std::array<std::uint64_t, 24> rest{};
  friend bool operator==(const large& a, const large& b) { return a.value == b.value; }
  friend std::strong_ordering operator<=>(const large& a, const large& b) { return a.value <=> b.value; }
};

/// A key that decides, and the place it came from: shows whether an algorithm is stable.
struct record {
  int key = 0;
  int place = 0;
  friend bool operator==(const record&, const record&) = default;
};

/// By this, records are in the order that a stable sort by key leaves, if places were ascending before.
inline std::pair<int, int> key_and_place(const record& r) { return {r.key, r.place}; }

/// Moves may throw, so far as the compiler knows.
struct throwing_move {
  throwing_move() = default;
  explicit throwing_move(int x) : value(x) {}
  throwing_move(const throwing_move&) = default;
  throwing_move& operator=(const throwing_move&) = default;
  throwing_move(throwing_move&& other) noexcept(false) : value(other.value) { other.value = -1; }
  throwing_move& operator=(throwing_move&& other) noexcept(false) {
    value = other.value;
    other.value = -1;
    return *this;
  }
  friend auto operator<=>(const throwing_move&, const throwing_move&) = default;
  int value = 0;
};

inline const std::vector<std::size_t>& sizes() {
  static const std::vector<std::size_t> all{0, 1, 2, 3, 15, 33, 100, 257, 1000, TAKT_TEST_SANITIZER ? 2000u : 5000u};
  return all;
}

/// `n` numbers from 0 to `most`, by seed.
inline std::vector<int> numbers(std::size_t n, int most, std::uint32_t salt = 0) {
  std::mt19937 random(chosen_seed() + salt);
  std::uniform_int_distribution<int> any(0, most);
  std::vector<int> all(n);
  for (int& x : all) x = any(random);
  return all;
}

}  // namespace takt_test
