#include "debian_packages.hpp"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <utility>

namespace pagerank {
namespace {

using named_edges = std::multiset<std::pair<std::string, std::string>>;

package_graph read(const std::string& text) {
  std::istringstream in(text);
  return read_package_list(in);
}

named_edges edges_of(const package_graph& g) {
  named_edges result;
  for (const edge& e : g.edges) {
    result.emplace(g.names.at(static_cast<std::size_t>(e.from)), g.names.at(static_cast<std::size_t>(e.to)));
  }
  return result;
}

std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const package_list_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(debian_packages, takes_the_four_dependency_fields_and_no_other) {
  const package_graph g = read(
      "Package: a\n"
      "Version: 1.0: 2\n"
      "Pre-Depends: pre\n"
      "Depends: dep\n"
      "Recommends: rec\n"
      "Suggests: sug\n"
      "Conflicts: con\n"
      "Build-Depends: bld\n"
      "Enhances: enh\n");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "pre"}, {"a", "dep"}, {"a", "rec"}, {"a", "sug"}}));
  EXPECT_EQ(g.packages, 1);
  EXPECT_EQ(g.names.size(), 5u);
}

TEST(debian_packages, drops_versions_architectures_and_profiles) {
  const package_graph g = read(
      "Package: a\n"
      "Depends: b (>= 1:2.0~rc1-3), c:any, d:amd64 (<< 4), e [amd64 !i386] <!nocheck>,f(=1),"
      "libstdc++6,g\n");
  EXPECT_EQ(edges_of(g),
            (named_edges{{"a", "b"}, {"a", "c"}, {"a", "d"}, {"a", "e"}, {"a", "f"}, {"a", "libstdc++6"}, {"a", "g"}}));
}

TEST(debian_packages, counts_every_alternative) {
  const package_graph g = read("Package: a\nDepends: b (>= 2) | c:any|d, e\n");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"a", "c"}, {"a", "d"}, {"a", "e"}}));
}

TEST(debian_packages, joins_folded_fields) {
  const package_graph g = read(
      "Package: a\n"
      "Description: about\n"
      " Depends: this is prose, not a field\n"
      " .\n"
      "Depends: b,\n"
      " c (>=\n"
      "\t1.0) |\n"
      " d\n"
      "Suggests:\n"
      " e,\n"
      " f,\n");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"a", "c"}, {"a", "d"}, {"a", "e"}, {"a", "f"}}));
}

TEST(debian_packages, field_names_have_no_case_and_no_order) {
  const package_graph g = read("DEPENDS: b\npackage: a\npre-depends: c\n");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"a", "c"}}));
}

TEST(debian_packages, a_stanza_ends_at_a_blank_line_or_the_end) {
  const package_graph g =
      read("\n\nPackage: a\r\nDepends: b\r\n\r\n# a remark\nPackage: b\n \t\nPackage: c\nDepends: a");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"c", "a"}}));
  EXPECT_EQ(g.packages, 3);
}

TEST(debian_packages, names_without_a_stanza_are_nodes_but_no_packages) {
  const package_graph g = read("Package: a\nDepends: virtual\n\nPackage: b\nDepends: virtual, a\n");
  EXPECT_EQ(g.packages, 2);
  EXPECT_EQ(g.names, (std::vector<std::string>{"a", "virtual", "b"}));
}

TEST(debian_packages, stanzas_of_one_package_are_one_node) {
  const package_graph g = read(
      "Package: a\nArchitecture: amd64\nDepends: b\n\n"
      "Package: a\nArchitecture: i386\nDepends: b, c\n");
  EXPECT_EQ(g.packages, 1);
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"a", "b"}, {"a", "c"}}));
}

TEST(debian_packages, empty_input_is_an_empty_graph) {
  for (const char* text : {"", "\n", " \n\t\n", "# nothing\n"}) {
    const package_graph g = read(text);
    EXPECT_EQ(g.packages, 0) << text;
    EXPECT_TRUE(g.names.empty()) << text;
    EXPECT_TRUE(g.edges.empty()) << text;
  }
}

TEST(debian_packages, empty_relations_are_nothing) {
  const package_graph g = read("Package: a\nDepends: , b,, |c ,\nSuggests:\n");
  EXPECT_EQ(edges_of(g), (named_edges{{"a", "b"}, {"a", "c"}}));
}

TEST(debian_packages, garbage_is_refused_with_its_line) {
  EXPECT_EQ(message_of("Package: a\nthis is no field\n"), "line 2: expected \"Field: value\"");
  EXPECT_EQ(message_of("two words: value\n"), "line 1: expected \"Field: value\"");
  EXPECT_EQ(message_of(": value\n"), "line 1: expected \"Field: value\"");
  EXPECT_EQ(message_of("\n folded\n"), "line 2: a folded line continues no field");
  EXPECT_EQ(message_of("Version: 1\n\n"), "line 2: a stanza without a Package field ends here");
  EXPECT_EQ(message_of("Package:\nDepends: b\n"), "line 1: not a package name: \"\"");
  EXPECT_EQ(message_of("Package: a b\n"), "line 1: not a package name: \"a b\"");
  EXPECT_EQ(message_of("Package: a\n b\n"), "line 2: a package name goes over several lines");
  EXPECT_EQ(message_of("Package: a\nDepends: b, (>= 1)\n"), "line 2: not a dependency: \"(>= 1)\"");
}

// What is quoted goes to a terminal, on one line.
TEST(debian_packages, a_message_quotes_no_control_characters) {
  EXPECT_EQ(message_of("Package: \x1b[2J\n"), "line 1: not a package name: \"?[2J\"");
}

}  // namespace
}  // namespace pagerank
