#include "tools/scale_sites.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tools/markup.hpp"

namespace takt::tools {
namespace {

struct function {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string name;
};

struct pipe_closer {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

// What the command writes, by lines; none if it cannot be run.
std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  const std::string quiet = command + " 2>/dev/null";
  const std::unique_ptr<std::FILE, pipe_closer> pipe(::popen(quiet.c_str(), "r"));
  if (!pipe) {
    return lines;
  }
  std::string text;
  char block[1 << 14];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, pipe.get())) > 0;) {
    text.append(block, got);
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<function> functions_of(const std::string& object) {
  std::vector<function> all;
  for (const std::string& line : lines_of("nm -C -S --defined-only -- " + quoted(object))) {
    // ADDRESS SIZE TYPE NAME
    function f;
    const char* const end = line.data() + line.size();
    const auto [after, error] = std::from_chars(line.data(), end, f.address, 16);
    if (error != std::errc{} || after == end) {
      continue;
    }
    const auto [last, no_size] = std::from_chars(after + 1, end, f.size, 16);
    if (no_size != std::errc{} || end - last < 4) {
      continue;
    }
    f.name.assign(last + 3, end);
    all.push_back(std::move(f));
  }
  return all;
}

// Whether a function is of takt's headers, whatever it is a template of.
bool is_of_takt(const std::string& name) {
  return name.substr(0, name.find_first_of("<(")).find("takt::detail::") != std::string::npos;
}

// The lines that the code of a function comes from, but for takt's own and the system's headers.
// (GCC gives some code of inlined templates a line of theirs in the file that they are used in; the
// name of the function is right.)
std::map<std::string, std::vector<unsigned>> lines_in(const std::string& object,
                                                      const function& f) {
  constexpr std::uint64_t k_most = 2048;
  constexpr std::uint64_t k_step = 4;
  std::string command = "addr2line -f -C -e " + quoted(object);
  for (std::uint64_t at = 0; at < std::min(f.size, k_most); at += k_step) {
    command += fmt::format(" {:x}", f.address + at);
  }
  std::map<std::string, std::vector<unsigned>> found;
  const std::vector<std::string> pairs = lines_of(command);
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const std::string& line = pairs[i + 1];
    const std::size_t colon = line.rfind(':');
    if (colon == std::string::npos || is_of_takt(pairs[i]) || line.starts_with("??") ||
        line.starts_with("/usr/") ||
        line.find("/include/takt/") != std::string::npos) {
      continue;
    }
    unsigned number = 0;
    const char* const begin = line.data() + colon + 1;
    if (std::from_chars(begin, line.data() + line.size(), number).ec == std::errc{} && number > 0) {
      found[line.substr(0, colon)].push_back(number);
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
  const std::size_t slash = most->first.rfind('/');
  return fmt::format("{}:{}", most->first.substr(slash == std::string::npos ? 0 : slash + 1),
                     *std::min_element(most->second.begin(), most->second.end()));
}

// The body of a loop is in a function of the type that its tasks are made for.
std::vector<function> with_body_of(const std::vector<function>& all, const function& task) {
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
  for (const function& f : all) {
    if (f.name.starts_with(type + "::range_until_threw(")) {
      chosen.insert(chosen.begin(), f);
    }
  }
  return chosen;
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

std::string place_of(const code_site& site) {
  if (site.object.empty()) {
    return "outside of forks and loops";
  }
  const std::string bare = fmt::format("{}+{:#x}", site.object, site.address);
  const std::vector<function> all = functions_of(site.object);
  const auto task = std::find_if(all.begin(), all.end(),
                                 [&](const function& f) { return f.address == site.address; });
  constexpr std::size_t k_longest = 80;
  if (task == all.end()) {
    return site.name.empty() ? bare : shortened(own_part(site.name), k_longest);
  }
  const std::string name = shortened(own_part(task->name), k_longest);
  for (const function& f : with_body_of(all, *task)) {
    if (const std::string line = first_line(lines_in(site.object, f)); !line.empty()) {
      return line + ", " + name;
    }
  }
  return name;
}

}  // namespace takt::tools
