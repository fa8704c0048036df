// inclusive_scan and exclusive_scan.
#pragma once

#include <takt/algorithms/deterministic.hpp>
#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>
#include <takt/fork_join.hpp>

#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// A stretch of the output whose prefixes lack what comes before it.
template <class T>
struct scan_piece {
  std::uint64_t begin;
  std::uint64_t end;
  T before;  ///< the sum of what comes before `begin`, as far as the piece around it knows
  std::vector<scan_piece> inside;
};

/// before combined with out[k] for a stretch of k.
template <class Out, class T, class Combine>
struct scan_settle_work {
  struct state {};
  void run(state&, std::uint64_t k, std::uint64_t end) const {
    const Out own_out = out;
    const T own_before = *before;
    Combine own_combine = *combine;
    for (; k < end; ++k) at(own_out, k) = own_combine(own_before, T(at(own_out, k)));
  }
  state fresh(std::uint64_t) const { return {}; }
  void absorb(state&, state&&) const {}

  Out out;  ///< at the first element of the stretch
  const T* before;
  Combine* combine;
};

template <bool Inclusive, class Out, class T, class Combine>
class scan_settler {
 public:
  scan_settler(Out out, Combine combine) : out_(out), combine_(std::move(combine)) {}

  /// `before`: what comes before all of them; null: nothing does.
  void settle(std::vector<scan_piece<T>>& pieces, const T* before) {
    for_count(pieces.size(), [this, &pieces, before](std::uint64_t i) { settle(pieces[i], before); });
  }
  void settle(scan_piece<T>& piece, const T* before) {
    const T prefix = before != nullptr ? combine_(*before, piece.before) : piece.before;
    parallel_invoke([&] { settle(piece.inside, &prefix); }, [&] { settle_own(piece, prefix); });
  }

 private:
  void settle_own(const scan_piece<T>& piece, const T& prefix) {
    std::uint64_t k = piece.begin;
    if constexpr (!Inclusive) at(out_, k++) = prefix;
    for (const scan_piece<T>& other : piece.inside) {
      settle_stretch(k, other.begin, prefix);
      k = other.end;
    }
    settle_stretch(k, piece.end, prefix);
  }
  void settle_stretch(std::uint64_t begin, std::uint64_t end, const T& prefix) {
    const scan_settle_work<Out, T, Combine> work{advanced(out_, begin), &prefix, &combine_};
    typename scan_settle_work<Out, T, Combine>::state none;
    run_parts(work, none, end - begin);
  }

  Out out_;
  Combine combine_;
};

template <class T>
struct scan_state {
  std::optional<T> sum;  ///< of everything so far in this piece
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<scan_piece<T>> pieces;
};

template <bool Inclusive, class In, class Out, class T, class Combine, class Proj>
struct scan_work {
  using state = scan_state<T>;

  void run(state& s, std::uint64_t k, std::uint64_t end) const {
    const In in = first;
    const Out to = out;
    Combine own_combine = combine;
    Proj own_proj = proj;
    const std::uint64_t stop = end;
    if (!s.sum) {
      // An exclusive piece does not know its first prefix; that place is left to settle().
      s.sum.emplace(std::invoke(own_proj, at(in, k)));
      if constexpr (Inclusive) at(to, k) = *s.sum;
      ++k;
    }
    T sum = std::move(*s.sum);
    for (; k < stop; ++k) {
      if constexpr (Inclusive) {
        sum = own_combine(std::move(sum), std::invoke(own_proj, at(in, k)));
        at(to, k) = sum;
      } else {
        // Read before it is overwritten: the output may be the input.
        T next = own_combine(sum, std::invoke(own_proj, at(in, k)));
        at(to, k) = std::move(sum);
        sum = std::move(next);
      }
    }
    s.sum.emplace(std::move(sum));
    s.end = stop;
  }
  state fresh(std::uint64_t begin) const { return {std::nullopt, begin, begin, {}}; }
  void absorb(state& before, state&& part) const {
    Combine own_combine = combine;
    T sum = own_combine(*before.sum, *part.sum);
    scan_piece<T> piece{part.begin, part.end, std::move(*before.sum), std::move(part.pieces)};
    before.sum.emplace(std::move(sum));
    before.end = part.end;
    try {
      before.pieces.reserve(before.pieces.size() + 1);
    } catch (const std::bad_alloc&) {
      // No room to note it: the piece gets what is known now, and counts as part of the one around it.
      scan_settler<Inclusive, Out, T, Combine>(out, own_combine).settle(piece, nullptr);
      return;
    }
    before.pieces.push_back(std::move(piece));
  }

  In first;
  Out out;
  Combine combine;
  Proj proj;
};

template <bool Inclusive, class T, class R, class Out, class Combine, class Proj>
Out scan_sequence(R&& range, Out out, scan_state<T>& all, Combine combine, Proj proj) {
  using in = decltype(start_of(range));
  using to = decltype(cursor(out));
  const std::uint64_t count = size_of(range);
  const scan_work<Inclusive, in, to, T, Combine, Proj> work{start_of(range), cursor(out), combine, proj};
  run_parts(work, all, count);
  if (!all.pieces.empty()) scan_settler<Inclusive, to, T, Combine>(cursor(out), combine).settle(all.pieces, nullptr);
  return advanced(out, count);
}

/// Elements of a deterministic scan whose prefixes within the block are formed from left to right.
inline constexpr std::uint64_t k_scan_block = 1024;

/// Blocks are the iterations. A prefix is what comes before its block combined with the prefix inside the block. A part
/// that does not know what comes before it leaves the prefixes inside its blocks, and the blocks' sums.
template <bool Inclusive, class In, class Out, class T, class Combine, class Proj>
struct deterministic_scan_work {
  struct piece {
    std::uint64_t begin;    ///< its first block
    std::vector<T> values;  ///< the sums of its blocks; once it is absorbed, what comes before each
  };
  struct state {
    bool known;
    std::optional<T> before;
    piece own;
    std::vector<piece> pieces;
  };

  void run(state& s, std::uint64_t b, std::uint64_t end) const {
    for (; b < end; ++b) {
      T sum = scan_block(b);
      if (s.known) {
        if (s.before) settle_block(b, *s.before);
        append(s.before, std::move(sum));
      } else {
        s.own.values.push_back(std::move(sum));
      }
    }
  }
  state fresh(std::uint64_t begin) const { return {false, std::nullopt, {begin, {}}, {}}; }
  void absorb(state& before, state&& part) const {
    if (!before.known) {
      for (T& sum : part.own.values) before.own.values.push_back(std::move(sum));
      return;
    }
    for (T& value : part.own.values) {
      T sum = std::move(value);
      value = *before.before;
      append(before.before, std::move(sum));
    }
    before.pieces.push_back(std::move(part.own));
  }
  void settle(const state& all) const {
    for_count(all.pieces.size(), [this, &all](std::uint64_t i) {
      const piece& p = all.pieces[i];
      for_count(p.values.size(), [this, &p](std::uint64_t b) { settle_block(p.begin + b, p.values[b]); });
    });
  }

  In first;
  Out out;
  std::uint64_t count;
  Combine combine;
  Proj proj;

 private:
  void append(std::optional<T>& before, T&& sum) const {
    Combine own_combine = combine;
    if (before) {
      T next = own_combine(std::move(*before), std::move(sum));
      before.emplace(std::move(next));
    } else {
      before.emplace(std::move(sum));
    }
  }
  std::uint64_t end_of(std::uint64_t block) const {
    return count - block * k_scan_block < k_scan_block ? count : (block + 1) * k_scan_block;
  }
  // Neither is inlined, so that there is one copy of the machine code: another one might fuse other operations.
  [[gnu::noinline]] T scan_block(std::uint64_t block) const {
    scan_work<Inclusive, In, Out, T, Combine, Proj> inside{first, out, combine, proj};
    scan_state<T> s;
    inside.run(s, block * k_scan_block, end_of(block));
    return std::move(*s.sum);
  }
  [[gnu::noinline]] void settle_block(std::uint64_t block, const T& before) const {
    std::uint64_t begin = block * k_scan_block;
    if constexpr (!Inclusive) at(out, begin++) = before;
    Combine own_combine = combine;
    const scan_settle_work<Out, T, Combine> work{advanced(out, begin), &before, &own_combine};
    typename scan_settle_work<Out, T, Combine>::state none;
    work.run(none, 0, end_of(block) - begin);
  }
};

template <bool Inclusive, class T, class R, class Out, class Combine, class Proj>
Out deterministic_scan_sequence(R&& range, Out out, std::optional<T> init, Combine combine, Proj proj) {
  const std::uint64_t count = size_of(range);
  using work_type =
      deterministic_scan_work<Inclusive, decltype(start_of(range)), decltype(cursor(out)), T, Combine, Proj>;
  const work_type work{start_of(range), cursor(out), count, combine, proj};
  typename work_type::state all{true, std::move(init), {0, {}}, {}};
  run_parts(work, all, count / k_scan_block + (count % k_scan_block != 0));
  work.settle(all);
  return advanced(out, count);
}

template <class R, class Proj>
using scanned = std::remove_cvref_t<std::invoke_result_t<Proj&, std::ranges::range_reference_t<R>>>;

}  // namespace detail

/// out[k] = proj(range[0]) combined with ... with proj(range[k]). `out` may be the range itself.
///
/// `combine` must be associative; it need not be commutative, and no neutral element is needed. The element type must
/// be copyable. With takt::deterministic as the first argument the result depends on the elements and their number
/// alone: prefixes are formed from left to right in blocks of 1024, and so are those of the blocks.
/// @returns the end of the output.
/// @throws the exception of the first element that threw, or std::bad_alloc; the output is unspecified then.
/// Cost: work O(n): one pass, and one more over what other workers took early; span O(log^2 n); deterministic:
/// O(log n + n / 1024). Extra memory: one value for each such part (deterministic: for each of its blocks).
template <detail::sequence R, std::random_access_iterator Out, class Combine = std::plus<>, class Proj = std::identity>
Out inclusive_scan(R&& range, Out out, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<detail::scanned<R, Proj>> nothing;
  return detail::scan_sequence<true>(range, out, nothing, combine, proj);
}

template <std::random_access_iterator It, std::random_access_iterator Out, class Combine = std::plus<>,
          class Proj = std::identity>
Out inclusive_scan(It first, It last, Out out, Combine combine = {}, Proj proj = {}) {
  return takt::inclusive_scan(detail::subrange_of<It>(first, last), out, combine, proj);
}

template <detail::sequence R, std::random_access_iterator Out, class Combine = std::plus<>, class Proj = std::identity>
Out inclusive_scan(deterministic_t, R&& range, Out out, Combine combine = {}, Proj proj = {}) {
  return detail::deterministic_scan_sequence<true, detail::scanned<R, Proj>>(range, out, std::nullopt, combine, proj);
}

/// out[k] = init combined with proj(range[0]) ... with proj(range[k - 1]). As inclusive_scan otherwise; the sums have
/// the type of `init`.
template <detail::sequence R, std::random_access_iterator Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
Out exclusive_scan(R&& range, Out out, T init, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<T> all{std::move(init), 0, 0, {}};
  return detail::scan_sequence<false>(range, out, all, combine, proj);
}

template <std::random_access_iterator It, std::random_access_iterator Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
Out exclusive_scan(It first, It last, Out out, T init, Combine combine = {}, Proj proj = {}) {
  return takt::exclusive_scan(detail::subrange_of<It>(first, last), out, std::move(init), combine, proj);
}

template <detail::sequence R, std::random_access_iterator Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
Out exclusive_scan(deterministic_t, R&& range, Out out, T init, Combine combine = {}, Proj proj = {}) {
  return detail::deterministic_scan_sequence<false, T>(range, out, std::optional<T>(std::move(init)), combine, proj);
}

}  // namespace TAKT_NAMESPACE
