// Triangle meshes in space, and rays that are cast at them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt::bench::pbbs {

using vector3f = std::array<float, 3>;

struct triangle_mesh {
  std::vector<vector3f> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// From `start` towards `end`, and on beyond it.
struct ray {
  vector3f start;
  vector3f end;
};

// Rays from random places on the lowest side of the mesh's bounding box to random places on
// its uppermost, as in the paper's appendix A.
std::vector<ray> rays_through(const triangle_mesh& mesh, std::size_t count, std::uint64_t seed);

}  // namespace takt::bench::pbbs
