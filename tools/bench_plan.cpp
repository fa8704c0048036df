#include "tools/bench_plan.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

// A system that can be asked for: which runner runs it, under what name, and with what in its
// environment beside the number of workers.
struct system_kind {
  std::string_view name;
  std::string_view runner;
  bool for_forks;
  bool for_loops;
  std::string_view trigger;       // TAKT_TRIGGER, if set by the name
  std::string_view policy = {};  // TAKT_POLICY, if set by the name
  bool some = false;  // not every problem has a program for it
  bool alone = false;  // for one worker
};
constexpr system_kind k_systems[] = {
    {"serial", "serial", true, true, ""},        {"elision", "serial", true, true, ""},
    {"takt", "takt", true, true, ""},            {"takt-never", "takt", true, true, "never"},
    {"takt-eager", "takt", true, true, "eager"}, {"tbb", "tbb", true, true, ""},
    {"omp", "omp", true, false, ""},             {"omp-static", "omp", false, true, ""},
    {"omp-dynamic", "omp", false, true, ""},     {"omp-guided", "omp", false, true, ""},
    {"omp-nested", "omp", false, true, ""},      {"takt-request", "takt", true, true, "request"},
    {"takt-beat", "takt", true, true, "beat"},   {"takt-lazy", "takt", true, true, "lazy"},
    {"blocked-elision", "serial", true, true, ""},
    {"takt-adws", "takt", true, true, "", "adws"},
    // The problems of locality have a program with hints, which `random` would not ask for.
    {"takt-hints", "takt", true, true, "", "adws", true},
    {"tbb-affinity", "tbb", false, true, "", "", true},
    // Those of baggage: takt with parts of a fork taken out, OpenMP with a cut-off, and Java.
    {"takt-calls", "takt", true, false, "", "", true, true},
    {"takt-slots", "takt", true, false, "", "", true, true},
    {"takt-polls", "takt", true, false, "", "", true, true},
    {"omp-cut-off", "omp", true, false, "", "", true},
    {"java", "java", true, false, "", "", true},
};

constexpr std::string_view k_generators[] = {"arrowhead", "power-law", "random",
                                            "web", "web-out"};
// Those that run if no input is named.
constexpr std::span<const std::string_view> k_usual_generators = std::span(k_generators).first(3);

const system_kind* find_system(std::string_view name) {
  const auto* found = std::find_if(std::begin(k_systems), std::end(k_systems),
                                   [&](const system_kind& s) { return s.name == name; });
  return found == std::end(k_systems) ? nullptr : found;
}

// A runner's name.
std::string in_suite(const std::string& suite, const std::string& system) {
  return suite.empty() ? system : suite + "-" + system;
}

bench_problem problem_of(const nlohmann::json& one) {
  bench_problem problem;
  problem.name = one.at("name").get<std::string>();
  problem.about = one.at("about").get<std::string>();
  problem.loops = one.at("kind") == "loops";
  problem.size_unit = one.at("size_unit").get<std::string>();
  problem.size_default = one.at("size_default").get<std::int64_t>();
  problem.size_min = one.at("size_min").get<std::int64_t>();
  problem.size_max = one.at("size_max").get<std::int64_t>();
  problem.takes_matrix = one.at("takes_matrix").get<bool>();
  problem.calls = one.at("calls").get<std::int64_t>();
  problem.fresh_process = one.at("fresh_process").get<bool>();
  problem.per_call = one.at("per_call").get<bool>();
  problem.takes_file = one.at("takes_file").get<bool>();
  problem.takes_whole_file = one.at("takes_whole_file").get<bool>();
  problem.group = one.at("group").get<std::string>();
  return problem;
}

void add_runner(bench_inventory& inventory, const fs::path& program) {
  try {
    constexpr int k_limit_s = 10;
    runner_process process({{program.string(), "--describe"}, {}});
    const nlohmann::json about = process.receive(k_limit_s, [](int) {});
    const std::string suite = about.at("suite").get<std::string>();
    const std::pair key{in_suite(suite, about.at("system").get<std::string>()),
                        about.at("compiler").get<std::string>()};
    const bench_runner runner{program.string(), about.at("runtime").get<std::string>(),
                              about.at("optimised").get<bool>(),
                              about.at("compiler_version").get<std::string>()};
    std::vector<std::pair<bench_problem, std::set<std::string>>> problems;
    for (const auto& one : about.at("problems")) {
      bench_problem problem = problem_of(one);
      if (!suite.empty()) {
        problem.suite = suite;
        problem.compiler = key.second;
      }
      problems.emplace_back(std::move(problem), one.at("systems").get<std::set<std::string>>());
    }
    // All of it is understood.
    inventory.runners.try_emplace(key, runner);
    for (auto& [problem, systems] : problems) {
      inventory.problems.try_emplace(problem.name, problem).first->second.systems[key.first] = std::move(systems);
    }
  } catch (const runner_failure& failure) {
    inventory.broken.try_emplace(program.string(), failure.what());
  } catch (const nlohmann::json::exception&) {
    inventory.broken.try_emplace(program.string(), "not a benchmark runner of this version");
  }
}

std::int64_t to_size(std::string_view text, std::string_view whole) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) {
    throw usage_error(fmt::format("--size {}: must be N or PROBLEM=N, N a whole number", whole));
  }
  return value;
}

// The size to use for each problem: a plain number is for all of them, a named one for its own.
class size_table {
 public:
  size_table(const std::vector<std::string>& sizes, const bench_inventory& inventory) {
    for (const std::string& text : sizes) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos) {
        for_all_ = to_size(text, text);
        continue;
      }
      const std::string name = text.substr(0, equals);
      if (!inventory.problems.contains(name)) {
        throw usage_error(fmt::format("--size {}: unknown problem '{}'", text, name));
      }
      by_name_[name] = to_size(std::string_view(text).substr(equals + 1), text);
    }
  }

  std::int64_t of(const bench_problem& problem) const {
    const auto named = by_name_.find(problem.name);
    const std::int64_t asked = named != by_name_.end() ? named->second : for_all_;
    if (asked == 0) {
      return problem.size_default;
    }
    if (asked < problem.size_min || asked > problem.size_max) {
      throw usage_error(fmt::format("{}: --size {} is outside {}..{}", problem.name, asked,
                                    problem.size_min, problem.size_max));
    }
    return asked;
  }

 private:
  std::int64_t for_all_ = 0;
  std::map<std::string, std::int64_t> by_name_;
};

// What each word after --systems stands for, for this problem.
std::vector<const system_kind*> systems_for(const bench_problem& problem,
                                            const std::vector<std::string>& wanted,
                                            std::vector<std::string>& notes) {
  std::vector<const system_kind*> result;
  const auto add = [&](std::string_view name) {
    const system_kind* system = find_system(name);
    if (std::find(result.begin(), result.end(), system) == result.end()) {
      result.push_back(system);
    }
  };
  for (const std::string& name : wanted) {
    const system_kind* system = find_system(name);
    if (system == nullptr) {
      std::vector<std::string_view> known;
      for (const system_kind& one : k_systems) {
        known.push_back(one.name);
      }
      throw usage_error(
          fmt::format("unknown system '{}'; known: {}", name, fmt::join(known, ", ")));
    }
    const auto held = problem.systems.find(in_suite(problem.suite, std::string(system->runner)));
    const bool has_it = held != problem.systems.end() && held->second.contains(name);
    if (!problem.suite.empty() && (name == "tbb" || name.ends_with("elision"))) {
      const std::string note = fmt::format("{}: no programs for {}", problem.suite, name);
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(note);
      }
    } else if (name == "blocked-elision" && !has_it) {
      notes.push_back(fmt::format("{}: no program is blocked by hand", problem.name));
    } else if (name == "takt-hints" && !has_it) {
      notes.push_back(fmt::format("{}: no program with hints", problem.name));
    } else if (system->some && !has_it && (system->runner != "java" || problem.group != "baggage")) {
      notes.push_back(fmt::format("{}: no program for {}", problem.name, name));
    } else if (problem.loops && name == "omp") {
      // The nested form is not among them: it can take minutes where the others take
      // milliseconds, so it has to be asked for by name.
      add("omp-static");
      add("omp-dynamic");
      add("omp-guided");
    } else if (problem.loops ? system->for_loops : system->for_forks) {
      add(name);
    } else {
      notes.push_back(fmt::format("{}: {} is for loops and this problem forks; its OpenMP form "
                                  "is 'omp'",
                                  problem.name, name));
    }
  }
  return result;
}

struct named_input {
  std::string argument;  // for the runner
  std::string shown;
};

std::vector<named_input> inputs_of(const bench_problem& problem, const bench_options& options,
                                   std::int64_t size) {
  const std::string plain = fmt::format("{}={}", problem.size_unit, size);
  if (!problem.takes_matrix && !(problem.takes_file && !options.inputs.empty())) {
    return {{"", plain}};
  }
  std::vector<std::string> wanted = options.inputs;
  if (wanted.empty()) {
    wanted.assign(k_usual_generators.begin(), k_usual_generators.end());
  }
  const std::string suffix = options.transpose ? " transposed" : "";
  std::vector<named_input> result;
  for (const std::string& input : wanted) {
    const bool is_generator = std::find(std::begin(k_generators), std::end(k_generators), input) !=
                              std::end(k_generators);
    const bool generated = problem.takes_matrix && is_generator;
    if (generated) {
      result.push_back({input, fmt::format("{} {}{}", input, plain, suffix)});
      continue;
    }
    std::error_code error;
    if (!fs::exists(input, error)) {
      throw usage_error(problem.takes_matrix
                            ? fmt::format("{}: no such file, nor one of {}", input,
                                          fmt::join(k_generators, ", "))
                            : fmt::format("{}: no such file", input));
    }
    if (problem.takes_file && !problem.takes_whole_file) {
      // No more of it is read than the problem's size.
      result.push_back({input, fmt::format("{} {}", fs::path(input).filename().string(), plain)});
      continue;
    }
    result.push_back({input, fs::path(input).filename().string() + suffix});
  }
  return result;
}

void check_names(const bench_options& options, const bench_inventory& inventory) {
  for (const std::string& name : options.problems) {
    if (!inventory.problems.contains(name)) {
      std::vector<std::string_view> known;
      for (const auto& [known_name, problem] : inventory.problems) {
        known.push_back(known_name);
      }
      throw usage_error(
          fmt::format("unknown problem '{}'; known: {}", name, fmt::join(known, ", ")));
    }
  }
  for (const std::string& name : options.problems) {
    if (options.calls > 1 && inventory.problems.at(name).calls == 1) {
      throw usage_error(fmt::format("--calls: a run of {} is one call", name));
    }
  }
  for (const std::string& compiler : options.compilers) {
    if (compiler != "gcc" && compiler != "clang") {
      throw usage_error(fmt::format("unknown compiler '{}'; known: gcc, clang", compiler));
    }
  }
}

// Whether there is any runner by this compiler, of those that are not of a suite.
bool has_built_any(const bench_inventory& inventory, const std::string& compiler) {
  return std::any_of(inventory.runners.begin(), inventory.runners.end(), [&](const auto& entry) {
    return entry.first.second == compiler && entry.first.first.find('-') == std::string::npos;
  });
}

constexpr const char* k_all_systems = "all systems";
// What stands for the compiler of programs in Java.
constexpr const char* k_java = "java";

// Why there is no such runner, in words that say what to do about it.
std::string why_missing(const bench_inventory& inventory, const bench_problem& problem,
                        const std::string& runner, const std::string& compiler) {
  for (const auto& [program, why] : inventory.broken) {
    if (fs::path(program).filename() == "takt-bench-" + runner) {
      return fmt::format("{}: {}", program, why);
    }
  }
  if (!problem.suite.empty()) {
    return compiler != problem.compiler
               ? fmt::format("the programs of {} are compiled with {}", problem.suite,
                             problem.compiler)
               : fmt::format("takt-bench-{} was not built; is {} installed?", runner,
                             runner == problem.suite + "-takt" ? "llvm-19-dev" : "libomp-19-dev");
  }
  if (compiler == k_java) {
    return "takt-bench-java was not built; is openjdk-17-jdk-headless installed?";
  }
  if (!has_built_any(inventory, compiler)) {
    return fmt::format("no runner built with {}; build the preset {}", compiler,
                       compiler == "gcc" ? "bench" : "bench-clang");
  }
  if (runner == "tbb") {
    return "takt-bench-tbb was not built; is libtbb-dev installed?";
  }
  if (runner == "omp") {
    return "takt-bench-omp was not built; is the compiler's OpenMP runtime installed?";
  }
  return fmt::format("takt-bench-{} was not built", runner);
}

// Those to run a problem of: its suite's own compiler is the only one that has made it, and what
// the others have not made is not missing unless it is all that was asked for.
std::vector<std::string> compilers_for(const bench_problem& problem,
                                       const std::vector<std::string>& wanted) {
  const bool has_own = std::find(wanted.begin(), wanted.end(), problem.compiler) != wanted.end();
  return has_own ? std::vector<std::string>{problem.compiler} : wanted;
}

// Java has the serial program and its own, and whatever compilers are named makes them.
bool is_made_by(const system_kind& system, const std::string& compiler) {
  return compiler == k_java ? system.runner == k_java || system.name == "serial" : system.runner != k_java;
}

// The input, and what else sets apart a run of this from one of another measurement.
std::string shown_of(const named_input& input, const bench_problem& problem,
                     const bench_options& options, const bench_load& load) {
  std::string shown = input.shown;
  if (const std::int64_t calls = options.calls == 0 ? problem.calls : options.calls; calls > 1) {
    shown += fmt::format(", {} calls", calls);
  }
  if (options.rest_ms > 0) {
    shown += fmt::format(" after {} ms", options.rest_ms);
  }
  if (!load.shown.empty()) {
    shown += fmt::format(", {}", load.shown);
  }
  return shown;
}

// Those of this problem. One that rests has the machine to itself.
std::vector<const bench_load*> loads_of(const bench_problem& problem, const std::vector<std::string>& names) {
  if (problem.group == "rested") {
    return {&load_named("none")};
  }
  std::vector<const bench_load*> loads;
  std::transform(names.begin(), names.end(), std::back_inserter(loads),
                 [](const std::string& name) { return &load_named(name); });
  return loads;
}

// Without what this machine does not allow, which is noted.
std::vector<std::string> possible_loads(const std::vector<std::string>& wanted, std::vector<std::string>& notes) {
  std::vector<std::string> possible;
  for (const std::string& name : wanted) {
    const std::string why = load_named(name).quota ? why_no_quota() : "";
    if (why.empty()) {
      possible.push_back(name);
    } else {
      notes.push_back(fmt::format("load {}: {}", name, why));
    }
  }
  return possible;
}

}  // namespace

std::vector<std::string> default_directories() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  // <build folders>/<preset>/tools/takt
  const fs::path build = self.parent_path().parent_path();
  std::vector<std::string> result;
  for (const char* preset : {"bench", "bench-clang"}) {
    result.push_back(build.parent_path() / preset / "bench");
  }
  result.push_back(build / "bench");
  // <prefix>/bin/takt
  result.push_back(build / "libexec" / "takt");
  return result;
}

bench_inventory find_runners(const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    std::error_code error;
    if (!fs::is_directory(directory, error)) {
      throw usage_error(fmt::format("--runners {}: no such directory", directory));
    }
  }
  const std::vector<std::string> places =
      directories.empty() ? default_directories() : directories;
  bench_inventory inventory;
  for (const std::string& place : places) {
    for (const char* system :
         {"serial", "takt", "tbb", "omp", k_java, "hbc-serial", "hbc-takt", "hbc-omp"}) {
      const fs::path program = fs::path(place) / fmt::format("takt-bench-{}", system);
      std::error_code error;
      if (fs::is_regular_file(program, error)) {
        add_runner(inventory, program);
      }
    }
  }
  if (inventory.runners.empty() && !inventory.broken.empty()) {
    const auto& [program, why] = *inventory.broken.begin();
    throw usage_error(fmt::format("{}: {}", program, why));
  }
  if (inventory.runners.empty()) {
    throw usage_error(
        fmt::format("no benchmark runners in {}; build the presets bench and bench-clang, or "
                    "name a directory with --runners",
                    fmt::join(places, ", ")));
  }
  return inventory;
}

bench_plan make_plan(const bench_options& options, const bench_inventory& inventory) {
  check_names(options, inventory);
  const size_table sizes(options.sizes, inventory);
  bench_plan plan;
  const std::vector<std::string> possible = possible_loads(options.loads, plan.notes);
  std::set<std::pair<std::string, std::string>> missing;
  for (const std::string& name : options.problems) {
    const bench_problem& problem = inventory.problems.at(name);
    const std::int64_t size = sizes.of(problem);
    const auto systems = systems_for(problem, options.systems, plan.notes);
    std::vector<std::pair<named_input, const bench_load*>> inputs_under_loads;
    for (const named_input& input : inputs_of(problem, options, size)) {
      for (const bench_load* load : loads_of(problem, possible)) {
        inputs_under_loads.emplace_back(input, load);
      }
    }
    for (const auto& [input, load] : inputs_under_loads) {
      const std::string shown = shown_of(input, problem, options, *load);
      bench_match match{problem, shown, load, {}};
      std::vector<std::string> compilers = compilers_for(problem, options.compilers);
      if (std::find(systems.begin(), systems.end(), find_system(k_java)) != systems.end()) {
        compilers.emplace_back(k_java);
      }
      for (const std::string& compiler : compilers) {
        for (const system_kind* system : systems) {
          if (!is_made_by(*system, compiler)) {
            continue;
          }
          const std::string runner =
              compiler == k_java ? k_java : in_suite(problem.suite, std::string(system->runner));
          const auto found = inventory.runners.find({runner, compiler});
          if (found == inventory.runners.end()) {
            const bool all =
                problem.suite.empty() && compiler != k_java && !has_built_any(inventory, compiler);
            // One line for Java.
            if (compiler == k_java && system->runner != k_java) {
              continue;
            }
            const std::string who = all ? k_all_systems : std::string(system->name);
            if (missing.emplace(who, compiler).second) {
              plan.missing.push_back(
                  {who, compiler, why_missing(inventory, problem, runner, compiler)});
            }
            continue;
          }
          const bool is_serial = system->runner == "serial";
          for (const unsigned workers :
               is_serial || system->alone ? std::vector<unsigned>{1} : options.workers) {
            const std::string count = std::to_string(workers);
            bench_contender one;
            one.row = {name, shown, std::string(system->name), compiler, workers,
                       {},   {},          true,                      {}};
            one.command.arguments = {found->second.program, "--problem", name, "--size",
                                     std::to_string(size),  "--workers", count};
            // What has no elision of its own is its own elision, the serial program.
            const auto held = problem.systems.find(runner);
            if (held != problem.systems.end() && held->second.contains(std::string(system->name))) {
              one.command.arguments.insert(one.command.arguments.end(),
                                           {"--system", std::string(system->name)});
            }
            if (!input.argument.empty()) {
              one.command.arguments.insert(one.command.arguments.end(),
                                           {"--input", input.argument});
            }
            if (options.transpose && problem.takes_matrix) {
              one.command.arguments.emplace_back("--transpose");
            }
            if (options.calls > 0) {
              one.command.arguments.insert(one.command.arguments.end(),
                                           {"--calls", std::to_string(options.calls)});
            }
            if (options.rest_ms > 0) {
              one.command.arguments.insert(one.command.arguments.end(),
                                           {"--rest", std::to_string(options.rest_ms)});
            }
            one.command.environment = {{"TAKT_WORKERS", count}, {"OMP_NUM_THREADS", count}};
            if (!system->trigger.empty()) {
              one.command.environment.emplace_back("TAKT_TRIGGER", system->trigger);
            }
            if (!system->policy.empty()) {
              one.command.environment.emplace_back("TAKT_POLICY", system->policy);
            }
            const fs::path counter = fs::path(found->second.program).parent_path() /
                                     fmt::format("takt-bench-count-{}.so", runner);
            std::error_code error;
            if (fs::is_regular_file(counter, error)) {
              one.counter = fs::absolute(counter).string();
            }
            match.contenders.push_back(std::move(one));
          }
        }
      }
      if (!match.contenders.empty()) {
        plan.matches.push_back(std::move(match));
      }
    }
  }
  if (plan.matches.empty()) {
    throw usage_error(plan.missing.empty() ? "none of these systems can run these problems"
                                           : fmt::format("nothing to run: {} ({}): {}",
                                                         plan.missing[0].system,
                                                         plan.missing[0].compiler,
                                                         plan.missing[0].why));
  }
  return plan;
}

}  // namespace takt::tools
