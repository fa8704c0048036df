#include "explore/seat_programs.hpp"

#include "explore/parts.hpp"

#include <array>
#include <vector>

namespace takt_explore {

namespace {

/// In its scope what takt cannot do without can be had: threads, and stacks.
class all_can_be_had {
 public:
  explicit all_can_be_had(explorer& on) : on_(on) { on.may_refuse_stacks = on.may_refuse_threads = false; }
  ~all_can_be_had() { on_.may_refuse_stacks = on_.may_refuse_threads = true; }
  all_can_be_had(const all_can_be_had&) = delete;
  all_can_be_had& operator=(const all_can_be_had&) = delete;

 private:
  explorer& on_;
};

// Whether more than `most` are in it at a time.
struct room {
  unsigned most;
  unsigned inside = 0;
  bool was_too_full = false;

  template <class F>
  void enter(F&& f) {
    was_too_full = was_too_full || ++inside > most;
    f();
    --inside;
  }
};

}  // namespace

namespace {

// More of them would not be kept: who adds one runs it then.
constexpr std::size_t k_blocked = 3;

// Fills so many cells from `first` on.
void block_all(explorer& on, std::uint64_t* cells, std::size_t first) {
  std::array<takt::platform::parker, k_blocked> gates;
  std::size_t there = 0;
  takt::task_group members;
  for (std::size_t c = 0; c < k_blocked; ++c) {
    members.run([&, c] {
      work(on);
      takt::blocking([&] {
        if (++there == gates.size()) {
          for (auto& gate : gates) on.unpark(gate);
        }
        on.park(gates[c], 0);
      });
      cells[first + c] += mix(first + c, 3);
    });
  }
  work(on);
  members.wait();
}

}  // namespace

std::uint64_t all_block(explorer& on) {
  std::array<std::uint64_t, k_blocked> cells{};
  const all_can_be_had had(on);
  block_all(on, cells.data(), 0);
  return in_order(cells);
}

std::uint64_t block_again(explorer& on) {
  std::array<std::uint64_t, 2 * k_blocked> cells{};
  const all_can_be_had had(on);
  takt::config one = takt::current_config();
  one.workers = 1;
  takt::configure(one);
  block_all(on, cells.data(), 0);
  block_all(on, cells.data(), k_blocked);
  return in_order(cells);
}

std::uint64_t blocked_by_a_lock(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  bool moved = false;
  takt::sync::mutex lock;
  takt::fork_join(
      [&] {
        takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t c) {
          const void* const here = worker_here();
          c % 2 == 0 ? takt::blocking([&] { lock.lock(); }) : lock.lock();
          work(on);
          moved = moved || worker_here() != here;
          cells[c] += mix(c, 3);
          lock.unlock();
        });
      },
      [&] { work(on); });
  return moved ? 0 : in_order(cells);
}

std::uint64_t parts(explorer& on) {
  std::array<std::uint64_t, 16> cells{};
  bool wrong = false;
  on.may_refuse_stacks = false;
  const auto cell = [&](std::size_t c) {
    work(on);
    cells[c] += mix(c, 3);
  };
  // Of four cells.
  const auto limited = [&](unsigned most, std::size_t first) {
    room inside{most};
    const auto one = [&](std::size_t c) { inside.enter([&] { cell(c); }); };
    takt::with_workers(static_cast<int>(most), [&] {
      takt::fork_join([&] { takt::parallel_for(first, first + 2, one); },
                      [&] {
                        takt::task_group members;
                        members.run([&] { one(first + 2); });
                        members.run([&] { one(first + 3); });
                        members.wait();
                      });
    });
    wrong = wrong || inside.was_too_full;
  };
  {
    outside_thread other(on, [&] { limited(2, 0); });
    takt::fork_join([&] { limited(1, 4); },
                    [&] {
                      takt::with_workers(2, [&] { takt::fork_join([&] { limited(2, 8); }, [&] { limited(1, 12); }); });
                    });
    other.join();
  }
  on.may_refuse_stacks = true;
  return wrong ? 0 : in_order(cells);
}

std::uint64_t crowded_part(explorer& on) {
  std::array<std::uint64_t, 8> cells{};
  takt::config four = takt::current_config();
  four.workers = 4;
  takt::configure(four);
  on.may_refuse_stacks = false;
  room inside{2};
  takt::with_workers(2, [&] {
    takt::parallel_for(std::size_t{0}, cells.size() / 2, [&](std::size_t pair) {
      const auto one = [&](std::size_t c) {
        inside.enter([&] {
          work(on, 4);
          cells[c] += mix(c, 3);
        });
      };
      takt::fork_join([&] { one(2 * pair); }, [&] { one(2 * pair + 1); });
    });
  });
  on.may_refuse_stacks = true;
  return inside.was_too_full ? 0 : in_order(cells);
}

std::uint64_t numbers(explorer& on) {
  std::array<std::uint64_t, 9> cells{};
  bool wrong = false;
  on.may_refuse_stacks = false;
  std::vector<char> taken(takt::worker_count());
  const auto three = [&](std::size_t first) {
    takt::with_workers(99, [&] {
      takt::parallel_for(first, first + 3, [&](std::size_t c) {
        if (c % 3 == 0) takt::blocking([&] { work(on); });
        const unsigned here = takt::worker_index();
        wrong = wrong || here + 1 >= taken.size() || taken[here] != 0;
        taken[here] = 1;
        work(on);
        wrong = wrong || takt::worker_index() != here;
        taken[here] = 0;
        cells[c] += mix(c, 3);
      });
    });
  };
  {
    outside_thread first(on, [&] { three(0); });
    outside_thread second(on, [&] { three(3); });
    three(6);
    first.join();
    second.join();
  }
  on.may_refuse_stacks = true;
  return wrong ? 0 : in_order(cells);
}

}  // namespace takt_explore
