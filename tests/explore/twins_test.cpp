// Each bug planted is found within 40,000 schedules of one program; otherwise the explorations would show nothing.
#include "explore/harness.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace {

using namespace takt_explore;
using takt::sync::access;
using takt::sync::effect;
using takt::sync::planted_bug;

constexpr std::uint64_t k_schedules = 40'000;

struct twin {
  const char* name;
  const char* program;
  planted_bug bug;
};

constexpr twin k_twins[] = {
    // Of single accesses to what threads share.
    {"wake_up_lost", "sleep", {"explorer::unpark(", effect::lost, access::store}},
    {"sleeper_not_counted", "sleep", {"::announce(", effect::lost}},
    {"sleepers_lock_torn", "adoption", {"spin_lock::lock(", effect::torn}},
    {"end_of_call_lost", "forks", {"root_finished(", effect::lost, access::store}},
    {"early_join", "forks", {"join_word::children_done(", effect::returns, access::load, 1}},
    {"double_resume", "forks", {"join_word::finish(", effect::returns, access::rmw, 1}},
    {"nobody_resumes", "forks", {"join_word::arrive(", effect::torn}},
    {"stolen_twice", "forks", {"chase_lev::steal(", effect::torn}},
    {"stolen_and_popped", "forks", {"chase_lev::pop(", effect::torn}},
    {"pop_ignores_thieves", "forks", {"chase_lev::pop(", effect::returns, access::load, 0}},
    {"child_not_counted", "orphans", {"join_word::add(", effect::torn}},
    {"injected_not_counted", "orphans", {"::put(", effect::lost}},
    {"handed_over_not_counted", "second_waiter", {"runtime::hand_over(", effect::lost}},
    {"waits_in_place_for_ever", "stays", {"fiber_join::release(", effect::lost, access::store}},
    {"a_held_thread_runs_nothing", "stays_among_strangers", {"a held thread runs nothing", effect::mistake}},
    {"given_twice", "forks", {"mixed_deque::steal", effect::torn}},
    {"answer_lost", "forks", {"private_deque::serve", effect::lost, access::store}},
    {"asked_twice", "forks", {"private_deque::ask(", effect::torn}},
    {"fiber_pool_lock_torn", "strangers", {"spin_lock::lock(", effect::torn}},
    // Of planted copies: planted.cmake.
    {"stale_split", "forks", {"stale split", effect::mistake}},
    {"split_stays_behind", "forks", {"split stays behind", effect::mistake}},
    {"sleeps_without_a_second_look", "sleep", {"sleeps without a second look", effect::mistake}},
    {"runs_what_may_want_the_lock", "groups_under_a_lock", {"runs what may want the lock", effect::mistake}},
    {"room_stays_taken", "ties", {"room stays taken", effect::mistake}},
    {"room_comes_back_twice", "ties", {"room comes back twice", effect::mistake}},
    {"forgets_who_sleeps", "memory_in_forks", {"forgets who sleeps", effect::mistake}},
    {"nobody_wakes_who_waits_for_the_budget",
     "memory_in_forks",
     {"nobody wakes who waits for the budget", effect::mistake}},
    {"does_not_count_what_is_given", "memory_in_loop", {"does not count what is given", effect::mistake}},
    {"counts_twice", "memory_in_loop", {"counts twice", effect::mistake}},
    {"does_not_count_who_waits_in_place", "memory_in_forks", {"does not count who waits in place", effect::mistake}},
    {"a_round_too_few", "memory_in_loop", {"a round too few", effect::mistake}},
    {"drops_who_has_left_its_stack", "memory_in_forks", {"drops who has left its stack", effect::mistake}},
    {"forgets_who_is_ready", "memory_in_forks", {"forgets who is ready", effect::mistake}},
    {"sleeps_for_ever", "memory_in_loop", {"sleeps for ever", effect::mistake}},
    {"not_begun_not_counted", "memory_in_forks", {"ready_tasks::put", effect::lost}},
    {"leaves_the_token", "sleep", {"leaves the token", effect::mistake}},
    {"does_not_wait", "forks", {"does not wait", effect::mistake}},
    {"does_not_reopen", "group", {"does not reopen", effect::mistake}},
    {"nobody_resumes_another_waiter", "spawns", {"nobody resumes another waiter", effect::mistake}},
    {"wakes_nobody_for_what_is_spawned", "spawns_alone", {"wakes nobody for what is spawned", effect::mistake}},
    {"does_not_look_for_what_is_spawned", "spawns_alone", {"does not look for what is spawned", effect::mistake}},
    {"leaves_a_seat_to_nobody", "spawns_alone", {"leaves a seat to nobody", effect::mistake}},
    {"counts_what_it_saw_first", "made_in_a_call", {"counts what it saw first", effect::mistake}},
    {"leaves_what_it_keeps", "children_of_children", {"leaves what it keeps", effect::mistake}},
    {"waits_once", "children_of_children", {"waits once", effect::mistake}},
    {"compares_before_the_pop", "silent_forks", {"compares before the pop", effect::mistake}},
    {"reads_the_bound_first", "silent_loop", {"reads the bound first", effect::mistake}},
    {"later_error_first", "errors", {"later error first", effect::mistake}},
    {"two_take_one_part", "offers", {"open_parts<What>::take(", effect::torn}},
    {"the_rest_is_not_counted", "offers", {"the rest is not counted", effect::mistake}},
    {"wrong_reduction_order", "reduction", {"wrong reduction order", effect::mistake}},
    {"a_signal_leaves_loops_free", "free_loops", {"a signal leaves loops free", effect::mistake}},
    {"a_signal_leaves_the_band", "free_forks", {"a signal leaves the band", effect::mistake}},
    {"child_not_counted_in_free_code", "groups_in_free_code", {"join_word::add(", effect::torn}},
    {"combines_in_the_wrong_order", "converted_loop", {"combines in the wrong order", effect::mistake}},
    {"two_slices_run_the_last_iteration", "converted_loop", {"two slices run the last iteration", effect::mistake}},
    {"claims_in_place_by_an_old_bound", "converted_nest", {"claims in place by an old bound", effect::mistake}},
    {"combines_who_took_no_part", "converted_pool", {"combines who took no part", effect::mistake}},
    {"nobody_comes_for_the_seat", "all_block", {"nobody comes for the seat", effect::mistake}},
    {"keeps_what_is_latent", "all_block", {"keeps what is latent", effect::mistake}},
    {"away_is_not_counted", "all_block", {"runtime::counts_away(", effect::lost}},
    {"one_worker_tells_nobody", "block_again", {"one worker tells nobody", effect::mistake}},
    {"waits_for_who_has_no_worker", "team", {"waits for who has no worker", effect::mistake}},
    {"a_member_s_thread_is_not_woken", "team", {"does not wake a member's thread", effect::mistake}},
    {"sleeps_with_a_member_that_is_ready", "kept_teams", {"sleeps with a member that is ready", effect::mistake}},
    {"ends_with_members", "kept_teams", {"ends with members", effect::mistake}},
    {"member_not_counted", "kept_teams", {"bound_fibers::put(", effect::lost}},
    {"forgets_who_had_taken_it_over", "crowded_teams", {"forgets who had taken it over", effect::mistake}},
    {"nobody_is_stuck", "crowded_teams", {"bound_fibers::look_for_stuck(", effect::lost, access::store}},
    {"a_full_part_lets_in", "crowded_part", {"a full part lets in", effect::mistake}},
    {"two_take_one_place", "crowded_part", {"scope_table::enter(", effect::torn}},
    {"a_wish_is_overlooked", "numbers", {"a wish is overlooked", effect::mistake}},
    {"waits_for_a_seat_without_a_second_look", "numbers", {"waits without a second look", effect::mistake}},
    {"a_task_inherits_no_stop", "stops", {"a task inherits no stop", effect::mistake}},
    {"a_stop_is_not_told", "stops", {"tell_stop(", effect::lost}},
    {"claims_what_was_claimed", "converted_pool", {"claim(takt::core::iteration_pool", effect::torn}},
    {"combines_in_the_wrong_order_among_others",
     "converted_among_others",
     {"combines in the wrong order", effect::mistake}},
};

class twins : public testing::TestWithParam<twin> {};

TEST_P(twins, are_found) {
  const twin& t = GetParam();
  const program& p = *find_program(t.program);
  const outcome o = explore(p, 1, k_schedules, &t.bug);
  ASSERT_NE(o.how, result::held) << "not found in " << o.schedules << " schedules of " << t.program;
  const outcome shorter = shorten(p, o, &t.bug);
  std::printf("found in schedule %llu: %s; %zu decisions, %zu after shortening\n",
              static_cast<unsigned long long>(o.schedules), name_of(o.how), o.decisions.size(),
              shorter.decisions.size());
  EXPECT_EQ(shorter.how, o.how);
  EXPECT_LE(shorter.decisions.size(), o.decisions.size());
}

std::string name_of_case(const testing::TestParamInfo<twin>& t) { return t.param.name; }
INSTANTIATE_TEST_SUITE_P(planted, twins, testing::ValuesIn(k_twins), name_of_case);

}  // namespace
