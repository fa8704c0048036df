// What takt scale makes of the reports.
#include "tools/scale_result.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tools/tests/scale_reports.hpp"

namespace takt::tools {
namespace {

TEST(scale_result, bounds_and_medians) {
  scale_runs runs = runs_of(8, 0.5, {1, 4, 64});
  runs.work = series(1, {9, 8, 7.5});
  runs.one_worker = series(1, {8.8, 8.4, 10});
  runs.span = series(1024, {0.4, 0.6, 0.5});
  runs.predicted[1].reports = {report(2.5, 8, 100, 7), report(2.4, 8, 90, 9),
                               report(4.0, 8, 300, 8)};
  const scale_result result = evaluate(runs);
  EXPECT_DOUBLE_EQ(result.work_s.middle, 8);
  EXPECT_DOUBLE_EQ(result.work_s.least, 7.5);
  EXPECT_DOUBLE_EQ(result.work_s.most, 9);
  EXPECT_DOUBLE_EQ(result.one_worker_s.middle, 8.8);
  EXPECT_DOUBLE_EQ(result.span_s.middle, 0.5);
  EXPECT_DOUBLE_EQ(result.parallelism, 16);
  EXPECT_NEAR(result.before_s, 0.01, 1e-12);
  EXPECT_NEAR(result.between_s, 0.005, 1e-12);
  ASSERT_EQ(result.rows.size(), 3U);
  const scale_row& four = result.rows[1];
  EXPECT_EQ(four.workers, 4U);
  EXPECT_DOUBLE_EQ(four.in_calls_s.middle, 2.5);
  EXPECT_DOUBLE_EQ(four.in_calls_s.least, 2.4);
  EXPECT_DOUBLE_EQ(four.in_calls_s.most, 4.0);
  EXPECT_DOUBLE_EQ(four.speedup, 3.2);
  EXPECT_DOUBLE_EQ(four.upper_bound, 4);
  EXPECT_DOUBLE_EQ(four.brent_bound, 3.2);  // 8 / (2 + 0.5)
  EXPECT_NEAR(four.whole_speedup, 8.015 / 2.515, 1e-12);
  EXPECT_DOUBLE_EQ(four.promotions, 100);
  EXPECT_DOUBLE_EQ(four.steals, 8);
  // 8 s of work in 4 * 2.5 s, 4 * 2.4 s and 4 * 4 s.
  EXPECT_NEAR(four.idle, 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(result.rows[2].upper_bound, 16);
}

TEST(scale_result, an_even_number_of_runs_has_the_mean_of_two) {
  scale_runs runs = runs_of(8, 0.5, {2});
  runs.predicted[0] = series(2, {4, 1, 6, 5});
  EXPECT_DOUBLE_EQ(evaluate(runs).rows[0].in_calls_s.middle, 4.5);
}

TEST(scale_result, in_made_up_time_the_work_is_what_the_programs_code_takes) {
  scale_runs runs = runs_of(8, 0.5, {2});
  runs.deterministic = true;
  runs.work.reports.front().program_s = 7;
  runs.work.reports.front().trigger = "lazy";
  const scale_result result = evaluate(runs);
  EXPECT_DOUBLE_EQ(result.work_s.middle, 7);
  EXPECT_DOUBLE_EQ(result.rows[0].speedup, 7 / 4.5);
  EXPECT_TRUE(result.notes.empty());
}

TEST(scale_result, idle_is_a_share) {
  scale_runs runs = runs_of(8, 0.5, {2, 4});
  // More working time than there was: the clock of one worker was read later than another's.
  runs.predicted[0].reports = {report(4, 8.1)};
  runs.predicted[1].reports = {report(4, 0)};
  const scale_result result = evaluate(runs);
  EXPECT_DOUBLE_EQ(result.rows[0].idle, 0);
  EXPECT_DOUBLE_EQ(result.rows[1].idle, 1);
}

void expect_advice(const scale_runs& runs, const std::string& wanted) {
  const std::string advice = evaluate(runs).advice;
  EXPECT_EQ(advice.substr(0, wanted.size()), wanted);
  EXPECT_EQ(advice.find('\n'), std::string::npos);
}

TEST(scale_result, misses_are_shown_where_something_is_touched) {
  scale_runs runs = runs_of(1, 0.001, {1, 2});
  runs.machine.caches = {{1, 32768, 1}, {3, 1 << 20, 2}};
  EXPECT_EQ(to_text(runs, evaluate(runs)).find("misses"), std::string::npos);
  for (run_series& series : runs.predicted) {
    series.reports = {report(1), report(1), report(1)};
    double missed = 100;
    for (sim_report& one : series.reports) {
      one.touched = 1000;
      one.misses = {missed * series.workers, missed / 10};
      missed *= 2;
    }
  }
  const scale_result result = evaluate(runs);
  EXPECT_EQ(result.rows[0].misses, (std::vector<double>{200, 20}));
  EXPECT_EQ(result.rows[1].misses, (std::vector<double>{400, 20}));
  const std::string text = to_text(runs, result);
  EXPECT_NE(text.find("L1 misses  L3 misses"), std::string::npos) << text;
  EXPECT_EQ(to_json(runs, result).at("rows").at(1).at("cache_misses"),
            (std::vector<double>{400, 20}));
}

TEST(scale_result, caches_are_passed_on_and_read) {
  simulated_run run{.workers = 2};
  run.caches = {{1, 32768, 1}, {2, 1 << 20, 2}};
  EXPECT_NE(takt_sim_value(run, "x").find(",caches=32768:1+1048576:2,out=x"), std::string::npos);
  const std::string text = R"({"takt_sim": 1, "workers": 2, "seconds_before": 0, "seconds": 2,
    "seconds_in_calls": 1, "calls": 1, "caches": [
      {"level": 1, "hits": 70, "misses": 30, "misses_per_worker": [10, 20]},
      {"level": 2, "hits": 20, "misses": 10, "misses_per_worker": [5, 5]}],
    "stats": {"workers": 2, "trigger": "beat", "total": {"promotions_forks": 0,
      "promotions_loops": 0, "promotions_groups": 0, "steals_done": 0, "working_s": 1}}})";
  const sim_report got = to_report(text, 2);
  EXPECT_EQ(got.misses, (std::vector<double>{30, 10}));
  EXPECT_EQ(got.touched, 100);
}

TEST(scale_result, memory_takes_time_if_the_run_says_so) {
  simulated_run run;
  run.workers = 2;
  run.caches = {{1, 32768, 1, 1.2, 0}, {2, 1048576, 2, 20, 250.5}};
  EXPECT_NE(takt_sim_value(run, "x").find(",caches=32768:1+1048576:2,out=x"), std::string::npos);
  run.memory = machine_memory{.local_ns = 80, .remote_ns = 140, .gb_per_s = 105};
  run.cores_per_node = 2;
  run.grain = 1024;
  EXPECT_NE(takt_sim_value(run, "x").find(
                ",caches=32768:1:1.200+1048576:2:20.000:250.500,"
                "memory=80.000:140.000:105.000:2,in_flight=10,pages=first_touch,grain=1024,out=x"),
            std::string::npos);
  run.interleaved = true;
  run.deterministic = true;
  run.iteration_ns = 7;
  run.work_ns = 2.5;
  EXPECT_NE(takt_sim_value(run, "x").find("pages=interleave,grain=1024,deterministic=1,iteration_ns=7,work_ns=2.500,out=x"),
            std::string::npos);
  const sim_report got = to_report(
      R"({"takt_sim": 1, "workers": 2, "seconds_before": 0, "seconds": 2, "seconds_in_calls": 1, "program_s": 1.5,
    "calls": 1, "memory": {"local_lines": 3, "remote_lines": 4, "seconds": 0.5, "queued_s": 0.25},
    "stats": {"workers": 2, "trigger": "beat", "total": {"promotions_forks": 0,
      "promotions_loops": 0, "promotions_groups": 0, "steals_done": 0, "working_s": 1}}})",
      2);
  EXPECT_EQ(got.program_s, 1.5);
  EXPECT_EQ(got.memory_s, 0.5);
  EXPECT_EQ(got.queued_s, 0.25);
  EXPECT_EQ(got.local_lines, 3);
  EXPECT_EQ(got.remote_lines, 4);
}

TEST(scale_result, no_span_is_longer_than_the_work) {
  const scale_runs runs = runs_of(0.001, 0.005, {1, 2});
  const scale_result result = evaluate(runs);
  EXPECT_EQ(result.parallelism, 1);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("too short"), std::string::npos);
}

TEST(scale_result, the_span_is_put_down_to_code) {
  scale_runs runs = runs_of(1, 0.1, {1, 2});
  EXPECT_TRUE(evaluate(runs).span_parts.empty());
  runs.span = series(1024, {0.3, 0.1, 0.2});
  runs.span.reports[2].sites = {{"./program", 16, "", 0.15, 0.5}, {"", 0, "", 0.001, 0.001}};
  scale_result result = evaluate(runs);
  ASSERT_EQ(result.span_parts.size(), 1U);
  EXPECT_DOUBLE_EQ(result.span_parts[0].share, 0.75);
  result.span_parts[0].place = "mesh.cpp:7, refine()";
  const std::string line = "75% of the span, 500.00 ms of work: mesh.cpp:7, refine()";
  EXPECT_NE(to_text(runs, result).find(line), std::string::npos) << to_text(runs, result);
  EXPECT_NE(to_html(runs, result).find(line), std::string::npos);
  EXPECT_EQ(to_json(runs, result).at("span_parts").at(0).at("place"), "mesh.cpp:7, refine()");
}

TEST(scale_sites, a_name_is_the_programs_own) {
  EXPECT_EQ(own_part("void takt::detail::run_right<fib(int)::{lambda()#2}, long>"
                     "(takt::abi::slot*)"),
            "fib(int)::{lambda()#2}");
  EXPECT_EQ(own_part("void takt::detail::run_half<takt::detail::for_operations<unsigned long, "
                     "main::{lambda(unsigned long)#1}> >(takt::abi::slot*)"),
            "main::{lambda(unsigned long)#1}");
  EXPECT_EQ(own_part("void f<a::b<int, char>::g(int, long)::{lambda(int)#3}>(x)"),
            "a::b<int, char>::g(int, long)::{lambda(int)#3}");
  EXPECT_EQ(own_part("plain(int)"), "plain(int)");
  EXPECT_EQ(own_part("cut {lambda(int"), "{lambda(int");
}

TEST(scale_sites, what_cannot_be_read_is_an_address) {
  EXPECT_EQ(place_of({}), "outside of forks and loops");
  EXPECT_EQ(place_of({"/no/such/file's", 0x1f40, "", 1, 1}), "/no/such/file's+0x1f40");
  EXPECT_EQ(place_of({"/no/such/file", 16, "known(int)", 1, 1}), "known(int)");
}

// What runs on for long may hide any parallelism: nothing is said then of a program that has none.
TEST(scale_result, what_could_not_be_seen_is_not_taken_for_a_chain) {
  scale_runs runs = runs_of(8, 8, {1, 16});
  runs.span.reports.front().silent_s = 3;
  expect_advice(runs, "The span limits from P = 16 on: the parallelism is 1.0,");
  EXPECT_EQ(evaluate(runs).notes.size(), 1u);
  runs.span.reports.front().silent_s = 6;
  expect_advice(runs, "There may be more parallelism than the 1.0 that could be seen: for 75% of the span");
  EXPECT_TRUE(evaluate(runs).notes.empty());
  EXPECT_DOUBLE_EQ(to_json(runs, evaluate(runs)).at("silent_share").get<double>(), 0.75);
}

TEST(scale_result, advice_names_what_limits) {
  expect_advice(runs_of(8, 0.5, {1}), "One worker says nothing");
  expect_advice(runs_of(8, 0.01, {1, 4, 16}), "It scales: ");
  // The parallelism is exactly 16.
  expect_advice(runs_of(8, 0.5, {1, 8, 16, 32, 64}),
                "The span limits from P = 32 on: the parallelism is 16.0,");
  expect_advice(runs_of(8, 0.25, {1, 8, 16}),
                "From P = 16 on less than 75% of the ideal is reached: the parallelism of 32.0 is "
                "too close");
  expect_advice(runs_of(8, 0.01, {1, 8, 16}, 1.6),
                "From P = 1 on less than 75% of the ideal is reached: one worker takes 1.60 times");

  scale_runs serial = runs_of(8, 0.001, {1, 2, 4, 8});
  for (run_series& one : serial.predicted) {
    one.reports.front().before_s = 2.1;
  }
  expect_advice(serial,
                "The serial parts dominate: from P = 4 on the 2.105 s outside parallel calls are "
                "at least half of the time, and the whole program gets at most 4.8 times");

  scale_runs costly = runs_of(8, 0.01, {1, 8, 16});
  costly.predicted[2] = series(16, {1.0});
  expect_advice(costly,
                "From P = 16 on less than 75% of the ideal is reached, although the parallelism "
                "of 800 allows more");
  costly.machine.costs.wake = 5000;
  costly.work.reports.front().calls = 20000;
  expect_advice(costly,
                "From P = 16 on less than 75% of the ideal is reached: the parallel calls are "
                "short, 50.00 us each with P = 16 where waking a worker takes 5.00 us");
}

TEST(scale_result, notes_say_what_to_doubt) {
  EXPECT_TRUE(evaluate(runs_of(8, 0.5, {1, 4})).notes.empty());
  scale_runs runs = runs_of(8, 0.01, {1, 4});
  runs.work = series(1, {7, 9});
  const scale_result result = evaluate(runs);
  ASSERT_EQ(result.notes.size(), 3U);
  EXPECT_NE(result.notes[0].find("found with 1024 workers"), std::string::npos);
  EXPECT_NE(result.notes[1].find("sets the trigger itself ('beat')"), std::string::npos);
  EXPECT_NE(result.notes[2].find("differ by 1.29 times"), std::string::npos);
}

TEST(scale_result, text_has_a_line_for_every_number_of_workers) {
  const scale_runs runs = runs_of(8, 0.5, {1, 4, 64});
  const std::string text = to_text(runs, evaluate(runs));
  EXPECT_NE(text.find("\nparallelism  16.0, work / span\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      4        2.500 s    2.500 s    2.500 s      3.20     4.00   3.20     "
                      "3.19           0       0  100.0%\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace takt::tools
