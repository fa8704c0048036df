// suffixarray: the places of all suffixes of a text, in the order of the suffixes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/problem.hpp"
#include "pbbs/generate/file.hpp"
#include "pbbs/generate/strings.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

constexpr problem_info suffixarray_info(std::string_view name, std::string_view about) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "characters",
          .size_default = 3'000'000,
          .size_min = 1,
          .size_max = 1'000'000'000,
          .group = "pbbs",
          .takes_file = true,
          .counts_tasks = true};
}

struct suffixarray_problem {
  using input = std::string;
  using answer = array<std::uint32_t>;

  static void reset(const input& /*in*/, answer& out) { out = {}; }

  // Neighbours are in order if their first characters are, or if those are equal and what comes
  // behind them is in order: with all places there, that is a proof.
  static bool right(const input& in, const answer& got) {
    const std::size_t n = in.size();
    if (got.size() != n) {
      return false;
    }
    constexpr std::uint32_t k_none = 0xFFFFFFFFU;
    std::vector<std::uint32_t> rank(n + 1, k_none);
    for (std::size_t k = 0; k < n; ++k) {
      if (got[k] >= n || rank[got[k]] != k_none) {
        return false;
      }
      rank[got[k]] = static_cast<std::uint32_t>(k + 1);
    }
    rank[n] = 0;
    for (std::size_t k = 1; k < n; ++k) {
      const auto a = static_cast<unsigned char>(in[got[k - 1]]);
      const auto b = static_cast<unsigned char>(in[got[k]]);
      if (a > b || (a == b && rank[got[k - 1] + 1] >= rank[got[k] + 1])) {
        return false;
      }
    }
    return true;
  }
};

struct suffixarray_text : suffixarray_problem {
  static constexpr problem_info info =
      suffixarray_info("suffixarray_text", "order of all suffixes of a text");
  static input make(const request& wanted) {
    const auto n = static_cast<std::size_t>(size_of(wanted, info));
    return wanted.input.empty() ? trigram_text(n) : file_bytes(wanted.input, n);
  }
};

struct suffixarray_dna : suffixarray_problem {
  static constexpr problem_info info =
      suffixarray_info("suffixarray_dna", "order of all suffixes of a DNA sequence");
  static input make(const request& wanted) {
    const auto n = static_cast<std::size_t>(size_of(wanted, info));
    return wanted.input.empty() ? made_up_dna(n) : bases_of(file_bytes(wanted.input, 2 * n), n);
  }

 private:
  // FASTA: a line that begins with > is a title.
  static std::string bases_of(const std::string& file, std::size_t most) {
    std::string bases;
    bool is_title = false;
    bool is_start = true;
    for (const char c : file) {
      is_title = is_start ? c == '>' : is_title;
      is_start = c == '\n';
      if (!is_title && c >= 'A' && bases.size() < most) {
        bases += c;
      }
    }
    if (bases.empty()) {
      throw input_error("no bases in the file");
    }
    return bases;
  }
};

}  // namespace takt::bench::pbbs
