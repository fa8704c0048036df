#include "tools/scale_sites.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "tools/markup.hpp"
#include "tools/object_code.hpp"

namespace takt::tools {
namespace {

using function = object_code::function;

constexpr std::size_t k_longest = 80;

std::string file_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(slash == std::string::npos ? 0 : slash + 1);
}

// Compiled into the library, so that nothing of the program is in it; and what compiled code calls of
// it: takt_group_wait.
bool is_of_library(const std::string& name) {
  if (name.starts_with("takt_") && name.find("::") == std::string::npos) {
    return true;
  }
  return name.starts_with("takt::core::") || name.starts_with("takt::platform::");
}

// takt's own, whatever it is a template of. (GCC gives some code of inlined templates a line of
// theirs in the file that they are used in; the name of the function is right.)
bool is_of_takt(const std::string& called, const std::string& file) {
  const std::string name = bare_name(called);
  if (is_of_library(name)) {
    return true;
  }
  // takt's benchmark programs are users of it like any other.
  if (name.starts_with("_ZN4takt") || name.starts_with("_ZZN4takt") || name.starts_with("_ZNK4takt")) {
    return true;  // what a demangler did not know
  }
  if (name.starts_with("takt::") && !name.starts_with("takt::bench::")) {
    return true;
  }
  return file.find("/include/takt/") != std::string::npos;
}

bool is_of_system(const std::string& called, const std::string& file) {
  const std::string name = bare_name(called);
  return file.starts_with("/usr/") || name.empty() || name.starts_with("std::") ||
         name.starts_with("__gnu_cxx::") || name == "_start";
}

// Of frames, innermost first, the first of the program; their end if there is none.
std::vector<code_frame>::const_iterator first_of_program(const std::vector<code_frame>& frames) {
  if (!frames.empty() && is_of_library(bare_name(frames.back().function))) {
    return frames.end();
  }
  return std::find_if(frames.begin(), frames.end(), [&frames](const code_frame& frame) {
    // The function that the others are inlined into is known by the name that the linker has for it;
    // its lines may be missing.
    const bool is_function = &frame == &frames.back() && !frame.function.empty();
    return !is_of_takt(frame.function, is_function ? "" : frame.file) &&
           !is_of_system(frame.function, is_function ? "" : frame.file);
  });
}

// What the program has called, by the frame inside of its own: "takt::sort". GCC leaves out the
// namespace of what it has inlined. "" if it is a part that nobody calls by name.
std::string algorithm_of(const code_frame& frame) {
  std::string name = bare_name(frame.function);
  // A demangler older than the compiler leaves "_ZN4takt12parallel_forI...".
  constexpr std::string_view k_mangled = "_ZN4takt";
  if (std::size_t length = 0; name.starts_with(k_mangled)) {
    const char* const end = name.data() + name.size();
    const auto [begin, error] = std::from_chars(name.data() + k_mangled.size(), end, length);
    if (error == std::errc{} && length < static_cast<std::size_t>(end - begin)) {
      name = "takt::" + std::string(begin, length) + (std::string_view(begin, length) == "detail" ? "::" : "");
    }
  }
  if (name.find("detail::") != std::string::npos || frame.file.find("/detail/") != std::string::npos ||
      name.find("operator") != std::string::npos || name.starts_with("_Z")) {
    return "";
  }
  if (name.starts_with("takt::")) {
    return name;
  }
  if (frame.file.find("/include/takt/") == std::string::npos) {
    return "";
  }
  return (frame.file.ends_with("/task_group.hpp") ? "takt::task_group::" : "takt::") + name;
}

// A line of the program that asks for what the site is part of.
struct caller {
  std::string place;      // "mesh.cpp:120"; "" without debug information
  std::string algorithm;  // "takt::sort"; "" if it is not known
  std::string function;   // "refine"
  auto operator<=>(const caller&) const = default;
};

// One site on its way up.
struct search {
  const code_site* site;
  std::vector<std::uint64_t> next;  // functions whose callers are to be looked for
  std::set<std::uint64_t> seen;
  std::set<caller> found;
};

// Part of a function that lies elsewhere is called by that function alone.
std::uint64_t whole_of(object_code& object, const function& part) {
  constexpr std::string_view k_part = " [clone .cold";
  const std::size_t mark = part.name.find(k_part);
  if (mark == std::string::npos) {
    return part.address;
  }
  const std::string name = part.name.substr(0, mark);
  for (const function& f : object.functions()) {
    if (f.name == name) {
      return f.address;
    }
  }
  return part.address;
}

// One level up for all: callers that are the program's are found, others are searched for next.
void go_up(object_code& object, std::vector<search>& searches) {
  std::vector<std::uint64_t> addresses;
  for (const search& one : searches) {
    for (const std::uint64_t callee : one.next) {
      const auto& references = object.references(callee);
      addresses.insert(addresses.end(), references.begin(), references.end());
    }
  }
  object.look_up(addresses);
  for (search& one : searches) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t callee : one.next) {
      const function* called = object.function_from(callee);
      for (const std::uint64_t at : object.references(callee)) {
        const std::vector<code_frame>& frames = object.frames(at);
        const auto own = first_of_program(frames);
        if (own == frames.end()) {
          const function* around = object.function_around(at);
          if (around == nullptr) {
            continue;
          }
          const std::uint64_t up = whole_of(object, *around);
          if (one.seen.insert(up).second) {
            next.push_back(up);
          }
          continue;
        }
        const code_frame callee_frame{called != nullptr ? called->name : "", "", 0};
        caller who;
        who.algorithm = algorithm_of(own != frames.begin() ? *std::prev(own) : callee_frame);
        if (!own->file.empty() && !is_of_takt("", own->file)) {
          who.place = fmt::format("{}:{}", file_name(own->file), own->line);
        }
        who.function = bare_name(own->function);
        if (who.function == "operator()") {
          who.function = "a lambda";
        }
        one.found.insert(who);
      }
    }
    one.next = std::move(next);
  }
}

// The first few, and how many more there are.
std::string listed(const std::vector<std::string>& all) {
  constexpr std::size_t k_most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(all.size(), k_most); ++i) {
    text += (text.empty() ? "" : ", ") + all[i];
  }
  return all.size() <= k_most ? text : fmt::format("{} and {} more", text, all.size() - k_most);
}

std::string shown(const std::set<caller>& found) {
  // A line may be known by one instruction and its algorithm by another.
  std::map<std::string, std::string> by_place;
  std::set<std::string> algorithms;
  std::set<std::string> functions;
  for (const caller& one : found) {
    if (!one.place.empty()) {
      std::string& algorithm = by_place[one.place];
      algorithm = algorithm.empty() ? one.algorithm : algorithm;
    }
    if (!one.algorithm.empty()) {
      algorithms.insert(one.algorithm);
    }
    functions.insert(one.function);
  }
  // One line is in one function, whatever its parts are called.
  if (by_place.size() <= 1 && functions.size() > 1) {
    functions.erase("a lambda");
  }
  const bool all_the_same = algorithms.size() <= 1;
  std::vector<std::string> places;
  for (const auto& [place, algorithm] : by_place) {
    places.push_back(all_the_same || algorithm.empty() ? place : place + " " + algorithm);
  }
  std::string text = listed(places);
  if (all_the_same && !algorithms.empty()) {
    text += (text.empty() ? "" : " ") + *algorithms.begin();
  }
  const bool one_function = functions.size() == 1 || by_place.size() == 1;
  if (one_function || text.empty()) {
    const std::vector<std::string> names(functions.begin(), functions.end());
    const std::string in = one_function ? names.front() : listed(names);
    text += (text.empty() ? "" : " in ") + shortened(in, k_longest);
  }
  return text;
}

// The lines that the code of a function comes from, but for takt's own and the system's.
std::map<std::string, std::vector<unsigned>> lines_in(object_code& object, const function& f) {
  constexpr std::uint64_t k_most = 2048;
  constexpr std::uint64_t k_step = 4;
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t at = 0; at < std::min(f.size, k_most); at += k_step) {
    addresses.push_back(f.address + at);
  }
  object.look_up(addresses);
  std::map<std::string, std::vector<unsigned>> found;
  for (const std::uint64_t at : addresses) {
    const std::vector<code_frame>& frames = object.frames(at);
    if (!frames.empty() && first_of_program(frames) == frames.begin() && !frames.front().file.empty() &&
        !is_of_takt("", frames.front().file)) {
      found[frames.front().file].push_back(frames.front().line);
    }
  }
  return found;
}

// The file that most of the code comes from, and the first of its lines there.
std::string first_line(const std::map<std::string, std::vector<unsigned>>& found) {
  if (found.empty()) {
    return "";
  }
  const auto most = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  return fmt::format("{}:{}", file_name(most->first),
                     *std::min_element(most->second.begin(), most->second.end()));
}

// The body of a loop is in a function of the type that its tasks are made for.
std::vector<function> with_body_of(object_code& object, const function& task) {
  std::vector<function> chosen = {task};
  const std::size_t open = task.name.find("run_half<");
  const std::size_t close = task.name.rfind(">(");
  if (open == std::string::npos || close == std::string::npos) {
    return chosen;
  }
  const std::size_t begin = open + std::string_view("run_half<").size();
  std::string type = task.name.substr(begin, close - begin);
  while (type.ends_with(' ')) {
    type.pop_back();
  }
  for (const function& f : object.functions()) {
    if (f.name.starts_with(type + "::range_until_threw(")) {
      chosen.insert(chosen.begin(), f);
    }
  }
  return chosen;
}

// Where nobody of the program was found: by what its code consists of.
std::string place_by_code(object_code& object, const code_site& site) {
  const function* task = object.function_from(site.address);
  if (task == nullptr) {
    return site.name.empty() ? fmt::format("{}+{:#x}", site.object, site.address)
                             : shortened(own_part(site.name), k_longest);
  }
  const std::string name = shortened(own_part(task->name), k_longest);
  for (const function& f : with_body_of(object, *task)) {
    if (const std::string line = first_line(lines_in(object, f)); !line.empty()) {
      return line + ", " + name;
    }
  }
  return name;
}

std::vector<std::string> places_in(const std::string& path, const std::vector<code_site>& sites) {
  // Nothing is that deep, but a mistake of the tools should not keep us for long.
  constexpr int k_levels = 24;
  // A trace may name anything, a FIFO too.
  std::error_code error;
  object_code object(std::filesystem::is_regular_file(path, error) ? path : "/dev/null");
  std::vector<search> searches;
  for (const code_site& site : sites) {
    searches.push_back({&site, {site.address}, {site.address}, {}});
  }
  const auto goes_on = [](const search& one) { return !one.next.empty(); };
  for (int level = 0; level < k_levels && std::any_of(searches.begin(), searches.end(), goes_on);
       ++level) {
    go_up(object, searches);
  }
  std::vector<std::string> places;
  for (const search& one : searches) {
    places.push_back(one.found.empty() ? place_by_code(object, *one.site) : shown(one.found));
  }
  return places;
}

}  // namespace

std::string own_part(const std::string& function) {
  const std::size_t lambda = function.find("{lambda");
  if (lambda == std::string::npos) {
    return function;
  }
  // Back to where the name of what it is written in begins.
  std::size_t begin = lambda;
  for (int depth = 0; begin > 0; --begin) {
    const char c = function[begin - 1];
    depth += c == ')' || c == '>' ? 1 : c == '(' || c == '<' ? -1 : 0;
    if (depth < 0 || (depth == 0 && (c == ',' || c == ' '))) {
      break;
    }
  }
  const std::size_t end = function.find('}', lambda);
  return function.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

std::string bare_name(const std::string& function) {
  constexpr std::string_view k_operator = "operator";
  std::string name;
  int angles = 0;
  int parentheses = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const std::string_view rest = std::string_view(function).substr(i);
    // Its signs are no parentheses.
    if (angles == 0 && parentheses == 0 && rest.starts_with(k_operator)) {
      std::size_t end = k_operator.size();
      if (rest.substr(end).starts_with("()")) {
        end += 2;
      } else {
        end = std::min(rest.find('(', end), rest.size());
      }
      name += rest.substr(0, end);
      i += end - 1;
      continue;
    }
    const char c = function[i];
    if (parentheses == 0 && (c == '<' || c == '>')) {
      angles += c == '<' ? 1 : -1;
    } else if (angles == 0 && (c == '(' || c == ')')) {
      // "(anonymous namespace)" is part of a name.
      constexpr std::string_view k_anonymous = "(anonymous namespace)";
      if (parentheses == 0 && rest.starts_with(k_anonymous)) {
        name += "{anonymous}";
        i += k_anonymous.size() - 1;
        continue;
      }
      parentheses += c == '(' ? 1 : -1;
    } else if (angles == 0 && parentheses == 0) {
      name += c;
    }
  }
  // Of a lambda in a member function.
  for (std::size_t at; (at = name.find(" const::")) != std::string::npos;) {
    name.erase(at, std::string_view(" const").size());
  }
  for (const std::string_view end : {" const", " volatile", " &", " &&"}) {
    if (name.ends_with(end)) {
      name.resize(name.size() - end.size());
    }
  }
  if (const std::size_t clone = name.find(" [clone"); clone != std::string::npos) {
    name.resize(clone);
  }
  // What Clang makes of the body of an OpenMP construct.
  if (const std::size_t outlined = name.find(".omp_outlined"); outlined != std::string::npos) {
    name.resize(outlined);
  }
  while (name.ends_with(' ')) {
    name.pop_back();
  }
  // What is before the last space is the type of the result.
  const std::size_t is_operator = name.rfind(k_operator);
  const std::size_t space = name.rfind(' ', is_operator);
  name.erase(0, space == std::string::npos ? 0 : space + 1);
  for (const std::string_view lambda : {"}", "'lambda'"}) {
    const std::string call = std::string(lambda) + "::operator()";
    if (name.ends_with(call)) {
      name.resize(name.size() - call.size() + lambda.size());
    }
  }
  return name;
}

std::vector<std::string> places_of(const std::vector<code_site>& sites) {
  std::map<std::string, std::vector<code_site>> by_object;
  for (const code_site& site : sites) {
    if (!site.object.empty()) {
      by_object[site.object].push_back(site);
    }
  }
  std::map<std::pair<std::string, std::uint64_t>, std::string> known;
  for (const auto& [object, of_object] : by_object) {
    const std::vector<std::string> places = places_in(object, of_object);
    for (std::size_t i = 0; i < places.size(); ++i) {
      known[{object, of_object[i].address}] = places[i];
    }
  }
  std::vector<std::string> all;
  for (const code_site& site : sites) {
    all.push_back(site.object.empty() ? "outside of forks and loops"
                                      : known[{site.object, site.address}]);
  }
  return all;
}

std::string place_of(const code_site& site) { return places_of({site}).front(); }

}  // namespace takt::tools
