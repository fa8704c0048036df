// How commands read what they are asked for.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace takt::tools {

/// The exit code of a command whose user asked for something that cannot be.
inline constexpr int k_bad_arguments = 2;

/// Parses the arguments, up to "--" where `before_program`, and calls `run`. What is wrong with them, or a usage_error,
/// is one line on stderr that begins with the app's name.
/// @returns the exit code: 0 after --help, k_bad_arguments, or what `run` returns.
int run_with_arguments(CLI::App& app, int argc, char** argv, bool before_program, const std::function<int()>& run);

/// The words after "--", or from the first one on that is no option: a program and its arguments. May be none.
/// @throws usage_error for an unknown option. For an app with prefix_command() that has parsed what is before "--".
std::vector<std::string> program_of(const CLI::App& app, int argc, char** argv);

}  // namespace takt::tools
