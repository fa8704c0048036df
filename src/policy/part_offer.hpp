// A loop that is offered in equal parts to all who look for work. See README.md, "A start like a broadcast".
#pragma once

#include <takt/abi.hpp>

#include "policy/cuts.hpp"
#include "policy/open_parts.hpp"
#include "worker/entry.hpp"
#include "worker/join_word.hpp"

#include <cstdint>
#include <new>

namespace takt::core {

class runtime;

/// What parts are of.
struct offered_loop {
  abi::loop_frame* frame;
  std::uint64_t begin;
  std::uint64_t end;
  task_start start;
  std::uint32_t scope;
};

/// A record of a seat. What it says stays until the loop has been joined, which waits for whoever has taken a part.
class part_offer {
 public:
  using part = open_parts<offered_loop>::part;
  static constexpr unsigned k_none = open_parts<offered_loop>::k_none;

  /// Of the seat's holder: whether no loop is offered here that has not been joined.
  bool is_unused() const noexcept { return parts_.is_unused(); }
  /// Iterations [begin, end) of a loop, whose join word counts `parts` tasks and rest(). The first part is the caller's.
  /// Others find the offer once rest() has been published.
  void open(const offered_loop& loop, unsigned parts) noexcept {
    parts_.prepare(loop, parts);
    ::new (static_cast<void*>(loop.frame->half[0].payload)) part_offer*(this);
    record(k_rest, &run_rest, loop);
    ::new (static_cast<void*>(rest()->payload)) part_offer*(this);
    parts_.open();
  }
  /// The loop has been joined, on whichever worker.
  void close() noexcept { parts_.close(); }

  /// The offer of a frame of which more than two parts were made.
  static part_offer& of(abi::loop_frame& frame) noexcept {
    return **std::launder(reinterpret_cast<part_offer**>(frame.half[0].payload));
  }
  /// The task that stands for all parts that nobody has taken: it runs them. It lies where tasks of the seat lie.
  abi::slot* rest() noexcept { return &slots_[k_rest]; }
  bool is_rest(std::uint64_t e) const noexcept { return entry::task(e) == &slots_[k_rest]; }
  /// Of who runs rest(): it is to be run once more, by anybody. @returns false if there is no memory for that.
  bool hands_on(runtime& r) noexcept;
  /// Of who has rest(), and need not run it. Something else of the loop is not done.
  void end_rest() noexcept { (void)join_of(parts_.is()).finish(); }

  /// Any thread: open_parts::take.
  part take(unsigned wanted) noexcept { return parts_.take(wanted); }
  unsigned left() const noexcept { return parts_.left(); }
  unsigned parts() const noexcept { return parts_.parts(); }
  /// Of who has taken this part, or of the owner of the first: its task.
  abi::slot* task(unsigned index) noexcept {
    const offered_loop is = parts_.is();
    record(index, is.frame->run_half, is);
    ::new (static_cast<void*>(slots_[index].payload))
        abi::half_payload{is.frame, bound(is, index), bound(is, index + 1), index};
    return &slots_[index];
  }
  std::uint64_t entry_of(unsigned index) noexcept { return entry::make(task(index), parts_.is().scope); }

 private:
  static constexpr unsigned k_rest = abi::k_most_parts;

  static void run_rest(abi::slot* rest);
  static join_word& join_of(const offered_loop& is) noexcept {
    return *std::launder(reinterpret_cast<join_word*>(is.frame->join));
  }
  void record(unsigned index, abi::run_function run, const offered_loop& is) noexcept {
    abi::slot& s = slots_[index];
    s.run = run;
    (::new (static_cast<void*>(s.join)) join_word)->delegate(join_word::kind::half, &join_of(is), is.start);
  }
  std::uint64_t bound(const offered_loop& is, unsigned index) const noexcept {
    const unsigned all = parts();
    if (index == 0) return is.begin;
    if (index == all) return is.end;
    const std::uint64_t count = is.end - is.begin;
    return cut_at(is.begin, count / all * index + count % all * index / all);
  }

  // One line: what it says comes with the bit.
  alignas(abi::k_cache_line) open_parts<offered_loop> parts_;
  abi::slot slots_[abi::k_most_parts + 1];
};

}  // namespace takt::core
