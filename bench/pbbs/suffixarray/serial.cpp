#include <vector>

#include "pbbs/suffixarray/config.hpp"

namespace takt::bench::pbbs {
namespace {

// SA-IS (Nong, Zhang and Chan, Two efficient algorithms for linear time suffix array
// construction, 2011). Suffixes that are smaller than the one behind them are called rising; a
// rising one behind one that is not is a turn. The order of the turns gives that of all others.
class suffix_sorter {
 public:
  // Symbols below `symbols`. The end of the text is smaller than all of them.
  suffix_sorter(const std::uint32_t* text, std::uint32_t n, std::uint32_t symbols)
      : text_(text), n_(n), rises_(n), ends_(symbols + 1) {
    for (std::uint32_t i = n - 1; i-- > 0;) {
      rises_[i] = text[i] < text[i + 1] || (text[i] == text[i + 1] && rises_[i + 1]);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      ++ends_[text[i] + 1];
    }
    for (std::uint32_t c = 0; c < symbols; ++c) {
      ends_[c + 1] += ends_[c];
    }
    for (std::uint32_t i = 1; i < n; ++i) {
      if (is_turn(i)) {
        turns_.push_back(i);
      }
    }
  }

  void sort(std::uint32_t* order) {
    if (!turns_.empty()) {
      // In any order at first: that sorts the turns by what is between each and the next.
      induce(turns_, order);
      sort_turns(order);
    }
    induce(turns_, order);
  }

 private:
  static constexpr std::uint32_t k_none = 0xFFFFFFFFU;

  bool is_turn(std::uint32_t i) const { return i > 0 && rises_[i] && !rises_[i - 1]; }

  void induce(const std::vector<std::uint32_t>& turns, std::uint32_t* order) const {
    std::fill(order, order + n_, k_none);
    std::vector<std::uint32_t> next(ends_.begin() + 1, ends_.end());
    for (std::size_t t = turns.size(); t-- > 0;) {
      order[--next[text_[turns[t]]]] = turns[t];
    }
    std::copy(ends_.begin(), ends_.end() - 1, next.begin());
    order[next[text_[n_ - 1]]++] = n_ - 1;
    for (std::uint32_t k = 0; k < n_; ++k) {
      const std::uint32_t i = order[k];
      if (i != k_none && i > 0 && !rises_[i - 1]) {
        order[next[text_[i - 1]]++] = i - 1;
      }
    }
    std::copy(ends_.begin() + 1, ends_.end(), next.begin());
    for (std::uint32_t k = n_; k-- > 0;) {
      const std::uint32_t i = order[k];
      if (i != k_none && i > 0 && rises_[i - 1]) {
        order[--next[text_[i - 1]]] = i - 1;
      }
    }
  }

  void sort_turns(const std::uint32_t* order) {
    const auto count = static_cast<std::uint32_t>(turns_.size());
    // Names go where a turn's number would: no two turns are neighbours.
    std::vector<std::uint32_t> names((n_ + 1) / 2 + 1, k_none);
    std::uint32_t name = 0;
    std::uint32_t before = k_none;
    for (std::uint32_t k = 0; k < n_; ++k) {
      const std::uint32_t i = order[k];
      if (is_turn(i)) {
        name += before != k_none && !same_up_to_next_turn(before, i) ? 1 : 0;
        names[i / 2] = name;
        before = i;
      }
    }
    std::vector<std::uint32_t> shorter(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      shorter[t] = names[turns_[t] / 2];
    }
    std::vector<std::uint32_t> sorted(count);
    if (name + 1 < count) {
      suffix_sorter(shorter.data(), count, name + 1).sort(sorted.data());
    } else {
      for (std::uint32_t t = 0; t < count; ++t) {
        sorted[shorter[t]] = t;
      }
    }
    for (std::uint32_t& t : sorted) {
      t = turns_[t];
    }
    turns_ = std::move(sorted);
  }
  bool same_up_to_next_turn(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t d = 0;; ++d) {
      if (a + d == n_ || b + d == n_ || text_[a + d] != text_[b + d] ||
          rises_[a + d] != rises_[b + d]) {
        return false;
      }
      if (d > 0 && (is_turn(a + d) || is_turn(b + d))) {
        return is_turn(a + d) && is_turn(b + d);
      }
    }
  }

  const std::uint32_t* text_;
  std::uint32_t n_;
  std::vector<std::uint8_t> rises_;
  std::vector<std::uint32_t> ends_;  // where the suffixes that begin with c - 1 end
  std::vector<std::uint32_t> turns_;
};

void suffix_array(const std::string& in, array<std::uint32_t>& out) {
  std::vector<std::uint32_t> text(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    text[i] = static_cast<unsigned char>(in[i]);
  }
  out = array<std::uint32_t>(in.size());
  constexpr std::uint32_t k_symbols = 256;
  suffix_sorter(text.data(), static_cast<std::uint32_t>(text.size()), k_symbols).sort(out.data());
}

const enrol<suffixarray_text> text("serial", suffix_array);
const enrol<suffixarray_dna> dna("serial", suffix_array);

}  // namespace
}  // namespace takt::bench::pbbs
