// The page of takt bench --report: what its tables say, and that it is well-formed.
#include "tools/bench_report.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <gtest/gtest.h>

#include "tests/report_rows.hpp"
#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

using boost::property_tree::ptree;
using nlohmann::json;

ptree parsed(const std::string& page) {
  std::istringstream stream(page);
  ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

// All elements of this name, in the order of the page.
void collect(const ptree& tree, const std::string& name, std::vector<const ptree*>& found) {
  for (const auto& [child_name, child] : tree) {
    if (child_name == name) {
      found.push_back(&child);
    }
    collect(child, name, found);
  }
}

std::vector<const ptree*> all(const ptree& tree, const std::string& name) {
  std::vector<const ptree*> found;
  collect(tree, name, found);
  return found;
}

std::vector<const ptree*> tables_of(const ptree& page, const std::string& kind) {
  std::vector<const ptree*> found;
  for (const ptree* table : all(page, "table")) {
    if (table->get<std::string>("<xmlattr>.class") == kind) {
      found.push_back(table);
    }
  }
  return found;
}

std::vector<std::string> cells(const ptree& row) {
  std::vector<std::string> texts;
  for (const ptree* cell : all(row, "td")) {
    texts.push_back(cell->data());
  }
  return texts;
}

const char* const k_dash = "\xE2\x80\x93";

TEST(bench_report, figure_8_is_as_the_paper_defines_it) {
  const auto tables = figure8(paper_rows());
  ASSERT_EQ(tables.size(), 2U);  // against tbb and against omp
  EXPECT_EQ(tables[0].baseline, "tbb");
  EXPECT_EQ(tables[0].workers, 2U);
  ASSERT_EQ(tables[0].rows.size(), 2U);
  const figure8_row& sort = tables[0].rows[0];
  EXPECT_EQ(sort.problem, "sort");
  EXPECT_DOUBLE_EQ(sort.base_elision_s.value(), 2.0);
  EXPECT_NEAR(sort.takt_elision.value(), 0.10, 1e-12);    // 2.2 to 2.0
  EXPECT_NEAR(sort.base_one_core.value(), 0.50, 1e-12);   // 3.0 to 2.0
  EXPECT_NEAR(sort.takt_one_core.value(), 0.05, 1e-12);   // 2.31 to 2.2, not to 2.0
  EXPECT_DOUBLE_EQ(sort.base_all_cores_s.value(), 1.6);
  EXPECT_NEAR(sort.takt_all_cores.value(), -0.25, 1e-12);  // 1.2 to 1.6
  EXPECT_FALSE(sort.idle);                                 // oneTBB has none
  EXPECT_NEAR(sort.tasks.value(), -0.9, 1e-12);            // 100 to 1000

  // The fastest schedule is the baseline, with its idle time.
  EXPECT_EQ(tables[1].baseline, "omp");
  EXPECT_DOUBLE_EQ(tables[1].rows[1].base_all_cores_s.value(), 0.5);
  EXPECT_NEAR(tables[1].rows[1].idle.value(), 1.0, 1e-12);  // 0.2 to 0.1
}

// The tables of the paper whose programs these are.
TEST(bench_report, the_programs_of_baggage_have_their_figures) {
  std::vector<report_row> rows = paper_rows();
  for (const auto& [system, workers, seconds] :
       {std::tuple("serial", 1U, 1.0), std::tuple("takt-calls", 1U, 1.25), std::tuple("takt-slots", 1U, 1.5),
        std::tuple("takt-polls", 1U, 1.75), std::tuple("takt", 1U, 1.125), std::tuple("takt", 4U, 0.3),
        std::tuple("takt", 2U, 0.6), std::tuple("tbb", 2U, 8.0), std::tuple("java", 4U, 2.0)}) {
    rows.push_back(timed_row("baggage_fib", system, workers, seconds, 1.0));
    if (std::string(system) == "takt") {
      rows.back().tasks = workers * 10;
      rows.back().steals = workers;
    }
  }
  rows[rows.size() - 2].tasks = 1000;
  rows.back().steals = 50;
  rows.back().compiler = "java";
  const ptree page = parsed(to_html({{"results.json", rows, {}}}));
  ASSERT_EQ(tables_of(page, "figure4").size(), 1U);
  EXPECT_EQ(cells(*tables_of(page, "figure4")[0]),
            (std::vector<std::string>{"baggage_fib / n=10", "1.250", "1.500", "1.750", "1.125"}));
  ASSERT_EQ(tables_of(page, "figure5").size(), 1U);
  EXPECT_EQ(cells(*tables_of(page, "figure5")[0]),
            (std::vector<std::string>{"baggage_fib / n=10", "4", "1000", "40", "4", "0.04", "0.004", "0.05"}));
  // A wrong answer has no time.
  for (report_row& row : rows) {
    row.ok = row.system != "takt-calls" && row.system != "takt";
  }
  const ptree wrong = parsed(to_html({{"results.json", rows, {}}}));
  EXPECT_TRUE(tables_of(wrong, "figure4").empty());
  EXPECT_TRUE(tables_of(wrong, "figure5").empty());
  EXPECT_TRUE(tables_of(parsed(to_html({paper_set()})), "figure4").empty());
}

TEST(bench_report, what_was_not_run_or_was_wrong_has_no_number) {
  auto rows = paper_rows();
  for (report_row& row : rows) {
    if (row.system == "takt" && row.workers == 2) {
      row.ok = false;
    }
  }
  const figure8_row sort = figure8(rows)[0].rows[0];
  EXPECT_TRUE(sort.base_all_cores_s);
  EXPECT_FALSE(sort.takt_all_cores);
  EXPECT_FALSE(sort.tasks);
  EXPECT_TRUE(figure8({}).empty());
}

TEST(bench_report, the_page_shows_every_row) {
  const ptree page = parsed(to_html({paper_set()}));
  const auto tables = tables_of(page, "figure8");
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(all(tables[0]->get_child("tbody"), "tr").size(), 2U);
  EXPECT_EQ(cells(tables[0]->get_child("tbody.tr")),
            (std::vector<std::string>{"sort / n=10", "2.000 s", "+10.0%", "+50.0%", "+5.0%",
                                      "1.600 s", "-25.0%", k_dash, "-90.0%"}));
  EXPECT_EQ(cells(tables[1]->get_child("tbody.tr")).back(), "-99.975%");
  const auto results = tables_of(page, "results");
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(all(results[0]->get_child("tbody"), "tr").size(), paper_rows().size());
  EXPECT_EQ(all(page, "svg").size(), 2U);
  EXPECT_EQ(all(page, "circle").size(), paper_rows().size() - 1);  // one has no time
}

TEST(bench_report, has_a_verdict_in_one_sentence) {
  // takt with two workers: 1.2 of 2.0 and 0.45 of 0.8 serially; the others' best 1.6 and 0.44.
  EXPECT_EQ(verdict(paper_set()),
            "With 2 workers takt takes 0.58 of the serial program's time (0.56 to 0.60) and 0.88 of the time of the "
            "faster of oneTBB and OpenMP (0.75 to 1.02), and is slower on 1 of 2: spmv (1.02); geometric means of 2 "
            "programs; 1 of 16 entries failed or gave a WRONG answer.");
  report_set set;
  EXPECT_EQ(verdict(set), "");
  set.rows = {timed_row("sort", "takt", 1, 2.0, 2.0)};
  EXPECT_EQ(verdict(set), "With 1 worker takt was run, and nothing that it could be compared with.");
  set.rows.push_back(timed_row("sort", "serial", 1, 1.0, 1.0));
  EXPECT_EQ(verdict(set), "With 1 worker takt takes 2.00 of the serial program's time.");
  set.rows.push_back(timed_row("sort", "tbb", 1, 4.0, 1.0));
  EXPECT_EQ(verdict(set),
            "With 1 worker takt takes 2.00 of the serial program's time and 0.50 of the time of oneTBB, and is slower "
            "on none.");
}

TEST(bench_report, says_what_is_not_there) {
  const std::string page = to_html({stopped_set()});
  EXPECT_NE(page.find("Incomplete, stopped by SIGINT"), std::string::npos);
  EXPECT_NE(page.find("pagerank n=1000000: not run"), std::string::npos);
  EXPECT_NE(page.find("The machine was busy when this began (load average 3.00 on 2 CPUs)"), std::string::npos);
  EXPECT_EQ(to_html({paper_set()}).find("Incomplete"), std::string::npos);
  parsed(page);
}

TEST(bench_report, names_cannot_break_the_page) {
  report_set set = paper_set();
  set.name = "<script src='http://example.invalid/x.js'>&\"\x01\xFF</script>";
  set.rows[0].problem = "a<b>&amp;";
  set.missing = {"]]><svg onload='x'>"};
  const ptree page = parsed(to_html({set}));
  EXPECT_TRUE(all(page, "script").empty());
  EXPECT_EQ(all(page, "svg").size(), 3U);
  EXPECT_EQ(all(page, "h2")[0]->data(),
            "<script src='http://example.invalid/x.js'>&\"\xEF\xBF\xBD\xEF\xBF\xBD</script>");
}

TEST(bench_report, a_page_of_nothing) {
  EXPECT_NO_THROW(parsed(to_html({})));
  EXPECT_NO_THROW(parsed(to_html({report_set{}})));
}

json good_results() {
  return json::parse(R"({"format":"takt-bench-results-1","missing":[],"rows":[
    {"problem":"fib","input":"n=3","system":"takt","compiler":"gcc","workers":2,"median_s":0.5,
     "min_s":0.25,"max_s":1,"runs":3,"ratio_to_serial":null,"ok":true,"tasks":7,"steals":2,
     "idle_s":0.125}]})");
}

TEST(bench_report, reads_results) {
  const report_set set = to_report_set("x", good_results());
  ASSERT_EQ(set.rows.size(), 1U);
  EXPECT_EQ(set.rows[0].workers, 2U);
  EXPECT_EQ(set.rows[0].min_s, 0.25);
  EXPECT_EQ(set.rows[0].tasks, 7.0);
  EXPECT_EQ(set.rows[0].steals, 2.0);
  EXPECT_EQ(set.rows[0].idle_s, 0.125);
  EXPECT_FALSE(set.rows[0].ratio_to_serial);
}

TEST(bench_report, refuses_what_is_no_result) {
  const auto refused = [](auto&& spoil) {
    json results = good_results();
    spoil(results);
    try {
      to_report_set("some file", results);
    } catch (const usage_error& error) {
      return std::string(error.what()).find("some file: ") == 0;
    }
    return false;
  };
  EXPECT_FALSE(refused([](json&) {}));
  EXPECT_TRUE(refused([](json& r) { r = json::array(); }));
  EXPECT_TRUE(refused([](json& r) { r["format"] = "takt-bench-results-9"; }));
  EXPECT_TRUE(refused([](json& r) { r.erase("rows"); }));
  EXPECT_TRUE(refused([](json& r) { r["rows"] = 1; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0].erase("problem"); }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["workers"] = 0; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["workers"] = -1; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["workers"] = 4294967297; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["median_s"] = "fast"; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["median_s"] = -1; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["min_s"] = nullptr; }));
  EXPECT_TRUE(refused([](json& r) { r["rows"][0]["tasks"] = -1; }));
  EXPECT_TRUE(refused([](json& r) { r["missing"] = json::array({1}); }));
}

}  // namespace
}  // namespace takt::tools
