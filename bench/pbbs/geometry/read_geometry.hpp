// Readers for point clouds and triangle meshes in text form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pbbs/geometry/point.hpp"
#include "pbbs/geometry/triangle_mesh.hpp"

namespace takt::bench::pbbs {

// Points of an xyz file: three numbers a line; what follows them on a line is skipped, and so
// are empty lines and lines that begin with '#'.
//
// Throws input_error, one line that names the file and the line, for a file that cannot be
// read or is not of this kind. Linear time and space.
std::vector<point3> read_points(const std::string& path);
std::vector<point3> parse_points(std::string_view text, std::string_view name);

// A mesh in Object File Format: "OFF", the numbers of vertices, faces and edges, the vertices,
// and the faces as a number of corners and their indices from 0. Faces of more than three
// corners are cut into triangles around their first corner; colours are skipped.
//
// Throws and costs as read_points does.
triangle_mesh read_mesh(const std::string& path);
triangle_mesh parse_mesh(std::string_view text, std::string_view name);

}  // namespace takt::bench::pbbs
