// removeduplicates: one of each key, in no particular order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/problem.hpp"
#include "pbbs/generate/keys.hpp"
#include "pbbs/generate/strings.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

constexpr problem_info removeduplicates_info(std::string_view name, std::string_view about) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "keys",
          .size_default = 10'000'000,
          .size_min = 1,
          .size_max = 500'000'000,
          .group = "pbbs",
          .counts_tasks = true};
}

// What the hash tables of all systems know of integers: no key is k_free.
struct integer_keys {
  using key = std::uint32_t;
  static constexpr key k_free = 0xFFFFFFFFU;
  static std::uint64_t hash(key k) { return k * 0x9E3779B97F4A7C15U >> 20; }
  static bool equal(key a, key b) { return a == b; }
  // A strict order, for tables that must come out the same in every run.
  static bool before(key a, key b) { return a < b; }
};

// Of strings: a key is where one stands. Each ends with a zero.
struct string_keys {
  using key = const char*;
  static constexpr key k_free = nullptr;
  static std::uint64_t hash(key k) {
    std::uint64_t h = 0xCBF29CE484222325U;  // FNV-1a
    for (; *k != '\0'; ++k) {
      h = (h ^ static_cast<unsigned char>(*k)) * 0x100000001B3U;
    }
    return h ^ h >> 32;
  }
  static bool equal(key a, key b) { return std::string_view(a) == b; }
  static bool before(key a, key b) { return std::string_view(a) < b; }
};

// A table holds up to half of its cells; a power of two.
inline std::size_t table_size(std::size_t keys) {
  std::size_t size = 4;
  while (size < 2 * keys) {
    size *= 2;
  }
  return size;
}

template <class Keys>
struct removeduplicates_problem {
  using keys = Keys;
  using answer = array<typename Keys::key>;

  static bool same_keys(const answer& got, const answer& expected) {
    const auto sorted = [](const answer& some) {
      std::vector<typename Keys::key> all(some.begin(), some.end());
      std::sort(all.begin(), all.end(), Keys::before);
      return all;
    };
    const auto a = sorted(got);
    const auto b = sorted(expected);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), Keys::equal);
  }
};

struct integers_problem : removeduplicates_problem<integer_keys> {
  using input = std::vector<std::uint32_t>;
  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return same_keys(got, expected);
  }
  static const input& keys_of(const input& in) { return in; }
};

struct removeduplicates_random : integers_problem {
  static constexpr problem_info info =
      removeduplicates_info("removeduplicates_random", "one of each of uniform integers below n");
  static input make(const request& wanted) {
    const std::int64_t n = size_of(wanted, info);
    return uniform_integers(static_cast<std::size_t>(n), static_cast<std::uint32_t>(n));
  }
};

struct removeduplicates_bounded : integers_problem {
  static constexpr problem_info info = removeduplicates_info(
      "removeduplicates_bounded", "one of each of uniform integers below 100,000");
  static input make(const request& wanted) {
    return uniform_integers(static_cast<std::size_t>(size_of(wanted, info)), 100'000);
  }
};

struct removeduplicates_exponential : integers_problem {
  static constexpr problem_info info = removeduplicates_info(
      "removeduplicates_exponential", "one of each of exponential integers below n");
  static input make(const request& wanted) {
    const std::int64_t n = size_of(wanted, info);
    return exponential_integers(static_cast<std::size_t>(n), static_cast<std::uint32_t>(n));
  }
};

struct removeduplicates_trigrams : removeduplicates_problem<string_keys> {
  static constexpr problem_info info = [] {
    problem_info i = removeduplicates_info("removeduplicates_trigrams",
                                           "one of each of strings of a trigram distribution");
    i.size_default = 4'000'000;
    return i;
  }();

  struct input {
    std::string letters;
    std::vector<const char*> words;
  };
  static input make(const request& wanted) {
    input in;
    const auto words = trigram_words(static_cast<std::size_t>(size_of(wanted, info)));
    std::vector<std::size_t> begins;
    begins.reserve(words.size());
    for (const std::string& word : words) {
      begins.push_back(in.letters.size());
      in.letters.append(word.c_str(), word.size() + 1);
    }
    // A short string would move with the struct that is returned, and its letters with it.
    in.letters.reserve(64);
    for (const std::size_t begin : begins) {
      in.words.push_back(in.letters.data() + begin);
    }
    return in;
  }
  static void reset(const input& /*in*/, answer& out) { out = {}; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return same_keys(got, expected);
  }
  static const std::vector<const char*>& keys_of(const input& in) { return in.words; }
};

}  // namespace takt::bench::pbbs
