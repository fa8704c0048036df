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
    std::string name = testing::TempDir() + "takt_page_XXXXXX";
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
