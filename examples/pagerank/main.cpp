// PageRank on Debian's package dependency graph, or on any graph in a Matrix Market file, as
// serial C++, OpenMP, oneTBB and takt.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "input.hpp"
#include "measure.hpp"
#include "report.hpp"

namespace {

// Bad input can be told from a wrong answer by scripts and tests.
constexpr int k_ok = 0;
constexpr int k_failed = 1;
constexpr int k_bad_input = 2;

struct options {
  std::string matrix;
  std::string packages;
  int runs = 0;
};

// Returns the exit code if the program is to end at once.
std::optional<int> parse(int argc, char** argv, options& wanted) {
  CLI::App app("PageRank with both loop levels parallel, as serial C++, OpenMP, oneTBB and takt.", "pagerank");
  auto* matrix =
      app.add_option("FILE", wanted.matrix, "square Matrix Market file: an entry (i, j) is an edge from i to j");
  app.add_option("--packages", wanted.packages, "Debian package list; - is the standard input")->excludes(matrix);
  app.add_option("--runs", wanted.runs, "measured runs of each system (default: what fits in 20 s)")
      ->check(CLI::Range(1, 1000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return k_ok;
  } catch (const CLI::ParseError& e) {
    std::fprintf(stderr, "pagerank: %s\n", e.what());
    return k_bad_input;
  }
  if (wanted.matrix.empty() && wanted.packages.empty()) {
    std::fputs("pagerank: give a Matrix Market file or --packages FILE (see --help)\n", stderr);
    return k_bad_input;
  }
  return std::nullopt;
}

int run(const options& wanted) {
  using namespace pagerank;
  const input in = wanted.packages.empty() ? read_matrix(wanted.matrix) : read_packages(wanted.packages);
  std::fputs(describe(in).c_str(), stdout);
  std::fflush(stdout);
  const measurement m = measure(in.links, wanted.runs);
  std::printf("\n%s\n%s%s\n%s", top_nodes(in, m).c_str(), table(m).c_str(), caution(m).c_str(), meaning(in, m).c_str());
  for (const outcome& o : m.outcomes) {
    if (!o.agrees()) {
      std::fflush(stdout);
      std::fprintf(stderr, "pagerank: %s does not agree with the serial program\n", std::string(o.which->name).c_str());
      return k_failed;
    }
  }
  std::puts("All ranks agree with the serial program's.");
  return k_ok;
}

}  // namespace

int main(int argc, char** argv) {
  options wanted;
  if (const auto code = parse(argc, argv, wanted)) {
    return *code;
  }
  try {
    return run(wanted);
  } catch (const pagerank::input_error& e) {
    std::fprintf(stderr, "pagerank: %s\n", e.what());
    return k_bad_input;
  } catch (const std::bad_alloc&) {
    std::fputs("pagerank: not enough memory for this graph\n", stderr);
    return k_failed;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pagerank: %s\n", e.what());
    return k_failed;
  }
}
