#include "debian_packages.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pagerank {
namespace {

constexpr std::string_view k_blanks = " \t\r";

// Field names are case-insensitive (Debian Policy 5.1).
bool same_field(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool names_dependencies(std::string_view field) {
  constexpr std::array<std::string_view, 4> k_fields{"Depends", "Pre-Depends", "Recommends", "Suggests"};
  return std::any_of(k_fields.begin(), k_fields.end(),
                     [&](std::string_view known) { return same_field(field, known); });
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(k_blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

// For a message: one line, no longer than that, and nothing that a terminal would act on.
std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 40));
  std::replace_if(shown.begin(), shown.end(), [](unsigned char c) { return std::isprint(c) == 0; }, '?');
  return '"' + shown + '"';
}

// Goes through the list line by line: a field ends where the next one begins, and a stanza at a
// blank line. Nothing of a list is kept but names and edges, as lists have 50 MB and more.
class reader {
 public:
  void read(std::istream& in) {
    std::string line;
    while (std::getline(in, line)) {
      ++line_;
      take(line);
    }
    end_stanza();
  }

  package_graph result() && { return std::move(result_); }

 private:
  enum class inside { other_field, package, dependencies };

  void take(std::string_view line) {
    if (trim(line).empty()) {
      end_stanza();
    } else if (line.front() == ' ' || line.front() == '\t') {
      continue_field(trim(line));
    } else if (line.front() != '#') {
      begin_field(line);
    }
  }

  void begin_field(std::string_view line) {
    end_field();
    const auto colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    // Without this test, any text with a colon here and there would pass for a package list.
    if (colon == std::string_view::npos || colon == 0 || field.find_first_of(k_blanks) != std::string_view::npos) {
      fail(line_, "expected \"Field: value\"");
    }
    in_stanza_ = true;
    if (same_field(field, "Package")) {
      inside_ = inside::package;
    } else if (names_dependencies(field)) {
      inside_ = inside::dependencies;
    } else {
      return;
    }
    value_ = trim(line.substr(colon + 1));
    value_line_ = line_;
  }

  void continue_field(std::string_view text) {
    if (!in_stanza_) {
      fail(line_, "a folded line continues no field");
    }
    if (inside_ == inside::dependencies) {
      // A folded line may end or begin anywhere between two words.
      value_.append(" ").append(text);
    } else if (inside_ == inside::package) {
      fail(line_, "a package name goes over several lines");
    }
  }

  void end_field() {
    if (inside_ == inside::package) {
      if (value_.empty() || name_end(value_) != value_.size()) {
        fail(value_line_, "not a package name: " + quoted(value_));
      }
      package_ = node(value_);
    } else if (inside_ == inside::dependencies) {
      // The Package field need not come first, so edges wait for the end of the stanza.
      add_relations(value_);
    }
    inside_ = inside::other_field;
  }

  void end_stanza() {
    end_field();
    if (in_stanza_ && package_ == k_none) {
      fail(line_, "a stanza without a Package field ends here");
    }
    for (const std::int32_t named : named_) {
      result_.edges.push_back({package_, named});
    }
    if (in_stanza_ && !has_stanza_[static_cast<std::size_t>(package_)]) {
      has_stanza_[static_cast<std::size_t>(package_)] = true;
      ++result_.packages;
    }
    named_.clear();
    package_ = k_none;
    in_stanza_ = false;
  }

  // "a (>= 1) | b:any, c [amd64] <!nocheck>" names a, b and c.
  void add_relations(std::string_view relations) {
    while (!relations.empty()) {
      const auto comma = std::min(relations.find_first_of(",|"), relations.size());
      const std::string_view relation = trim(relations.substr(0, comma));
      const std::string_view name = relation.substr(0, name_end(relation));
      if (!name.empty()) {
        named_.push_back(node(name));
      } else if (!relation.empty()) {
        fail(value_line_, "not a dependency: " + quoted(relation));
      }
      relations.remove_prefix(std::min(comma + 1, relations.size()));
    }
  }

  // Wider than Policy 5.6.1 asks for: a foreign archive with an odd name is no reason to stop.
  static std::size_t name_end(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.' || c == '_' || c == '~';
    });
    return static_cast<std::size_t>(end - text.begin());
  }

  std::int32_t node(std::string_view name) {
    const auto [place, added] = nodes_.try_emplace(std::string(name), static_cast<std::int32_t>(nodes_.size()));
    if (added) {
      result_.names.emplace_back(name);
      has_stanza_.push_back(false);
    }
    return place->second;
  }

  [[noreturn]] static void fail(std::int64_t line, const std::string& what) { throw package_list_error(line, what); }

  static constexpr std::int32_t k_none = -1;

  package_graph result_;
  std::unordered_map<std::string, std::int32_t> nodes_;
  std::vector<bool> has_stanza_;
  std::int64_t line_ = 0;

  bool in_stanza_ = false;
  inside inside_ = inside::other_field;
  std::string value_;
  std::int64_t value_line_ = 0;  // where it begins: it is looked at when it has ended
  std::int32_t package_ = k_none;
  std::vector<std::int32_t> named_;
};

}  // namespace

package_graph read_package_list(std::istream& in) {
  reader r;
  r.read(in);
  return std::move(r).result();
}

}  // namespace pagerank
