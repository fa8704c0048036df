#include "pbbs/geometry/read_geometry.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <iterator>
#include <system_error>

#include "harness/problem.hpp"

namespace takt::bench::pbbs {
namespace {

std::string text_of(const std::string& path) {
  // A folder can be opened and read as an empty file.
  if (std::filesystem::is_directory(path)) {
    throw input_error(path + ": is a folder");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw input_error(path + ": cannot be read");
  }
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) {
    throw input_error(path + ": cannot be read");
  }
  return text;
}

// Walks over the lines that hold data, and over the words of a line.
class line_reader {
 public:
  line_reader(std::string_view text, std::string_view name) : text_(text), name_(name) {
    if (text.starts_with("\x28\xB5\x2F\xFD") || text.starts_with("\x1F\x8B")) {
      line_number_ = 1;
      fail("the file is compressed; decompress it first");
    }
  }

  bool next_line() {
    while (!text_.empty()) {
      const std::size_t end = text_.find('\n');
      line_ = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      ++line_number_;
      skip_space();
      if (!line_.empty() && line_.front() != '#') {
        return true;
      }
    }
    return false;
  }

  std::string_view word() {
    skip_space();
    const std::string_view found = line_.substr(0, line_.find_first_of(k_space));
    line_.remove_prefix(found.size());
    return found;
  }

  template <class Number>
  Number number(const char* what) {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty()) {
      fail(std::string(what) + " is missing");
    }
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail(std::string(what) + " is not a number that can be used");
    }
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(value)) {
        fail(std::string(what) + " is not finite");
      }
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw input_error(std::string(name_) + ":" + std::to_string(line_number_) + ": " + message);
  }

 private:
  static constexpr std::string_view k_space = " \t\r";

  void skip_space() {
    line_.remove_prefix(std::min(line_.find_first_not_of(k_space), line_.size()));
  }

  std::string_view text_;
  std::string_view name_;
  std::string_view line_;
  std::size_t line_number_ = 0;
};

}  // namespace

std::vector<point3> parse_points(std::string_view text, std::string_view name) {
  line_reader lines(text, name);
  std::vector<point3> points;
  while (lines.next_line()) {
    point3 p;
    for (double& coordinate : p.at) {
      coordinate = lines.number<double>("a coordinate");
    }
    points.push_back(p);
  }
  if (points.empty()) {
    lines.fail("the file has no points");
  }
  return points;
}

triangle_mesh parse_mesh(std::string_view text, std::string_view name) {
  line_reader lines(text, name);
  if (!lines.next_line() || lines.word() != "OFF") {
    lines.fail("not a mesh file: the first line must be OFF");
  }
  if (!lines.next_line()) {
    lines.fail("the numbers of vertices and faces are missing");
  }
  const auto vertices = lines.number<std::uint32_t>("the number of vertices");
  const auto faces = lines.number<std::uint32_t>("the number of faces");
  triangle_mesh mesh;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (!lines.next_line()) {
      lines.fail("the file ends before its last vertex");
    }
    vector3f& corner = mesh.vertices.emplace_back();
    for (float& coordinate : corner) {
      coordinate = lines.number<float>("a coordinate");
    }
  }
  for (std::uint32_t face = 0; face < faces; ++face) {
    if (!lines.next_line()) {
      lines.fail("the file ends before its last face");
    }
    const auto corners = lines.number<std::uint32_t>("the number of corners");
    const auto corner = [&] {
      const auto index = lines.number<std::uint32_t>("a corner");
      if (index >= vertices) {
        lines.fail("corner " + std::to_string(index) + " is not below " +
                   std::to_string(vertices));
      }
      return index;
    };
    if (corners < 3) {
      lines.fail("a face needs three corners");
    }
    const std::uint32_t first = corner();
    std::uint32_t previous = corner();
    for (std::uint32_t c = 2; c < corners; ++c) {
      const std::uint32_t next = corner();
      mesh.triangles.push_back({first, previous, next});
      previous = next;
    }
  }
  if (mesh.triangles.empty()) {
    lines.fail("the mesh has no faces");
  }
  return mesh;
}

std::vector<point3> read_points(const std::string& path) {
  return parse_points(text_of(path), path);
}

triangle_mesh read_mesh(const std::string& path) { return parse_mesh(text_of(path), path); }

}  // namespace takt::bench::pbbs
