#include "tools/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

char** separator_in(int argc, char** argv) { return std::find(argv, argv + argc, std::string_view("--")); }

// One line: some messages of the parser go on with an explanation.
int refuse(const CLI::App& app, std::string_view why) {
  // Not app.exit(): it prints several lines and has exit codes of its own.
  fmt::print(stderr, "{}: {}\n", app.get_name(), why.substr(0, why.find('\n')));
  return k_bad_arguments;
}

// "INT:INT in [1 - 1000]" is a number, "SIZE" a size.
std::string kind_of_value(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  std::string kind = type.substr(0, type.find_first_of(": ["));
  if (kind == "INT" || kind == "UINT" || kind == "FLOAT") return "number";
  if (kind.empty() || kind == "TEXT") return "value";
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}

std::string needs_a_value(const CLI::Option& option) {
  return fmt::format("{} needs a {}: {}", option.get_name(), kind_of_value(option), option.get_description());
}

// What the parser says in its own words of an option that has no value, or too many; else empty.
std::string of_number_of_values(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return {};
  // It names the option in its text alone.
  const std::string_view text = error.what();
  for (const CLI::Option* const option : app.get_options()) {
    const std::string& name = option->get_name();
    if (!text.starts_with(name + ":")) continue;
    const bool too_many = option->results().size() > static_cast<std::size_t>(option->get_items_expected_max());
    return too_many ? fmt::format("{} is given more than once", name) : needs_a_value(*option);
  }
  return {};
}

// Where the next option stands in place of a value the parser takes that for it. Empty: nowhere.
std::string of_option_as_value(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.starts_with('-') && app.get_option_no_throw(value) != nullptr) return needs_a_value(*option);
    }
  }
  return {};
}

}  // namespace

int run_with_arguments(CLI::App& app, int argc, char** argv, bool before_program, const std::function<int()>& run) {
  try {
    app.parse(before_program ? static_cast<int>(separator_in(argc, argv) - argv) : argc, argv);
    if (const std::string wrong = of_option_as_value(app); !wrong.empty()) return refuse(app, wrong);
    return run();
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    std::string wrong = of_option_as_value(app);
    if (wrong.empty()) wrong = of_number_of_values(app, error);
    return refuse(app, wrong.empty() ? error.what() : wrong);
  } catch (const usage_error& error) {
    return refuse(app, error.what());
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
