// inclusive_scan and exclusive_scan.
#pragma once

#include <takt/algorithms/deterministic.hpp>
#include <takt/detail/fold.hpp>
#include <takt/detail/parts.hpp>
#include <takt/detail/sequence.hpp>

#include <algorithm>
#include <vector>

namespace TAKT_NAMESPACE {
namespace detail {

/// The loops of a scan.
template <bool Inclusive, class In, class Out, class T, class Combine, class Proj>
struct scan_kernel {
  /// Eight numbers, summed up beside the chain, are one link of it: its latency counts once for all of them.
  static constexpr bool k_linked = is_latency_bound<T> && is_plain_operation<Combine>;
  static constexpr std::uint64_t k_link = 8;

  /// Writes the prefixes of [k, end); `sum` is what comes before them.
  /// @returns with `Alone`, the sum of [k, end) alone, as sum_of() forms it; otherwise `sum` and them.
  template <bool Alone>
  TAKT_INLINE T scan(T sum, std::uint64_t k, std::uint64_t end) const {
    const Out to = out;
    Combine own_combine = combine;
    Proj own_proj = proj;
    const auto put_link = [&] {
      // Of other types no array can be made.
      if constexpr (k_linked) {
        T link[k_link];
        read_link(link, k, own_combine, own_proj);
        // All are read before one is written: the output may be the input.
        if constexpr (!Inclusive) detail::at(to, k) = sum;
#pragma GCC unroll 8
        for (std::uint64_t i = 1; i < k_link; ++i) {
          detail::at(to, k + i - (Inclusive ? 1 : 0)) = own_combine(sum, link[i - 1]);
        }
        sum = own_combine(sum, link[k_link - 1]);
        if constexpr (Inclusive) detail::at(to, k + k_link - 1) = sum;
        k += k_link;
        return link[k_link - 1];
      }
    };
    const auto put_one = [&](auto&& look) {
      auto&& v = value(k, own_proj);
      look(v);
      if constexpr (Inclusive) {
        sum = own_combine(std::move(sum), std::forward<decltype(v)>(v));
        detail::at(to, k) = sum;
      } else {
        T next = own_combine(sum, std::forward<decltype(v)>(v));
        detail::at(to, k) = std::move(sum);
        sum = std::move(next);
      }
      ++k;
    };
    if constexpr (Alone) {
      std::optional<T> first;
      if constexpr (k_linked) {
        if (end - k >= k_link) first.emplace(put_link());
      }
      if (!first) put_one([&first](auto&& v) { first.emplace(v); });
      T alone = std::move(*first);
      if constexpr (k_linked) {
        while (end - k >= k_link) alone = own_combine(alone, put_link());
      }
      while (k < end) put_one([&](auto&& v) { alone = own_combine(std::move(alone), v); });
      return alone;
    } else {
      if constexpr (k_linked) {
        while (end - k >= k_link) put_link();
      }
      while (k < end) put_one([](auto&&) {});
      return sum;
    }
  }

  /// The sum of [k, end), which is not empty.
  TAKT_INLINE T sum_of(std::uint64_t k, std::uint64_t end) const {
    Combine own_combine = combine;
    Proj own_proj = proj;
    if constexpr (k_linked) {
      if (end - k >= k_link) {
        T link[k_link];
        read_link(link, k, own_combine, own_proj);
        T sum = link[k_link - 1];
        for (k += k_link; end - k >= k_link; k += k_link) {
          read_link(link, k, own_combine, own_proj);
          sum = own_combine(sum, link[k_link - 1]);
        }
        for (; k < end; ++k) sum = own_combine(sum, value(k, own_proj));
        return sum;
      }
    }
    T sum(value(k++, own_proj));
    for (; k < end; ++k) sum = own_combine(std::move(sum), value(k, own_proj));
    return sum;
  }

  In in;
  Out out;
  Combine combine;
  Proj proj;

 private:
  /// link[i] = the first i + 1 elements from `k` on combined.
  TAKT_INLINE void read_link(T (&link)[k_link], std::uint64_t k, Combine& own_combine, Proj& own_proj) const {
    link[0] = T(value(k, own_proj));
#pragma GCC unroll 8
    for (std::uint64_t i = 1; i < k_link; ++i) link[i] = own_combine(link[i - 1], value(k + i, own_proj));
  }
  // What makes a number is not fused with what is done to it: scan() and sum_of() must agree to the last bit. (Clang
  // fuses within one expression only.)
  TAKT_INLINE decltype(auto) value(std::uint64_t k, Proj& own_proj) const {
    using element = std::iter_reference_t<In>;
    using result = kept_result<std::invoke_result_t<Proj&, element>, element>;
#if defined(__GNUC__) && !defined(__clang__)
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<result>>) {
      return std::remove_cvref_t<result>(__builtin_assoc_barrier(std::invoke(own_proj, detail::at(in, k))));
    } else {
      return static_cast<result>(std::invoke(own_proj, detail::at(in, k)));
    }
#else
    return static_cast<result>(std::invoke(own_proj, detail::at(in, k)));
#endif
  }
};

/// A part that does not know what comes before it: the sums of its blocks, and later what comes before each.
template <class T>
struct scan_piece {
  struct block {
    std::uint64_t end;
    T value;
  };
  std::uint64_t begin = 0;
  std::vector<block> blocks;
};

template <class T>
struct scan_state {
  bool known = true;     ///< what comes before; `own` is not used then
  std::optional<T> sum;  ///< of everything so far, if there is anything
  scan_piece<T> own;
  std::vector<scan_piece<T>> pieces;
};

/// A part that knows what comes before it writes prefixes, another one sums up its blocks for settle() to do so.
///
/// Deterministic: blocks, all of one size, are the iterations. What comes before one is the sum of the sums of those
/// before it, also where the prefixes themselves would tell.
template <bool Deterministic, bool Inclusive, class In, class Out, class T, class Combine, class Proj>
struct scan_work {
  using state = scan_state<T>;

  /// Elements that are scanned by one piece of code; unknown operations may cost anything.
  static constexpr std::uint64_t k_block = is_plain_operation<Combine> && is_plain_operation<Proj> ? 4096 : 1024;

  void run(state& s, std::uint64_t k, std::uint64_t end) const {
    if constexpr (Deterministic) {
      for (; k < end; ++k) {
        const std::uint64_t begin = k * k_block;
        run_block(s, begin, count - begin < k_block ? count : begin + k_block);
      }
    } else if (s.known) {
      if (Inclusive && !s.sum) start(s, k++);
      s.sum.emplace(kernel.template scan<false>(std::move(*s.sum), k, end));
    } else {
      while (k < end) k = note(s.own, k, end);
    }
  }
  state fresh(std::uint64_t begin) const { return {false, std::nullopt, {begin, {}}, {}}; }
  void absorb(state& before, state&& part) const {
    if (!before.known) {
      before.own.blocks.insert(before.own.blocks.end(), std::make_move_iterator(part.own.blocks.begin()),
                               std::make_move_iterator(part.own.blocks.end()));
      return;
    }
    for (auto& block : part.own.blocks) {
      T sum = std::move(block.value);
      block.value = *before.sum;
      append(before, sum);
    }
    if constexpr (Deterministic) part.own.begin *= k_block;
    before.pieces.push_back(std::move(part.own));
  }
  void settle(const state& all) const {
    detail::for_count(all.pieces.size(), [this, &all](std::uint64_t i) { settle_piece(all.pieces[i]); });
  }

  scan_kernel<Inclusive, In, Out, T, Combine, Proj> kernel;
  std::uint64_t count;

 private:
  /// An inclusive scan has nothing before its first element.
  void start(state& s, std::uint64_t k) const {
    s.sum.emplace(kernel.sum_of(k, k + 1));
    detail::at(kernel.out, k) = *s.sum;
  }
  // A function: the loop around it does not have this one in each copy of its body.
  TAKT_OUTLINE void settle_piece(const scan_piece<T>& p) const {
    detail::for_count(p.blocks.size(), [this, &p](std::uint64_t b) {
      (void)scan_block(p.blocks[b].value, b == 0 ? p.begin : p.blocks[b - 1].end, p.blocks[b].end);
    });
  }
  void append(state& s, const T& sum) const {
    Combine own_combine = kernel.combine;
    T next = own_combine(std::move(*s.sum), sum);
    s.sum.emplace(std::move(next));
  }
  void run_block(state& s, std::uint64_t k, std::uint64_t end) const {
    if (!s.known) {
      s.own.blocks.push_back({end, sum_block(k, end)});
    } else if (s.sum) {
      append(s, scan_block(*s.sum, k, end));
    } else {
      start(s, k++);
      if (k < end) append(s, scan_block(*s.sum, k, end));
    }
  }
  /// Sums up a stretch from `k` on, at most to `end`. @returns where it ends.
  std::uint64_t note(scan_piece<T>& own, std::uint64_t k, std::uint64_t end) const {
    // Blocks grow with their number, so that few elements, which may be dear, can also be settled in parallel.
    const std::uint64_t most = std::min(k_block, 16 + std::uint64_t{own.blocks.size()});
    if (!own.blocks.empty()) {
      auto& last = own.blocks.back();
      const std::uint64_t size = k - (own.blocks.size() == 1 ? own.begin : (&last - 1)->end);
      if (size < most) {
        last.end = std::min(end, k + (most - size));
        Combine own_combine = kernel.combine;
        last.value = own_combine(std::move(last.value), kernel.sum_of(k, last.end));
        return last.end;
      }
    }
    const std::uint64_t stop = std::min(end, k + most);
    own.blocks.push_back({stop, kernel.sum_of(k, stop)});
    return stop;
  }
  TAKT_ONE_COPY T scan_block(const T& before, std::uint64_t k, std::uint64_t end) const {
    return kernel.template scan<Deterministic>(before, k, end);
  }
  TAKT_ONE_COPY T sum_block(std::uint64_t k, std::uint64_t end) const { return kernel.sum_of(k, end); }
};

template <class R, class Proj>
using scanned = std::remove_cvref_t<std::invoke_result_t<Proj&, std::ranges::range_reference_t<R>>>;

/// `all`: what comes before the first element.
template <bool Deterministic, bool Inclusive, class R, class Out, class T, class Combine, class Proj>
Out scan_sequence(R&& range, Out out, scan_state<T>& all, Combine combine, Proj proj) {
  using value = scanned<R, Proj>;
  detail::check_sum<T, value, std::invoke_result_t<Combine&, T, value>>();
  static_assert(!Inclusive || !std::is_same_v<T, bool> || std::is_same_v<std::invoke_result_t<Combine&, T, T>, bool>,
                "takt::inclusive_scan: sums of bools would be bools; give a projection to an integer");
  using work_type = scan_work<Deterministic, Inclusive, decltype(detail::start_of(range)),
                              decltype(detail::cursor(out)), T, Combine, Proj>;
  const std::uint64_t count = detail::size_of(range);
  const work_type work{{detail::start_of(range), detail::cursor(out), combine, proj}, count};
  detail::run_parts(work, all, Deterministic ? (count + work.k_block - 1) / work.k_block : count);
  if (!all.pieces.empty()) work.settle(all);
  return detail::advanced(out, count);
}

}  // namespace detail

TAKT_LAST_FORM(inclusive_scan, false,
               "the function that combines cannot be called with two elements, or with what the projection makes of them"
               TAKT_MISFIT_OUTPUT)
TAKT_LAST_FORM(exclusive_scan, false,
               "behind the output comes an initial value, which the function that combines can be called with and an"
               " element, or what the projection makes of one")

/// out[k] = proj(range[0]) combined with ... with proj(range[k]). `out` may be the range itself.
///
/// `combine` must be associative; it need not be commutative, and no neutral element is needed. The element type must
/// be copyable. With takt::deterministic as the first argument the result depends on the elements and their number
/// alone: what comes before a block of 1024 (4096 for std::plus without a projection) is the sum of the blocks' sums.
/// @returns the end of the output.
/// @throws the exception of the first element that threw, or std::bad_alloc; the output is unspecified then.
/// Cost: work O(n): one pass, and one more over what other workers took early, so that `combine` and `proj` are called
/// once more for these elements; span O(log^2 n + n / 1024). Extra memory: one value for
/// every 1024 of them.
template <detail::sequence R, detail::output Out, class Combine = std::plus<>, class Proj = std::identity>
  requires detail::sums_elements<detail::scanned<R, Proj>, Combine, R, Proj> &&
           detail::output_of<Out, const detail::scanned<R, Proj>&>
Out inclusive_scan(R&& range, Out out, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<detail::scanned<R, Proj>> nothing;
  return detail::scan_sequence<false, true>(range, out, nothing, combine, proj);
}

template <std::random_access_iterator It, detail::output Out, class Combine = std::plus<>,
          class Proj = std::identity>
Out inclusive_scan(It first, It last, Out out, Combine combine = {}, Proj proj = {}) {
  return takt::inclusive_scan(detail::subrange_of<It>(first, last), out, combine, proj);
}

template <detail::sequence R, detail::output Out, class Combine = std::plus<>, class Proj = std::identity>
  requires detail::sums_elements<detail::scanned<R, Proj>, Combine, R, Proj> &&
           detail::output_of<Out, const detail::scanned<R, Proj>&>
Out inclusive_scan(deterministic_t, R&& range, Out out, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<detail::scanned<R, Proj>> nothing;
  return detail::scan_sequence<true, true>(range, out, nothing, combine, proj);
}

/// out[k] = init combined with proj(range[0]) ... with proj(range[k - 1]). As inclusive_scan otherwise; the sums have
/// the type of `init`.
template <detail::sequence R, detail::output Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
  requires detail::sums_elements<T, Combine, R, Proj> && detail::output_of<Out, const T&>
Out exclusive_scan(R&& range, Out out, T init, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<T> all{true, std::move(init), {}, {}};
  return detail::scan_sequence<false, false>(range, out, all, combine, proj);
}

template <std::random_access_iterator It, detail::output Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
Out exclusive_scan(It first, It last, Out out, T init, Combine combine = {}, Proj proj = {}) {
  return takt::exclusive_scan(detail::subrange_of<It>(first, last), out, std::move(init), combine, proj);
}

template <detail::sequence R, detail::output Out, class T, class Combine = std::plus<>,
          class Proj = std::identity>
  requires detail::sums_elements<T, Combine, R, Proj> && detail::output_of<Out, const T&>
Out exclusive_scan(deterministic_t, R&& range, Out out, T init, Combine combine = {}, Proj proj = {}) {
  detail::scan_state<T> all{true, std::move(init), {}, {}};
  return detail::scan_sequence<true, false>(range, out, all, combine, proj);
}

}  // namespace TAKT_NAMESPACE
