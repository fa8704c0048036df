// Forks and loops that reach beyond one machine. With the library takt-cluster, which needs MPI; see docs/cluster.md.
#pragma once

#include <takt/detail/travel.hpp>
#include <takt/fork_join.hpp>
#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>
#include <takt/team.hpp>
#include <takt/workers.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace TAKT_NAMESPACE::cluster {

/// What a branch threw on another node, if it is of no type of <stdexcept> and no std::bad_alloc; with its text.
class remote_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The remote beat: a node sends one branch in it at most. A look at what others have written was measured to take 11 us
/// of CPU time, most of it to wake up, and a branch that is sent 45 us, its result included: a tenth of this at most.
inline constexpr std::chrono::microseconds k_remote_beat{500};

/// What the node has sent to others since the session began.
struct counts {
  /// Branches.
  std::uint64_t promotions;
  /// Writes to the memory of other nodes, and their bytes.
  std::uint64_t messages;
  std::uint64_t bytes;
};

}  // namespace TAKT_NAMESPACE::cluster

namespace TAKT_NAMESPACE::detail {

template <std::size_t N>
struct some_bytes {
  unsigned char byte[N];
};
template <class T>
constexpr bool is_value(const T&) {
  return true;
}

/// What means the same on another node. The compiler makes no pointer, reference or union from bytes, in a capture or
/// anywhere in it, so such a type gives no constant here.
template <class T>
concept travels =
    std::is_trivially_copyable_v<T> && sizeof(T) <= abi::k_travel_bytes && alignof(T) <= alignof(std::max_align_t) &&
    requires { typename std::bool_constant<detail::is_value(__builtin_bit_cast(T, some_bytes<sizeof(T)>{}))>; };

/// Exceptions that arrive as what they are, derived ones first; others arrive as remote_error.
template <class... Errors>
struct errors_that_travel {
  /// The exception under way, as text.
  TAKT_COLD static void describe(abi::outcome& to) noexcept {
    to.kind = abi::outcome::k_value;
    if ((describe_as<Errors>(to) || ...)) return;
    // From here on the kind is none of those.
    if (!describe_as<std::exception>(to)) say("an exception that is no std::exception", to);
  }
  [[noreturn]] TAKT_COLD static void raise(const abi::outcome& from) {
    const std::string text(reinterpret_cast<const char*>(from.data), from.bytes);
    std::uint32_t kind = abi::outcome::k_value;
    (raise_if<Errors>(++kind == from.kind, text), ...);
    detail::raise<cluster::remote_error>(text);
  }

 private:
  static void say(std::string_view text, abi::outcome& to) {
    to.bytes = static_cast<std::uint32_t>(std::min(text.size(), sizeof to.data));
    std::memcpy(to.data, text.data(), to.bytes);
  }
  template <class Error>
  static bool describe_as([[maybe_unused]] abi::outcome& to) {
#if !TAKT_NO_EXCEPTIONS
    ++to.kind;
    try {
      throw;
    } catch (const Error& e) {
      say(e.what(), to);
      return true;
    } catch (...) {
    }
#endif
    return false;
  }
  template <class Error>
  static void raise_if(bool wanted, const std::string& text) {
    if (!wanted) return;
    if constexpr (std::constructible_from<Error, const std::string&>) {
      detail::raise<Error>(text);
    } else {
      detail::raise<Error>();
    }
  }
};
using travelling_errors =
    errors_that_travel<std::range_error, std::overflow_error, std::underflow_error, cluster::remote_error,
                       std::runtime_error, std::invalid_argument, std::domain_error, std::length_error,
                       std::out_of_range, std::logic_error, std::bad_alloc>;

template <class T>
T from_bytes(const void* bytes) {
  alignas(T) std::byte room[sizeof(T)];
  std::memcpy(room, bytes, sizeof(T));
  return *std::launder(reinterpret_cast<T*>(room));
}

template <class G>
struct travelling_branch : abi::travelling {
  travelling_branch()
      : abi::travelling{&run_copy, __PRETTY_FUNCTION__, sizeof(std::remove_reference_t<G>), 0, nullptr} {
    takt_cluster_enrol(this);
  }
  static void run_copy(const void* captures, abi::outcome* to) {
    auto copy = detail::from_bytes<std::remove_cvref_t<G>>(captures);
    TAKT_TRY {
      using result = result_of<G>;
      ::new (static_cast<void*>(to->data)) result(detail::call<G>(copy));
      to->kind = abi::outcome::k_value;
      to->bytes = sizeof(result);
    } TAKT_CATCH_ALL {
      travelling_errors::describe(*to);
    }
  }
};
template <class G>
inline travelling_branch<G> branch_that_travels;

/// A second branch from its fork to its join: `here` runs on this node, `Away` on another one, to the same effect.
template <class Here, class Away>
class open_branch {
 public:
  using result = std::conditional_t<std::is_void_v<std::invoke_result_t<Here>>, void, result_of<Here>>;

  open_branch(std::remove_reference_t<Here>& here, std::remove_reference_t<Away>& away) : here_(&here) {
    frame_.kind = &branch_that_travels<Away>;
    frame_.captures = &away;
    takt_cluster_open(&frame_);
  }
  open_branch(const open_branch&) = delete;
  ~open_branch() {
    // It was stopped before it began.
    if (!settled_) static_cast<void>(takt_cluster_settle(&frame_));
    if (frame_.slot != abi::k_no_slot) takt_cluster_give_back(&frame_);
  }

  result run() {
    settled_ = true;
    const abi::outcome* const sent = takt_cluster_settle(&frame_);
    if (sent == nullptr) return static_cast<result>(static_cast<Here&&>(*here_)());
    if (sent->kind != abi::outcome::k_value) travelling_errors::raise(*sent);
    if constexpr (!std::is_void_v<result>) return detail::from_bytes<result>(sent->data);
  }

 private:
  std::remove_reference_t<Here>* here_;
  abi::open_frame frame_;
  bool settled_ = false;
};

template <class F, class Here, class Away>
auto fork_open(F&& f, Here&& here, Away&& away) {
  open_branch<Here, Away> second(here, away);
  return takt::fork_join([&]() -> decltype(auto) { return static_cast<F&&>(f)(); }, [&second] { return second.run(); });
}

/// Runs `body` in a call: who waits for another node leaves its stack.
template <class Body>
auto run_across(Body&& body) {
  if (takt_team_is_inside()) return body();
  struct running {
    running() { takt_cluster_run_begins(); }
    ~running() { takt_cluster_run_ends(); }
  } const here;
  return takt::with_workers(k_most_workers, body);
}

}  // namespace TAKT_NAMESPACE::detail

namespace TAKT_NAMESPACE::cluster {

/// This process as a node: MPI from here to the destructor, which works for other nodes until all of them are there. No
/// call of takt::cluster is under way then. Without mpirun there is one node.
///
///     int main() {
///       takt::cluster::session nodes;
///       if (nodes.rank() != 0) return 0;  // works for node 0
///       ...
///     }
///
/// One thread of its own makes all calls of MPI, unless the program has initialised MPI itself.
class session {
 public:
  /// `beat`: the least time between two branches that a node sends away, and that one has been open before.
  /// @throws std::runtime_error if `beat` is not positive, there is a session, the nodes run different programs, or MPI
  /// cannot be had: it has been finalised, or the program has initialised it without MPI_THREAD_MULTIPLE.
  explicit session(std::chrono::microseconds beat = k_remote_beat) {
    if constexpr (takt::detail::k_elided) return;
    const char* const wrong = takt_cluster_begin(static_cast<std::uint64_t>(beat.count()));
    if (wrong != nullptr) takt::detail::raise<std::runtime_error>(std::string("takt::cluster::session: ") + wrong);
  }
  ~session() {
    if constexpr (!takt::detail::k_elided) takt_cluster_end();
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  /// The number of this node, from 0.
  unsigned rank() const {
    if constexpr (takt::detail::k_elided) return 0;
    return takt_cluster_rank();
  }
  /// How many there are.
  unsigned size() const {
    if constexpr (takt::detail::k_elided) return 1;
    return takt_cluster_nodes;
  }
  /// What this node has sent.
  cluster::counts counts() const {
    if constexpr (takt::detail::k_elided) return {};
    const abi::cluster_counts c = takt_cluster_counts();
    return {c.promotions, c.messages, c.bytes};
  }
};

/// takt::fork_join whose second branch may run on another node: if it has been open for a remote beat, and another node
/// has nothing to do. `g` and its result are copied there and back as bytes; on the other node it sees that node's
/// globals. A takt::with_stop around it does not reach it there.
/// @returns and throws as takt::fork_join. What `g` throws on another node arrives with its text: as the type of
/// <stdexcept> that it is of, as std::bad_alloc, or as remote_error.
/// Cost: as takt::fork_join, and some tens of nanoseconds where there are several nodes.
template <branch F, branch G>
auto fork_join(F&& f, G&& g) {
  constexpr bool captures_travel = takt::detail::travels<std::remove_cvref_t<G>>;
  static_assert(captures_travel,
                "takt::cluster::fork_join: the second branch may run on another node, so what it captures has to be "
                "trivially copyable, without pointers, references and unions, and at most 1024 bytes");
  constexpr bool result_travels = takt::detail::travels<takt::detail::result_of<G>>;
  static_assert(result_travels,
                "takt::cluster::fork_join: the second branch may run on another node, so what it returns has to be "
                "trivially copyable, without pointers, references and unions, and at most 1024 bytes");
  if constexpr (captures_travel && result_travels && !takt::detail::k_elided) {
    if (takt_cluster_nodes > 1) {
      return takt::detail::run_across(
          [&] { return takt::detail::fork_open(static_cast<F&&>(f), static_cast<G&&>(g), static_cast<G&&>(g)); });
    }
  }
  return takt::fork_join(static_cast<F&&>(f), static_cast<G&&>(g));
}

}  // namespace TAKT_NAMESPACE::cluster

namespace TAKT_NAMESPACE::detail {

/// So many parts has a loop at most from which others may take: a part that travels is a loop of its own.
inline constexpr std::uint64_t k_most_parts = 64;

/// Some iterations of a loop, divided by forks whose second branches may travel; `leaf(first, last)` does the rest, on
/// one node.
template <class I, class Leaf, class Combine>
struct loop_part {
  using result = std::invoke_result_t<Leaf&, I, I>;

  result operator()() {
    most = (detail::distance(first, last) + k_most_parts - 1) / k_most_parts;
    return divide(first, last);
  }
  result divide(I from, I to) {
    const std::uint64_t count = detail::distance(from, to);
    if (count <= most) return leaf(from, to);
    const I middle = detail::at_offset(from, count / 2);
    auto [left, right] = detail::fork_open([&] { return divide(from, middle); }, [&] { return divide(middle, to); },
                                           loop_part{middle, to, leaf, combine});
    return combine(left, right);
  }

  I first, last;
  Leaf leaf;
  Combine combine;
  std::uint64_t most = 0;
};

}  // namespace TAKT_NAMESPACE::detail

namespace TAKT_NAMESPACE::cluster {

/// takt::parallel_reduce over integers, of which other nodes may take parts.
/// @returns and throws as takt::parallel_reduce; what was thrown on another node arrives as with fork_join.
template <index I, class T, class Map, class Combine>
  requires takt::detail::reduces<T, Map, Combine, I>
T parallel_reduce(I first, I last, T identity, Map map, Combine combine) {
  auto leaf = [=](I from, I to) mutable { return takt::parallel_reduce(from, to, identity, map, combine); };
  using part = takt::detail::loop_part<I, decltype(leaf), Combine>;
  constexpr bool travels = takt::detail::travels<part>;
  static_assert(travels,
                "takt::cluster::parallel_reduce: parts may run on other nodes, so the identity and what the callables "
                "capture have to be trivially copyable, without pointers, references and unions, and at most 960 bytes "
                "together, the combination counted twice");
  if constexpr (travels && !takt::detail::k_elided) {
    if (takt_cluster_nodes > 1 && first < last)
      return takt::detail::run_across(part{first, last, std::move(leaf), std::move(combine)});
  }
  return takt::parallel_reduce(first, last, std::move(identity), std::move(map), std::move(combine));
}
template <index I, index J, class T, class Map, class Combine>
  requires(!std::same_as<I, J> && takt::detail::reduces<T, Map, Combine, std::common_type_t<I, J>>)
T parallel_reduce(I first, J last, T identity, Map map, Combine combine) {
  using common = std::common_type_t<I, J>;
  return cluster::parallel_reduce(static_cast<common>(first), static_cast<common>(last), std::move(identity),
                                  std::move(map), std::move(combine));
}

/// takt::parallel_for over integers, of which other nodes may take parts. There the body sees that node's globals, and
/// nothing comes back of it.
/// @throws as parallel_reduce
template <index I, std::invocable<I> Body>
void parallel_for(I first, I last, Body body) {
  auto leaf = [=](I from, I to) mutable {
    takt::parallel_for(from, to, body);
    return nothing{};
  };
  const auto combine = [](nothing, nothing) { return nothing{}; };
  using part = takt::detail::loop_part<I, decltype(leaf), std::remove_const_t<decltype(combine)>>;
  constexpr bool travels = takt::detail::travels<part>;
  static_assert(travels,
                "takt::cluster::parallel_for: parts may run on other nodes, so what the body captures has to be "
                "trivially copyable, without pointers, references and unions, and at most 960 bytes");
  if constexpr (travels && !takt::detail::k_elided) {
    if (takt_cluster_nodes > 1 && first < last)
      return static_cast<void>(takt::detail::run_across(part{first, last, std::move(leaf), combine}));
  }
  takt::parallel_for(first, last, std::move(body));
}
template <index I, index J, class Body>
  requires(!std::same_as<I, J> && std::invocable<Body, std::common_type_t<I, J>>)
void parallel_for(I first, J last, Body body) {
  using common = std::common_type_t<I, J>;
  cluster::parallel_for(static_cast<common>(first), static_cast<common>(last), std::move(body));
}

}  // namespace TAKT_NAMESPACE::cluster
