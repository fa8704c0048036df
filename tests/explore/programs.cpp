#include "explore/programs.hpp"

#include "explore/converted_programs.hpp"
#include "explore/free_programs.hpp"
#include "explore/lock_programs.hpp"
#include "explore/memory_programs.hpp"
#include "explore/offer_programs.hpp"
#include "explore/parts.hpp"
#include "explore/seat_programs.hpp"
#include "explore/spawn_programs.hpp"
#include "explore/stop_programs.hpp"
#include "explore/team_programs.hpp"

#include <takt/lab.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>

namespace takt_explore {

namespace {

using takt_test::planned_error;

// --- forks -----------------------------------------------------------------------------------------------------

template <unsigned Depth>
std::uint64_t forks(explorer& on) {
  const short_of_memory scarce(on);
  return tree(on, Depth, 1);
}

// --- loops -----------------------------------------------------------------------------------------------------

// Twice, as the second time the site knows what an iteration costs.
std::uint64_t loop(explorer& on) {
  const short_of_memory scarce(on);
  std::array<std::uint64_t, 9> cells{};
  for (unsigned round = 0; round < 2; ++round) {
    cells = {};
    takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
      work(on);
      cells[i] += mix(i, 3);
    });
  }
  return in_order(cells);
}

std::uint64_t nested_loops(explorer& on) {
  const short_of_memory scarce(on);
  std::array<std::uint64_t, 12> cells{};
  for (unsigned round = 0; round < 2; ++round) {
    cells = {};
    takt::parallel_for(std::size_t{0}, std::size_t{4}, [&](std::size_t i) {
      takt::parallel_for(std::size_t{0}, std::size_t{3}, [&](std::size_t j) {
        work(on, 1);
        cells[3 * i + j] += mix(3 * i + j, 3);
      });
    });
  }
  return in_order(cells);
}

std::uint64_t reduction(explorer& on) {
  const short_of_memory scarce(on);
  affine all;
  for (unsigned round = 0; round < 2; ++round) {
    all = takt::parallel_reduce(
        std::uint64_t{0}, std::uint64_t{10}, affine{},
        [&on](std::uint64_t i) {
          work(on);
          return nth(i);
        },
        [](affine a, affine b) { return a * b; });
  }
  return mix(all.factor, all.term);
}

// --- errors ----------------------------------------------------------------------------------------------------

std::uint64_t errors(explorer& on) {
  std::array<std::uint64_t, 4> cells{};
  cells[0] = error_of([&] {
    takt::fork_join(
        [&on] {
          tree(on, 1, 1);
          work(on);
          throw planned_error(11);
        },
        [&on] {
          tree(on, 1, 2);
          throw planned_error(12);
        });
  });
  cells[1] = error_of([&] { takt::fork_join([&on] { work(on); }, [] { throw planned_error(13); }); });
  cells[2] = error_of([&] {
    takt::parallel_for(0, 8, [&on](int i) {
      tree(on, 1, 1);
      if (i == 3 || i == 6) throw planned_error(20 + i);
    });
  });
  // A fork in a handler, which may be left and resumed elsewhere.
  try {
    throw planned_error(31);
  } catch (const planned_error& e) {
    const std::uint64_t value = tree(on, 2, 1);
    cells[3] = mix(value, static_cast<std::uint64_t>(e.id) + error_of([] { throw; }));
  }
  return in_order(cells);
}

std::uint64_t serial_errors() { return in_order(std::array<std::uint64_t, 4>{11, 13, 23, mix(serial_tree(2, 1), 62)}); }

// --- groups ----------------------------------------------------------------------------------------------------

// Children of the fiber that waits, one of which adds another.
std::uint64_t group(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  takt::task_group members(some_bound(on));
  const short_of_memory scarce(on);
  for (std::size_t c = 0; c < 5; ++c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
      if (c == 2) members.run([&] { cells[5] += mix(5, 3); });
    });
  }
  work(on);
  members.wait();
  return in_order(cells);
}

// In a fork, so that the group's fiber has latent frames around it, and children that fork.
std::uint64_t group_in_forks(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  takt::task_group members(some_bound(on));
  const short_of_memory scarce(on);
  takt::fork_join(
      [&] {
        for (std::size_t c = 0; c < 3; ++c) {
          members.run([&, c] {
            const auto [a, b] = takt::fork_join([&] { return tree(on, 1, 1) != 0; }, [&] { return c + 1; });
            cells[c] += a ? mix(b - 1, 3) : 0;
          });
        }
        members.wait();
      },
      [&] {
        work(on);
        members.run([&] { cells[3] += mix(3, 3); });
        cells[4] += mix(4, 3);
      });
  members.run([&] { cells[5] += mix(5, 3); });
  members.wait();
  return in_order(cells);
}

// Children that are added on other fibers than the one that waits, and outlive the call in which they were made.
std::uint64_t orphans(explorer& on) {
  std::array<std::uint64_t, 4> cells{};
  takt::task_group members(some_bound(on));
  const short_of_memory scarce(on);
  takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
    tree(on, 1, 1);
  });
  members.wait();
  return in_order(cells);
}

// Children that add children, in either order, some of them between forks: away from the group's home they are kept by
// who runs the child.
std::uint64_t children_of_children(explorer& on) {
  std::array<std::uint64_t, 12> cells{};
  takt::task_group members(
      on.chosen_below(2) == 0 ? takt::group_order::newest_first : takt::group_order::oldest_first, some_bound(on));
  const short_of_memory scarce(on);
  const auto leaf_child = [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
  };
  const auto inner_child = [&](std::size_t c) {
    members.run([&, c] {
      leaf_child(c + 1);
      const auto [a, b] = takt::fork_join(
          [&] {
            leaf_child(c + 2);
            return std::uint64_t{3};
          },
          [&] {
            work(on);
            return c;
          });
      cells[c] += mix(b, a);
    });
  };
  for (const std::size_t c : {0u, 6u}) {
    members.run([&, c] {
      inner_child(c + 3);
      work(on);
      leaf_child(c + 1);
      leaf_child(c + 2);
      cells[c] += mix(c, 3);
    });
  }
  members.wait();
  return in_order(cells);
}

// Code that stays: forks, and a group whose children add children, inside each other. 0 if it has moved.
std::uint64_t stays(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  std::uint64_t moved = 0;
  takt::fork_join(
      [&] {
        const takt::stay here;
        const void* const before = worker_here();
        (void)tree(on, 2, 1);
        takt::task_group members(some_bound(on));
        for (std::size_t c = 0; c < 3; ++c) {
          members.run([&, c] {
            work(on);
            members.run([&, c] {
              const takt::stay there;
              const void* const its = worker_here();
              const auto [a, b] = takt::fork_join([&] { return tree(on, 1, 1) != 0; }, [&] { return c + 3; });
              cells[c + 3] += a ? mix(b, 3) : 0;
              if (worker_here() != its) moved = 1;
            });
            cells[c] += mix(c, 3);
          });
        }
        members.wait();
        if (worker_here() != before) moved = 1;
      },
      [&] { work(on); });
  return moved != 0 ? 0 : in_order(cells);
}

// Code under one policy inside of code under another: each is made by whoever names it first. A group's children lie with
// several, and the code that waits for them stays.
std::uint64_t policies(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  std::uint64_t value = 0;
  const auto any = [&on] {
    constexpr takt::policy k_all[] = {takt::policy::random, takt::policy::adws, takt::lab::ml_random,
                                      takt::policy::ml_adws, takt::lab::sb};
    return k_all[on.chosen_below(5)];
  };
  takt::fork_join(
      [&] {
        const takt::stay here;
        takt::task_group members(some_bound(on));
        const short_of_memory scarce(on);
        const auto add = [&](std::size_t c) {
          members.run([&, c] {
            takt::with_policy(any(), [&] { work(on); });
            cells[c] += mix(c, 3);
          });
        };
        add(0);
        takt::with_policy(any(), [&] {
          add(1);
          value = takt::with_policy(any(), [&] { return tree(on, 2, 1); });
          add(2);
        });
        members.wait();
      },
      [&] {
        takt::with_policy(any(), [&] {
          takt::parallel_for(std::size_t{3}, std::size_t{6}, [&](std::size_t c) {
            work(on);
            cells[c] += mix(c, 3);
          });
        });
      });
  return mix(value, in_order(cells));
}

// A recursion that says what it uses, under the policy that ties it to caches: two pairs of workers share one each, the
// quarters fit, and one cache has room for two of them. Beside it a thread with a smaller one.
std::uint64_t tied_tree(explorer& on, unsigned depth, std::uint64_t path, std::uint64_t bytes) {
  work(on);
  if (depth == 0) return mix(path, 1);
  const auto [a, b] = takt::fork_join(
      takt::weights(1, 1), takt::bytes(bytes),
      [&on, depth, path, bytes] { return tied_tree(on, depth - 1, 2 * path, bytes / 2); },
      [&on, depth, path, bytes] { return tied_tree(on, depth - 1, 2 * path + 1, bytes / 2); });
  return mix(a, b);
}
std::uint64_t ties(explorer& on) {
  on.set_caches(2, 1000);
  const auto under_sb = [&on](unsigned depth, std::uint64_t path, std::uint64_t bytes) {
    return takt::with_policy(takt::lab::sb, [&] { return tied_tree(on, depth, path, bytes); });
  };
  std::uint64_t beside = 0;
  outside_thread other(on, [&] { beside = under_sb(1, 5, 600); });
  std::uint64_t all = 0;
  {
    const short_of_memory scarce(on);
    all = under_sb(3, 1, 1600);
  }
  other.join();
  on.set_caches(0, 0);
  return mix(all, beside);
}

// Another thread adds children while this one waits.
std::uint64_t strangers(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  takt::task_group members(some_bound(on));
  const auto add = [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
  };
  outside_thread other(on, [&] {
    takt::fork_join(
        [&] {
          add(0);
          work(on);
          add(1);
        },
        [&] { add(2); });
  });
  add(3);
  add(4);
  members.wait();
  add(5);
  other.join();
  members.wait();
  return in_order(cells);
}

// The same, in code that stays: it may be the only one who can run them.
std::uint64_t stays_among_strangers(explorer& on) {
  std::array<std::uint64_t, 6> cells{};
  takt::task_group members(some_bound(on));
  const auto add = [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
  };
  outside_thread other(on, [&] {
    takt::fork_join(
        [&] {
          add(0);
          work(on);
          add(1);
        },
        [&] {
          work(on);
          add(2);
        });
    takt::fork_join([&] { add(3); }, [&] { add(4); });
  });
  takt::fork_join(
      [&] {
        const takt::stay here;
        add(5);
        members.wait();
      },
      [&] { work(on); });
  other.join();
  members.wait();
  return in_order(cells);
}

// A fiber that has waited adds again, and takes back what it added, while another thread waits.
std::uint64_t second_waiter(explorer& on) {
  std::array<std::uint64_t, 4> cells{};
  takt::task_group members(some_bound(on));
  const auto add = [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
  };
  const auto wait = [&] { members.wait(); };
  std::optional<outside_thread<decltype(wait)>> other;
  takt::fork_join(
      [&] {
        add(0);
        members.wait();
        other.emplace(on, wait);
        takt::fork_join([&] { add(1); }, [&] { work(on); });
        add(2);
      },
      [&] { work(on); });
  other->join();
  add(3);
  members.wait();
  return in_order(cells);
}

// A group that is made in a call: its maker adds, and another fiber waits meanwhile, and adds as well.
std::uint64_t made_in_a_call(explorer& on) {
  std::array<std::uint64_t, 8> cells{};
  const auto in_a_call = [&] {
    takt::task_group members(some_bound(on));
    const auto add = [&](std::size_t c) {
      members.run([&, c] {
        work(on);
        cells[c] += mix(c, 3);
      });
    };
    takt::fork_join(
        [&] {
          for (std::size_t c = 0; c < 5; ++c) {
            add(c);
            work(on);
          }
        },
        [&] {
          members.wait();
          add(5);
          add(6);
          members.wait();
        });
    add(7);
    members.wait();
  };
  takt::fork_join(in_a_call, [&] { work(on); });
  return in_order(cells);
}

// Two threads outside fill a group beyond what may wait, and run what is too much, while a third one waits: for all that
// was there when it began. Children add children.
std::uint64_t bounded(explorer& on) {
  std::array<std::uint64_t, 14> cells{};
  std::atomic<std::size_t> added{0};
  bool all_waited_for = true;
  takt::task_group members(takt::at_most(3));
  const auto add = [&](std::size_t c) {
    members.run([&, c] {
      work(on);
      cells[c] += mix(c, 3);
    });
  };
  outside_thread other(on, [&] {
    for (std::size_t c = 0; c < 5; ++c) {
      add(c);
      added.store(c + 1, std::memory_order_release);
    }
    members.run([&] {
      add(5);
      work(on);
      add(6);
    });
  });
  outside_thread waiting(on, [&] {
    const std::size_t there = added.load(std::memory_order_acquire);
    members.wait();
    for (std::size_t c = 0; c < there; ++c) all_waited_for = all_waited_for && cells[c] != 0;
  });
  for (std::size_t c = 7; c < 14; ++c) add(c);
  other.join();
  waiting.join();
  members.wait();
  return all_waited_for ? in_order(cells) : 0;
}

// --- threads ---------------------------------------------------------------------------------------------------

std::uint64_t adoption(explorer& on) {
  std::array<std::uint64_t, 4> cells{};
  outside_thread second(on, [&] {
    cells[1] = tree(on, 2, 1);
    work(on, 3);
    cells[2] = tree(on, 1, 1);
  });
  outside_thread third(on, [&] { cells[3] = loop(on); });
  cells[0] = tree(on, 2, 1);
  second.join();
  third.join();
  return in_order(cells);
}

std::uint64_t serial_adoption() {
  return in_order(
      std::array<std::uint64_t, 4>{serial_tree(2, 1), serial_tree(2, 1), serial_tree(1, 1), serial_cells<9>()});
}

// Calls with serial stretches in between, in which everybody falls asleep.
std::uint64_t sleep(explorer& on) {
  std::uint64_t value = 0;
  for (unsigned call = 0; call < 3; ++call) {
    value = mix(value, tree(on, 2, call));
    on.pass_time(500);
    work(on, 40);
  }
  return value;
}

std::uint64_t serial_sleep() {
  std::uint64_t value = 0;
  for (unsigned call = 0; call < 3; ++call) value = mix(value, serial_tree(2, call));
  return value;
}

// Long leaves in front of latent frames: without a signal they would run one after the other.
std::uint64_t leaf(explorer& on, std::uint64_t number) {
  const std::uint64_t steps = 1 + on.chosen_below(40);
  for (std::uint64_t i = 0; i < steps; ++i) {
    on.point(source::current());
    on.pass_time(3);
  }
  return mix(number, 5);
}

std::uint64_t silent_forks(explorer& on) {
  const short_of_memory scarce(on);
  std::uint64_t value = 0;
  for (unsigned round = 0; round < 4; ++round) {
    const auto [first, last] = takt::fork_join(
        [&] {
          const auto [inner, third] = takt::fork_join(
              [&] {
                const auto [a, b] = takt::fork_join([&] { return leaf(on, 1); }, [&] { return leaf(on, 2); });
                return mix(a, b);
              },
              [&] { return leaf(on, 3); });
          return mix(inner, third);
        },
        [&] { return mix(4, 5); });
    value = mix(value, mix(first, last));
  }
  return value;
}

std::uint64_t serial_silent_forks() {
  const std::uint64_t inner = mix(mix(mix(1, 5), mix(2, 5)), mix(3, 5));
  const std::uint64_t round = mix(inner, mix(4, 5));
  return mix(mix(mix(mix(0, round), round), round), round);
}

// The same for a loop that is known to nest, whose iterations are claimed one by one.
std::uint64_t silent_loop(explorer& on) {
  const short_of_memory scarce(on);
  std::array<std::uint64_t, 6> cells{};
  for (unsigned round = 0; round < 2; ++round) {
    cells = {};
    takt::parallel_for(std::size_t{0}, cells.size(), [&](std::size_t i) {
      if (i == 0) tree(on, 1, 1);
      leaf(on, i);
      cells[i] += mix(i, 3);
    });
  }
  return in_order(cells);
}

// The runtime is replaced, right after a call.
std::uint64_t restart(explorer& on) {
  std::uint64_t value = tree(on, 2, 1);
  takt::config c = takt::current_config();
  c.workers = 1 + static_cast<unsigned>(on.chosen_below(3));
  takt::configure(c);
  return mix(value, tree(on, 2, 2));
}

// --- random programs -------------------------------------------------------------------------------------------

struct small_program {
  takt_test::node what;
  takt_test::outcome expected;
};

const std::vector<small_program>& small_programs() {
  static const std::vector<small_program> all = [] {
    std::vector<small_program> found;
    for (std::uint64_t seed = 1; found.size() < 300; ++seed) {
      takt_test::node n = takt_test::make_program(seed);
      const takt_test::outcome o = run_serial(n);
      if (o.executed >= 5 && o.executed <= 40) found.push_back({std::move(n), o});
    }
    return found;
  }();
  return all;
}

std::uint64_t random_program(explorer& on) {
  const small_program& p = small_programs()[on.chosen_below(small_programs().size())];
  return run_takt(p.what) == p.expected ? 1 : 0;
}

std::uint64_t random_program_with_policies(explorer& on) {
  takt_test::scopes_of_policies = true;
  const std::uint64_t value = random_program(on);
  takt_test::scopes_of_policies = false;
  return value;
}

std::uint64_t random_program_with_memory(explorer& on) {
  choose_memory(on);
  const std::uint64_t value = random_program(on);
  return mix(value, nothing_is_held());
}

}  // namespace

const std::vector<program>& programs() {
  static const std::vector<program> all{
      {"one_fork", &forks<1>, serial_tree(1, 1)},
      {"forks", &forks<3>, serial_tree(3, 1)},
      {"loop", &loop, serial_cells<9>()},
      {"nested_loops", &nested_loops, serial_cells<12>()},
      {"reduction", &reduction, serial_reduction(10)},
      {"silent_forks", &silent_forks, serial_silent_forks()},
      {"silent_loop", &silent_loop, serial_cells<6>()},
      {"errors", &errors, serial_errors()},
      {"offers", &offers, serial_offers(), nullptr, "a loop that was offered in many parts"},
      {"group", &group, serial_cells<6>()},
      {"group_in_forks", &group_in_forks, serial_cells<6>()},
      {"children_of_children", &children_of_children, serial_cells<12>()},
      {"orphans", &orphans, serial_cells<4>()},
      {"stays", &stays, serial_cells<6>()},
      {"stays_among_strangers", &stays_among_strangers, serial_cells<6>()},
      {"policies", &policies, mix(serial_tree(2, 1), serial_cells<6>())},
      {"ties", &ties, mix(serial_tree(3, 1), serial_tree(1, 5))},
      {"policies_under_a_lock", &policies_under_a_lock, serial_cells<4>()},
      {"forks_under_a_lock", &forks_under_a_lock, serial_cells<4>()},
      {"groups_under_a_lock", &groups_under_a_lock, serial_cells<4>()},
      {"strangers", &strangers, serial_cells<6>()},
      {"second_waiter", &second_waiter, serial_cells<4>()},
      {"made_in_a_call", &made_in_a_call, serial_cells<8>()},
      {"bounded", &bounded, serial_cells<14>()},
      {"spawns", &spawns, serial_cells<8>()},
      {"spawns_alone", &spawns_alone, serial_cells<4>()},
      {"adoption", &adoption, serial_adoption()},
      {"sleep", &sleep, serial_sleep()},
      {"restart", &restart, mix(serial_tree(2, 1), serial_tree(2, 2))},
      {"memory_in_loop", &memory_in_loop, mix(serial_cells<6>(), 1)},
      {"memory_in_forks", &memory_in_forks, mix(serial_tree(3, 1), 1)},
      {"memory_in_group", &memory_in_group, mix(serial_cells<6>(), 1)},
      {"memory_in_two_calls", &memory_in_two_calls, mix(mix(serial_tree(2, 2), serial_tree(2, 1)), 1)},
      {"all_block", &all_block, serial_cells<3>()},
      {"blocked_by_a_lock", &blocked_by_a_lock, serial_cells<6>()},
      {"parts", &parts, serial_cells<16>()},
      {"crowded_part", &crowded_part, serial_cells<8>()},
      {"numbers", &numbers, serial_cells<9>()},
      {"block_again", &block_again, serial_cells<6>()},
      {"team", &team, serial_cells<6>()},
      {"kept_teams", &kept_teams, serial_cells<18>()},
      {"crowded_teams", &crowded_teams, serial_cells<18>()},
      {"stops", &stops, mix(serial_tree(1, 1), 0)},
      {"cancels", &cancels, mix(1, 1)},
      {"stopped_searches", &stopped_searches, 1},
      {"failed_searches", &failed_searches, 3},
      {"random_with_memory", &random_program_with_memory, mix(1, 1), [] { (void)small_programs(); }},
      {"random", &random_program, 1, [] { (void)small_programs(); }},
      {"random_with_policies", &random_program_with_policies, 1, [] { (void)small_programs(); }},
      {"free_loops", &free_loops, serial_free_loops(), nullptr, "a loop that ran free"},
      {"free_forks", &free_forks, serial_free_forks(), nullptr, "a fork that ran free"},
      {"groups_in_free_code", &groups_in_free_code, serial_cells<16>(), nullptr,
       "a child that was added in a free fork"},
      {"converted_loop", &converted_loop, serial_converted_loop(), nullptr, "a converted loop in several slices"},
      {"converted_one_by_one", &converted_one_by_one, serial_converted_loop(), nullptr,
       "a converted loop in several slices"},
      {"converted_pool", &converted_pool, serial_converted_pool(), nullptr, "a converted loop in several slices"},
      {"converted_nest", &converted_nest, serial_converted_nest(), nullptr, "a converted nest in several slices"},
      {"converted_among_others", &converted_among_others, serial_converted_among_others(), nullptr,
       "a converted loop in several slices"},
  };
  return all;
}

const program* find_program(const char* name) {
  for (const program& p : programs()) {
    if (std::strcmp(p.name, name) == 0) return &p;
  }
  return nullptr;
}

}  // namespace takt_explore
