#include "proofs/tracer.hpp"

#include "bounds/check.hpp"

#include <takt/lab.hpp>
#include <takt/takt.hpp>

#include "sim/stand_in.hpp"
#include "worker/runtime.hpp"

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <utility>
#include <vector>

#ifdef TAKT_TRACE_NEWEST
namespace takt::core {
// The planted scheduler says which slot it has promoted: not always the one below `split`.
extern const abi::slot* last_promoted;
}  // namespace takt::core
#endif

namespace takt_trace {

namespace {

using takt_bounds::kind;
using takt_bounds::node;

// Where in the serial program something happens: the children taken on the way from the root.
using path = std::vector<std::uint32_t>;

path below(const path& p, std::initializer_list<std::uint32_t> more) {
  path longer = p;
  longer.insert(longer.end(), more);
  return longer;
}

struct event {
  path where;
  std::uint64_t number;  ///< events in the same place are in the order in which they happened
  std::string text;
};

// A promotion, until its place in the serial program is known.
struct promotion {
  const takt::abi::slot* slot;
  unsigned worker;
  std::uint64_t time;
  std::uint64_t from = 0, half = 0;  ///< of a loop
};

// Iterations of a loop that are claimed with the one before them: nobody else can have them.
struct claim {
  bool is_next = false;     ///< so is the next one
  std::uint64_t since = 0;  ///< when the first of them began, 0: none has
};

// A fiber that runs tasks, one after the other.
struct strand {
  path where;            ///< of the last event
  std::unordered_map<std::uint64_t, claim> claims;  ///< by the names of loops
  bool unknown = false;  ///< a half of a loop has begun, and no iteration of it yet
  std::vector<promotion> pending;
};

class tracer final : public takt::sim::virtual_time {
 public:
  using virtual_time::virtual_time;

  void note(takt::platform::action what, std::uint64_t amount) noexcept override {
    const std::uint64_t began = time();
    virtual_time::note(what, amount);
    if (what != takt::platform::action::promotion || !on_) return;
#ifdef TAKT_TRACE_NEWEST
    promotion p{takt::core::last_promoted, worker(), began};
#else
    promotion p{takt_hot.split - 1, worker(), began};
#endif
    if (p.slot->run == &takt_loop_mark) {
      const takt::abi::loop_frame& frame = **reinterpret_cast<takt::abi::loop_frame* const*>(p.slot->payload);
      const auto& first = *reinterpret_cast<const takt::abi::half_payload*>(frame.half[0].payload);
      p.from = first.begin;
      p.half = first.end - first.begin;
    }
    strand& s = here();
    if (s.unknown) {
      s.pending.push_back(p);
    } else {
      write(s.where, p, name_of(p.slot));
    }
    // Another promotion may follow before the next look at the clock: who is behind must not find that task too early.
    spend(0);
  }

  // The program runs a leaf.
  void run_leaf(std::uint64_t ticks) {
    since_poll& since = since_poll_[worker()];
    if (since.polls != takt_hot.polls) since = {takt_hot.polls, 0};
    since.ticks += ticks;
    longest_without_poll_ = std::max(longest_without_poll_, since.ticks);
    spend(ticks);
  }
  // For so long what could be given away is not, at most, though a beat is due: the worker does not look at the clock, or
  // it has claimed what comes next.
  std::uint64_t late() const { return longest_without_poll_ + longest_claim_; }

  // The program is at a place where it forks, loops or runs a leaf.
  void at(const path& where, const std::string& text) {
    arrive(where, 0, nullptr);
    events_.push_back({where, ++number_, text});
  }
  // The construct that is pushed next here.
  void will_push(std::uint64_t name) {
    if (takt_hot.head != nullptr) names_[takt_hot.head] = name;
  }
  // A fork's left branch begins, its frame on top.
  void pushed(std::uint64_t name) { names_[takt_hot.head - 1] = name; }
  // A half of a loop may begin here.
  void half_begins() {
    if (on_ && takt_hot.worker != nullptr) here().unknown = true;
  }
  // An iteration begins. `around` was the slot on top where the loop was called, and on which fiber.
  void iteration(const path& where, std::uint64_t name, std::uint64_t i, const takt::abi::slot* around) {
    // A plain loop has no frame, and what is on top is not its own.
    const takt::abi::slot* top = top_slot() == around ? nullptr : top_slot();
    std::string claimed = "all";
    claim& c = here().claims[name];
    c.since = !c.is_next ? 0 : c.since != 0 ? c.since : time();
    c.is_next = true;
    if (top != nullptr) {
      names_[top] = name;
      const takt::abi::loop_frame& frame = **reinterpret_cast<takt::abi::loop_frame* const*>(top->payload);
      claimed = std::to_string(frame.next - i - 1);
      c.is_next = frame.next - i > 1;
    }
    arrive(where, name, top);
    events_.push_back({where, ++number_, "I " + claimed});
  }
  void iteration_ended(const path& where, std::uint64_t name) {
    here().where = where;
    if (const claim& c = here().claims[name]; c.since != 0) longest_claim_ = std::max(longest_claim_, time() - c.since);
  }

  std::uint64_t new_name() { return ++names_given_; }
  unsigned worker() const {
    const auto* w = static_cast<const takt::core::worker*>(takt_hot.worker);
    return w == nullptr ? 0 : w->index;
  }
  // The innermost frame of the fiber that runs, or null.
  const takt::abi::slot* top_slot() const {
    const auto* w = static_cast<const takt::core::worker*>(takt_hot.worker);
    if (w == nullptr || takt_hot.head == nullptr || takt_hot.head == w->scheduler.current()->frames.base) return nullptr;
    return takt_hot.head - 1;
  }

  void begin() { on_ = true; }
  void end() { on_ = false; }
  void write_to(std::ostream& out) {
    std::sort(events_.begin(), events_.end(), [](const event& a, const event& b) {
      return a.where != b.where ? a.where < b.where : a.number < b.number;
    });
    for (const event& e : events_) out << e.text << '\n';
  }

 private:
  strand& here() {
    const auto* w = static_cast<const takt::core::worker*>(takt_hot.worker);
    return strands_[w == nullptr ? nullptr : w->scheduler.current()];
  }
  // What was promoted since a half began was promoted before its first iteration.
  void arrive(const path& where, std::uint64_t loop, const takt::abi::slot* top) {
    strand& s = here();
    for (const promotion& p : s.pending) write(where, p, p.slot == top ? loop : name_of(p.slot));
    s.pending.clear();
    s.unknown = false;
    s.where = where;
  }
  std::uint64_t name_of(const takt::abi::slot* s) const {
    const auto found = names_.find(s);
    // The outermost fork, whose frame nobody has seen when it is promoted at once.
    return found == names_.end() ? 1 : found->second;
  }
  void write(const path& where, const promotion& p, std::uint64_t name) {
    events_.push_back({where, ++number_,
                       "P " + std::to_string(p.worker) + ' ' + std::to_string(p.time) + ' ' + std::to_string(name) +
                           ' ' + std::to_string(p.from) + ' ' + std::to_string(p.half)});
  }

  bool on_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t names_given_ = 0;
  std::vector<event> events_;
  std::unordered_map<const takt::abi::slot*, std::uint64_t> names_;
  std::unordered_map<const void*, strand> strands_;
  struct since_poll {
    std::uint64_t polls = 0, ticks = 0;
  };
  std::unordered_map<unsigned, since_poll> since_poll_;
  std::uint64_t longest_without_poll_ = 0;
  std::uint64_t longest_claim_ = 0;
};

// The numbers of the leaves that ran, in the order of the results. A copy is made where a half of a loop begins.
struct numbers {
  std::vector<std::uint64_t> all;
  tracer* on = nullptr;

  numbers() = default;
  explicit numbers(tracer& t) : on(&t) {}
  numbers(const numbers& other) : all(other.all), on(other.on) {
    if (on != nullptr) on->half_begins();
  }
  numbers(numbers&&) = default;
  numbers& operator=(const numbers&) = delete;
  numbers& operator=(numbers&&) = default;
};

numbers both(numbers first, numbers second) {
  first.all.insert(first.all.end(), second.all.begin(), second.all.end());
  return first;
}

std::uint64_t leaves(const node& n) {
  switch (n.what) {
    case kind::leaf:
      return 1;
    case kind::loop:
      return n.count * leaves(n.children[0]);
    case kind::sequence:
    case kind::fork:
      break;
  }
  return leaves(n.children[0]) + leaves(n.children[1]);
}

class evaluation {
 public:
  evaluation(tracer& on, mistake wrong) : on_(on), wrong_(wrong) {}

  // `first` is the number of the first leaf in `n`.
  numbers run(const node& n, const path& where, std::uint64_t first) {
    switch (n.what) {
      case kind::leaf:
        return leaf(n, where, first);
      case kind::sequence: {
        numbers left = run(n.children[0], below(where, {0}), first);
        return both(std::move(left), run(n.children[1], below(where, {1}), first + leaves(n.children[0])));
      }
      case kind::fork:
        return fork(n, where, first);
      case kind::loop:
        return loop(n, where, first);
    }
    return numbers();
  }
  /// Whether a branch has been lost.
  bool is_wrong() const { return is_wrong_; }

 private:
  numbers leaf(const node& n, const path& where, std::uint64_t first) {
    const std::uint64_t began = on_.time();
    on_.at(where, "L " + std::to_string(on_.worker()) + ' ' + std::to_string(n.ticks) + ' ' + std::to_string(began));
    on_.run_leaf(n.ticks);
    numbers result;
    result.all.push_back(first);
    return result;
  }

  numbers fork(const node& n, const path& where, std::uint64_t first) {
    const std::uint64_t name = on_.new_name();
    on_.at(where, "F " + std::to_string(name));
    on_.will_push(name);
    unsigned left_worker = 0, right_worker = 0;
    auto [left, right] = takt::fork_join(
        [&] {
          on_.pushed(name);
          left_worker = on_.worker();
          return run(n.children[0], below(where, {0}), first);
        },
        [&] {
          right_worker = on_.worker();
          if (wrong_ == mistake::lost_branch && right_worker != left_worker) {
            is_wrong_ = true;
            return numbers();
          }
          return run(n.children[1], below(where, {1}), first + leaves(n.children[0]));
        });
    if (wrong_ == mistake::wrong_order && right_worker != left_worker) return both(std::move(right), std::move(left));
    return both(std::move(left), std::move(right));
  }

  numbers loop(const node& n, const path& where, std::uint64_t first) {
    const std::uint64_t name = on_.new_name();
    on_.at(where, "B " + std::to_string(name));
    on_.will_push(name);
    const takt::abi::slot* around = on_.top_slot();
    const std::uint64_t each = leaves(n.children[0]);
    return takt::parallel_reduce(
        std::uint64_t{0}, n.count, numbers(on_),
        [&, name, around](std::uint64_t i) {
          const path iteration = below(where, {static_cast<std::uint32_t>(i)});
          on_.iteration(iteration, name, i, around);
          numbers result = run(n.children[0], below(iteration, {0}), first + i * each);
          on_.iteration_ended(below(iteration, {1}), name);
          return result;
        },
        both);
  }

  tracer& on_;
  mistake wrong_;
  bool is_wrong_ = false;
};

void write_program(std::ostream& out, const node& n) {
  switch (n.what) {
    case kind::leaf:
      out << " L " << n.ticks;
      return;
    case kind::loop:
      out << " P " << n.count;
      break;
    case kind::sequence:
      out << " S";
      break;
    case kind::fork:
      out << " F";
      break;
  }
  for (const node& child : n.children) write_program(out, child);
}

}  // namespace

void trace(std::ostream& out, const std::string& name, const node& program, const settings& s) {
  using takt_bounds::k_tau;
  takt::sim::virtual_settings virtual_settings;
  virtual_settings.workers = s.workers;
  virtual_settings.measured = false;
  virtual_settings.cost.promotion = k_tau;
  virtual_settings.began = 1'000'000'000;
  tracer on(virtual_settings, takt::sim::this_process());
  takt::config c;
  c.workers = s.workers;
  c.beat = std::chrono::microseconds(s.wrong == mistake::early ? s.beat_us / 2 : s.beat_us);
  c.trigger = s.wrong == mistake::all ? takt::lab::eager : s.trigger;
  // No free code: nobody would count it.
  c.interrupts = false;
  c.stack_bytes = std::size_t{1} << 20;
  const takt::sim::stand_in runtime(on, c);

  const node all{kind::fork, 0, 0, {program, node{kind::leaf, 1, 0, {}}}};
  on.begin();
  evaluation evaluated(on, s.wrong);
  const numbers result = evaluated.run(all, {}, 0);
  on.end();
  if (s.wrong == mistake::lost_branch && !evaluated.is_wrong()) return;

  const std::uint64_t beat = s.beat_us * 1000;
  // With beats alone there is one promotion in each. Under `lazy` there are more where others have use for them.
  const unsigned per_beat = s.trigger == takt::trigger::lazy && s.workers > 1 ? k_lazy_promotions : 1;
  // A call may begin with a beat in hand.
  out << "trace " << name << "\nsettings " << k_tau << ' ' << beat << ' ' << on.late() << ' ' << per_beat << ' ' << beat << "\nprogram";
  write_program(out, all);
  out << '\n';
  on.write_to(out);
  out << "result";
  for (const std::uint64_t n : result.all) out << ' ' << n;
  out << '\n';
}

}  // namespace takt_trace
