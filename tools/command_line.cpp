#include "tools/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

char** separator_in(int argc, char** argv) { return std::find(argv, argv + argc, std::string_view("--")); }

int refuse(const CLI::App& app, const std::exception& error) {
  // Not app.exit(): it prints several lines and has exit codes of its own.
  fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
  return k_bad_arguments;
}

}  // namespace

int run_with_arguments(CLI::App& app, int argc, char** argv, bool before_program, const std::function<int()>& run) {
  try {
    app.parse(before_program ? static_cast<int>(separator_in(argc, argv) - argv) : argc, argv);
    return run();
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    return refuse(app, error);
  } catch (const usage_error& error) {
    return refuse(app, error);
  }
}

std::vector<std::string> program_of(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words = app.remaining();
  if (!words.empty() && words.front().size() > 1 && words.front().front() == '-') {
    throw usage_error(fmt::format("unknown option '{}' (see {} --help)", words.front(), app.get_name()));
  }
  char** const separated = separator_in(argc, argv);
  // Behind a program's name it is the program's own.
  if (separated != argv + argc) words.insert(words.end(), words.empty() ? separated + 1 : separated, argv + argc);
  return words;
}

}  // namespace takt::tools
