// The page of takt bench --report in a real browser: page_checks.js looks at the laid-out page,
// and a picture of the screen is looked at too. Skipped where there is no browser.
// TAKT_KEEP_SCREENSHOT=FILE keeps the picture for people.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <png.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/report_rows.hpp"
#include "tools/bench_report.hpp"
#include "tools/scale_result.hpp"
#include "tools/tests/scale_reports.hpp"
#include "tools/tests/trace_texts.hpp"
#include "tools/trace_file.hpp"
#include "tools/trace_page.hpp"
#include "tools/tune_plot.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// TAKT_BROWSER names another one that knows Chromium's options.
std::string find_browser() {
  if (const char* named = std::getenv("TAKT_BROWSER"); named != nullptr) {
    return named;
  }
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"}) {
    for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
      const fs::path program = fs::path(folder) / name;
      if (access(program.c_str(), X_OK) == 0) {
        return program;
      }
    }
  }
  return "";
}

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class page_in_browser : public testing::Test {
 protected:
  void SetUp() override {
    browser_ = find_browser();
    if (browser_.empty()) {
      GTEST_SKIP() << "no browser: install chromium-headless-shell or chromium, or set "
                      "TAKT_BROWSER";
    }
    std::string name = testing::TempDir() + std::to_string(::getpid()) + "_takt_page_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }

  void TearDown() override {
    std::error_code error;  // a helper of the browser may still be writing
    fs::remove_all(folder_, error);
  }

  // Starts the browser with the page; what it writes goes to files. Returns its output.
  std::string browse(const std::string& page, const std::vector<std::string>& options) {
    std::ofstream(folder_ / "page.html") << page;
    std::vector<std::string> words = {"timeout", "-k", "5", "120", browser_, "--headless",
                                      "--no-sandbox", "--disable-gpu",
                                      "--user-data-dir=" + (folder_ / "profile").string()};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back("file://" + (folder_ / "page.html").string());
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> argv;
      for (std::string& word : words) {
        argv.push_back(word.data());
      }
      argv.push_back(nullptr);
      setenv("HOME", folder_.c_str(), 1);
      if (std::freopen((folder_ / "out").c_str(), "w", stdout) == nullptr ||
          std::freopen((folder_ / "err").c_str(), "w", stderr) == nullptr) {
        _exit(126);
      }
      execvp(argv[0], argv.data());
      _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      throw std::runtime_error("the browser failed: " + read_text(folder_ / "err"));
    }
    return read_text(folder_ / "out");
  }

  // What page_checks.js says of the page in a window of a common size.
  json look_at(std::string page) {
    const std::string script =
        "<script id=\"the_checks\">" + read_text(TAKT_PAGE_CHECKS) + "</script>";
    page.insert(page.rfind("</body>"), script);
    const std::string dom = browse(page, {"--window-size=1280,900", "--dump-dom"});
    const std::string mark = "<pre id=\"checks\">";
    const std::size_t begin = dom.rfind(mark) + mark.size();
    return json::parse(dom.substr(begin, dom.find("</pre>", begin) - begin));
  }

  // How many colours a picture of the page has, and how much of it is not the background.
  struct looks {
    std::size_t colours = 0;
    double inked = 0.0;
    unsigned width = 0;
    unsigned height = 0;
  };
  looks photograph(const std::string& page, int height) {
    const fs::path file = folder_ / "page.png";
    browse(page, {"--hide-scrollbars", "--window-size=1280," + std::to_string(height),
                  "--screenshot=" + file.string()});
    if (const char* keep = std::getenv("TAKT_KEEP_SCREENSHOT"); keep != nullptr && *keep != '\0') {
      fs::copy_file(file, keep, fs::copy_options::overwrite_existing);
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0) {
      throw std::runtime_error(image.message);
    }
    image.format = PNG_FORMAT_RGB;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) {
      throw std::runtime_error(image.message);
    }
    std::set<std::array<png_byte, 3>> colours;
    const std::array<png_byte, 3> background{pixels[0], pixels[1], pixels[2]};
    std::size_t inked = 0;
    for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) {
      const std::array<png_byte, 3> colour{pixels[i], pixels[i + 1], pixels[i + 2]};
      colours.insert(colour);
      inked += colour != background;
    }
    return {colours.size(), static_cast<double>(inked) * 3 / static_cast<double>(pixels.size()),
            image.width, image.height};
  }

  std::string browser_;
  fs::path folder_;
};

std::string without(std::string page, const std::string& part) {
  const std::size_t at = page.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return page.replace(at, part.size(), "");
}

std::string replaced(std::string page, const std::string& part, const std::string& by) {
  const std::size_t at = page.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return page.replace(at, part.size(), by);
}

bool mentions(const json& found, const std::string& what) {
  for (const json& one : found) {
    if (one.get<std::string>().rfind(what, 0) == 0) {
      return true;
    }
  }
  return false;
}

TEST_F(page_in_browser, can_be_read_and_needs_nothing_else) {
  const std::string page = to_html({paper_set()});
  const json seen = look_at(page);
  EXPECT_EQ(seen["found"], json::array());
  ASSERT_EQ(seen["figure8"].size(), 2U);
  EXPECT_EQ(seen["figure8"][0].size(), 2U);
  EXPECT_EQ(seen["figure8"][0][0],
            (json{"sort / n=10", "2.000 s", "+10.0%", "+50.0%", "+5.0%", "1.600 s", "-25.0%",
                  "\xE2\x80\x93", "-90.0%"}));
  EXPECT_EQ(seen["results"][0].size(), paper_rows().size());
  EXPECT_EQ(seen["pictures"], 2);
  EXPECT_EQ(seen["dots"], paper_rows().size() - 1);

  const int height = seen["height"];
  const looks whole = photograph(page, height);
  EXPECT_EQ(whole.width, 1280U);
  EXPECT_EQ(whole.height, static_cast<unsigned>(height));
  // Text has many shades of grey; the marks have colours.
  EXPECT_GT(whole.colours, 100U);
  EXPECT_GT(whole.inked, 0.01);
}

TEST_F(page_in_browser, can_be_read_whatever_the_names_and_times_are) {
  const json seen = look_at(to_html({hard_set()}));
  EXPECT_EQ(seen["found"], json::array());
  EXPECT_EQ(seen["results"][0].size(), hard_set().rows.size());
}

// When, where and how it came out; then the pictures; then the tables.
TEST_F(page_in_browser, begins_with_what_is_asked_first) {
  const json seen = look_at(to_html({stopped_set()}));
  EXPECT_EQ(seen["found"], json::array());
  EXPECT_EQ(seen["first"], (json{"table.about", "p.verdict", "figure", "table.figure8", "table.results"}));
  const std::string text = seen["text"];
  for (const char* wanted : {"2026-11-25 00:30:00+01:00", "Some CPU @ 2.50GHz, 2 usable", "gcc 12.2.0",
                             "3.00, 1.00, 0.50", "With 2 workers takt takes 0.58 of the serial program's time",
                             "Incomplete, stopped by SIGINT", "pagerank n=1000000: not run"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  }
}

std::string trace_page(const std::string& text, const std::string& program) {
  const std::string path = testing::TempDir() + std::to_string(::getpid()) + "_takt_page_trace.json";
  std::ofstream(path) << text;
  const trace_timeline timeline = to_timeline(read_traces({path}), program);
  std::remove(path.c_str());
  return to_html(timeline, about_now());
}

TEST_F(page_in_browser, the_page_of_trace_can_be_read) {
  const std::string page = trace_page(trace_text(7, 0), "./program 1");
  const json seen = look_at(page);
  EXPECT_EQ(seen["found"], json::array());
  EXPECT_EQ(seen["first"], (json{"table.about", "p.verdict", "figure", "table.results"}));
  ASSERT_EQ(seen["places"].size(), 1U);
  EXPECT_EQ(seen["places"][0][0],
            (json{"/no/such/program+0x10", "900.00 us", "75.0%", "1", "900.00 us", "900.00 us"}));
  ASSERT_EQ(seen["results"][0].size(), 2U);
  EXPECT_EQ(seen["results"][0][1],
            (json{"worker 1", "30.0%", "0.0%", "50.0%", "20.0%", "1", "1", "0", "0", "0"}));
  // A frame for each worker, four times that something was done, a promotion, a beat and a steal.
  EXPECT_EQ(seen["bars"], 2 + 4 + 3);
  EXPECT_NE(seen["text"].get<std::string>().find("2 workers ran tasks for 60%"), std::string::npos);
  EXPECT_NE(seen["text"].get<std::string>().find("3 events are not here"), std::string::npos);
  const looks whole = photograph(page, seen["height"]);
  EXPECT_GT(whole.colours, 100U);
  EXPECT_GT(whole.inked, 0.01);
}

// What the script draws is what is there without it; and the wheel shows a part of it.
TEST_F(page_in_browser, the_timeline_can_be_magnified) {
  const std::string page = trace_page(trace_text(7, 0), "p");
  const std::string turn =
      "<script id=\"the_checks\">const svg = document.getElementById('timeline');"
      "const box = svg.getBoundingClientRect(); const before = document.getElementById('axis').textContent;"
      // Ten times at 30% of the time: what is left is within the first worker's piece.
      "for (let i = 0; i < 10; ++i) svg.dispatchEvent(new WheelEvent('wheel', {deltaY: -1, clientX: box.left + "
      "(150 + 0.3 * 840) / 1000 * box.width, clientY: box.top + 20, bubbles: true, cancelable: true}));"
      "svg.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + (150 + 0.3 * 840) / 1000 * box.width, "
      "clientY: box.top + 20}));"
      "const out = document.createElement('pre'); out.id = 'checks'; out.textContent = JSON.stringify({"
      "before: before, after: document.getElementById('axis').textContent, "
      "seen: document.getElementById('seen').textContent, "
      "bars: document.querySelectorAll('#lanes rect').length}); document.body.appendChild(out);</script>";
  std::string changed = page;
  changed.insert(changed.rfind("</body>"), turn);
  const std::string dom = browse(changed, {"--window-size=1280,900", "--dump-dom"});
  const std::string mark = "<pre id=\"checks\">";
  const std::size_t begin = dom.rfind(mark) + mark.size();
  const json seen = json::parse(dom.substr(begin, dom.find("</pre>", begin) - begin));
  EXPECT_EQ(seen["before"], "0200 us400 us600 us800 us");
  EXPECT_NE(seen["after"], seen["before"]);
  EXPECT_EQ(seen["seen"], "/no/such/program+0x10: 900 us, from 100 us to 1 ms");
  // Two frames, and a piece of each worker; what is outside is not drawn.
  EXPECT_EQ(seen["bars"], 2 + 2);
  // Without the script there is the whole: as many pieces as it draws.
  const std::size_t lanes = page.find("<g id=\"lanes\">");
  const std::string drawn = page.substr(lanes, page.find("</g>", lanes) - lanes);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = drawn.find("<rect", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, 2 + 4 + 3);
}

// Names of all kinds, many workers, no time at all, one long and a thousand short.
TEST_F(page_in_browser, the_page_of_trace_can_be_read_whatever_was_done) {
  const std::vector<std::string> names = {"<script>alert(1)</script> ]]> --> </script>", std::string(500, 'x'),
                                          "mesh.cpp:120 takt::sort in refine", "&amp;\"'"};
  for (const unsigned workers : {1U, 64U}) {
    for (const double us : {1e-3, 7e4, 8e9}) {
      trace_timeline timeline;
      timeline.program = "./<b>program</b> " + std::string(300, 'y');
      timeline.us = us;
      timeline.processes = 1;
      for (int i = 0; i < 20; ++i) {
        timeline.places.push_back(std::to_string(i) + names[static_cast<std::size_t>(i) % names.size()]);
      }
      for (unsigned w = 0; w < workers; ++w) {
        const std::string name = "worker " + std::to_string(w) + (w % 7 == 3 ? std::string(100, 'z') : "");
        trace_lane lane{name, name};
        for (int i = 0; i < 40; ++i) {
          lane.spans.push_back({us / 40 * i, us / 41, i % 5 == 4 ? -2 : (i + static_cast<int>(w)) % 20, true});
        }
        lane.steals = {0, us / 2, us};
        timeline.lanes.push_back(lane);
      }
      const json seen = look_at(to_html(timeline, about_now()));
      EXPECT_EQ(seen["found"], json::array()) << workers << " " << us;
      EXPECT_EQ(seen["results"][0].size(), workers);
    }
  }
}

// The picture of takt tune, with beats to mark that are close to each other and to both ends.
TEST_F(page_in_browser, the_picture_of_tune_can_be_read) {
  const std::vector<tune_program> programs = {{"fork recursion", nullptr}, {"mergesort", nullptr}};
  beat_curve curve;
  for (const int beat : {1, 3, 10, 30, 100, 300, 1000, 3000, 10000}) {
    curve.beats.emplace_back(beat);
  }
  curve.seconds = {{0.018, 0.009, 0.008, 0.008, 0.008, 0.008, 0.008, 0.009, 0.014},
                   {5.0, 0.014, 0.012, 0.012, 0.012, 0.012, 0.012, 0.015, 0.018}};
  const std::vector<std::vector<marked_beat>> all_marks = {
      {{"5%: 11 us", 11}, {"2%: 26 us", 26}}, {{"5%: 1 us", 1}, {"2%: 1 us", 1}},
      {{"5%: 9999 us", 9999}, {"2%: 30000 us", 30000}}, {}};
  std::string page = "<!DOCTYPE html><html><body>";
  for (const auto& marks : all_marks) {
    page += curve_svg(programs, curve, marks);
  }
  const json seen = look_at(page + "</body></html>");
  EXPECT_EQ(seen["found"], json::array());
}

std::string scale_page(const scale_runs& runs) { return to_html(runs, evaluate(runs)); }

TEST_F(page_in_browser, the_page_of_scale_can_be_read) {
  scale_runs runs = runs_of(8, 0.1, {1, 2, 4, 8, 16, 32, 64}, 1.05);
  runs.predicted[6].reports.push_back(report(0.2, 4, 100, 7));
  const std::string page = scale_page(runs);
  const json seen = look_at(page);
  EXPECT_EQ(seen["found"], json::array());
  ASSERT_EQ(seen["results"].size(), 1U);
  ASSERT_EQ(seen["results"][0].size(), 7U);
  EXPECT_EQ(seen["results"][0][1],
            (json{"2", "4.305 s", "4.305 s", "4.305 s", "1.86", "2.00", "1.95", "1.86", "0", "0",
                  "100.0%"}));
  EXPECT_EQ(seen["pictures"], 1);
  EXPECT_EQ(seen["dots"], 7);
  const int height = seen["height"];
  const looks whole = photograph(page, height);
  EXPECT_EQ(whole.height, static_cast<unsigned>(height));
  EXPECT_GT(whole.colours, 100U);
  EXPECT_GT(whole.inked, 0.01);
}

// Names of all kinds; many numbers of workers, close to each other, or one alone; programs that
// become much slower or much faster.
TEST_F(page_in_browser, the_page_of_scale_can_be_read_whatever_the_program_is) {
  std::vector<unsigned> many;
  for (unsigned p = 1; p <= 100; ++p) {
    many.push_back(p);
  }
  many.insert(many.end(), {1023, 1024, 4095, 4096});
  for (scale_runs runs : {runs_of(1e-4, 1e-9, many), runs_of(8, 0.5, {3}), runs_of(8, 7, {1}),
                          runs_of(1e-6, 1e-3, {1, 1000}, 1e4), runs_of(1e5, 1, {4096}, 1e-3)}) {
    runs.program = {"./<script>alert(1)</script>", "\xFF\x01&\"'", std::string(3000, 'x')};
    runs.machine.name = "<b>name</b> " + std::string(300, 'y');
    runs.machine.source = "]]> --> " + std::string(300, 'z');
    runs.work.reports.front().trigger = "<eager>";
    const json seen = look_at(scale_page(runs));
    EXPECT_EQ(seen["found"], json::array());
    EXPECT_EQ(seen["dots"], runs.predicted.size());
  }
}

// The checks themselves must be able to fail.
TEST_F(page_in_browser, planted_mistakes_are_found) {
  const std::string good = to_html({paper_set()});
  const std::size_t row = good.find("<tr><td class=\"l w\">sort / n=10</td>");
  ASSERT_NE(row, std::string::npos);
  std::string bad = without(good, good.substr(row, good.find("</tr>", row) + 5 - row));
  bad = replaced(bad, "</h1>", "</h1><img src=\"http://127.0.0.1:9/x.png\"/>");
  // The name of a line over that of the line before, and a figure over the right edge.
  bad = replaced(bad, "y=\"47.0\" text-anchor=\"end\"", "y=\"25.0\" text-anchor=\"end\"");
  bad = replaced(bad, "<text x=\"704.0\" y=\"25.0\"", "<text x=\"880.0\" y=\"25.0\"");
  bad = replaced(bad, "font-size=\"12\"", "font-size=\"6\"");
  const json seen = look_at(bad);
  EXPECT_EQ(seen["figure8"][0].size(), 1U);
  EXPECT_TRUE(mentions(seen["found"], "element: img")) << seen;
  EXPECT_TRUE(mentions(seen["found"], "address: http://127.0.0.1:9/x.png")) << seen;
  EXPECT_TRUE(mentions(seen["found"], "overlap: serial, 1 worker (gcc) | takt-never")) << seen;
  EXPECT_TRUE(mentions(seen["found"], "clipped: 1.000 (2.000 s)")) << seen;
  EXPECT_TRUE(mentions(seen["found"], "small: ")) << seen;

  EXPECT_LT(photograph("<!DOCTYPE html><html><body></body></html>", 900).colours, 3U);
}

}  // namespace
}  // namespace takt::tools
