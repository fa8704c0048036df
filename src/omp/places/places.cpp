#include "omp/places/places.hpp"

#include "platform/threads/cgroups.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>

namespace takt::omp {

namespace {

using platform::binding;
using platform::cpu_set;
using platform::parse_whole_number;
using platform::places;
using platform::take_field;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// In small letters, and without white space at the ends and beside punctuation: OpenMP tells neither apart. Between
// letters or digits one space stays, which no number and no name has.
std::string plain(std::string_view text) {
  const auto is_punctuation = [](char c) { return std::string_view("{},:()!").find(c) != std::string_view::npos; };
  std::string all;
  bool is_apart = false;
  for (const char c : text) {
    if (is_space(c)) {
      is_apart = !all.empty();
      continue;
    }
    if (is_apart && !is_punctuation(c) && !is_punctuation(all.back())) all += ' ';
    is_apart = false;
    all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return all;
}

struct interval {
  std::int64_t first;
  std::int64_t length = 1;
  std::int64_t stride = 1;
};

// ":length:stride", both optional, behind what it repeats; moves past it. What repeats goes on: a stride of 0 would
// name the same again.
bool parse_repeats(std::string_view& text, interval& of) {
  for (std::int64_t* const field : {&of.length, &of.stride}) {
    if (!text.starts_with(':')) break;
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find_first_of(":,"), text.size());
    const auto number = parse_whole_number(text.substr(0, digits));
    // More cannot be CPUs, and would overflow.
    if (!number || *number < -std::int64_t{cpu_set::k_most} || *number > std::int64_t{cpu_set::k_most}) return false;
    *field = *number;
    text.remove_prefix(digits);
  }
  return of.length > 0 && (of.stride != 0 || of.length == 1);
}

// "0", "0:4", "0:4:2", separated by commas: what is within braces.
std::optional<cpu_set> parse_place(std::string_view text) {
  cpu_set cpus;
  do {
    const std::size_t digits = std::min(text.find_first_of(":,"), text.size());
    const auto first = parse_whole_number(text.substr(0, digits));
    if (!first || *first >= cpu_set::k_most) return std::nullopt;
    text.remove_prefix(digits);
    interval some{*first};
    if (!parse_repeats(text, some)) return std::nullopt;
    for (std::int64_t i = 0; i < some.length; ++i) {
      const std::int64_t cpu = some.first + i * some.stride;
      if (cpu < 0 || cpu >= cpu_set::k_most) return std::nullopt;
      cpus.add(static_cast<unsigned>(cpu));
    }
    if (text.empty()) return cpus;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  } while (true);
}

std::optional<cpu_set> moved(const cpu_set& place, std::int64_t by) {
  cpu_set cpus;
  for (unsigned cpu = place.after(-1); cpu < cpu_set::k_most; cpu = place.after(static_cast<int>(cpu))) {
    const std::int64_t to = cpu + by;
    if (to < 0 || to >= cpu_set::k_most) return std::nullopt;
    cpus.add(static_cast<unsigned>(to));
  }
  return cpus;
}

// "{0,1},{2:2}", "{0:2}:4:2"; a number alone is a place of one CPU. At most as many places as there can be CPUs: a few
// characters more would take any memory.
std::optional<std::vector<cpu_set>> parse_list(std::string_view text) {
  std::vector<cpu_set> list;
  do {
    std::string_view one;
    if (text.starts_with('{')) {
      const std::size_t end = text.find('}');
      if (end == text.npos) return std::nullopt;
      one = text.substr(1, end - 1);
      text.remove_prefix(end + 1);
    } else {
      const std::size_t digits = std::min(text.find_first_of(":,"), text.size());
      one = text.substr(0, digits);
      text.remove_prefix(digits);
    }
    const auto place = parse_place(one);
    interval some{0};
    if (!place || !parse_repeats(text, some)) return std::nullopt;
    if (static_cast<std::size_t>(some.length) > cpu_set::k_most - list.size()) return std::nullopt;
    for (std::int64_t i = 0; i < some.length; ++i) {
      const auto next = moved(*place, i * some.stride);
      if (!next) return std::nullopt;
      list.push_back(*next);
    }
    if (text.empty()) return list;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  } while (true);
}

}  // namespace

std::optional<places> parse_places(std::string_view given) {
  const std::string whole = plain(given);
  std::string_view text = whole;
  if (text.empty()) return std::nullopt;
  if (std::isalpha(static_cast<unsigned char>(text.front())) == 0) {
    auto list = parse_list(text);
    if (!list) return std::nullopt;
    return places{.what = places::kind::listed, .list = std::move(*list)};
  }
  const std::string_view name = take_field(text, '(');
  places found;
  if (name == "threads") {
    found.what = places::kind::threads;
  } else if (name == "sockets" || name == "ll_caches" || name == "numa_domains") {
    found.what = places::kind::caches;
  } else if (name != "cores") {
    return std::nullopt;
  }
  if (name.size() == whole.size()) return found;
  if (found.what == places::kind::caches || !text.ends_with(')')) return std::nullopt;
  text.remove_suffix(1);
  const auto count = parse_whole_number(text);
  if (!count || *count < 1 || *count > cpu_set::k_most) return std::nullopt;
  found.count = static_cast<unsigned>(*count);
  return found;
}

std::optional<binding> parse_proc_bind(std::string_view given) {
  const std::string whole = plain(given);
  std::string_view text = whole;
  std::optional<binding> first;
  for (bool is_last = false; !is_last;) {
    is_last = text.find(',') == text.npos;
    const std::string_view name = take_field(text, ',');
    binding one = binding::close;
    if (name == "false") {
      one = binding::none;
    } else if (name == "spread") {
      one = binding::spread;
    } else if (name != "true" && name != "close" && name != "master" && name != "primary") {
      return std::nullopt;
    }
    if (!first) first = one;
  }
  return first;
}

place_hints hints_of_environment() {
  place_hints hints;
  if (const char* const text = std::getenv("OMP_PLACES"); text != nullptr) {
    auto where = parse_places(text);
    hints.is_bad_places = !where;
    if (where) hints.wanted.where = std::move(*where);
  }
  if (const char* const text = std::getenv("OMP_PROC_BIND"); text != nullptr) {
    const auto how = parse_proc_bind(text);
    hints.is_bad_proc_bind = !how;
    hints.wanted.how = how.value_or(binding::close);
  }
  return hints;
}

}  // namespace takt::omp
