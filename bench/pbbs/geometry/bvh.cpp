#include "pbbs/geometry/bvh.hpp"

#include <utility>

namespace takt::bench::pbbs {
namespace {

using vector3d = std::array<double, 3>;

vector3d difference(const vector3f& a, const vector3f& b) {
  return {static_cast<double>(a[0]) - static_cast<double>(b[0]),
          static_cast<double>(a[1]) - static_cast<double>(b[1]),
          static_cast<double>(a[2]) - static_cast<double>(b[2])};
}

vector3d cross(const vector3d& a, const vector3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const vector3d& a, const vector3d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The part of a ray that is within a box, in floats. Bounds and start are floats, so the
// distances to the planes are wrong by a few times 2^-24 of themselves and not more; widening
// by k_slack makes sure that no box is missed (Ize, Robust BVH Ray Traversal, 2013).
class box_test {
 public:
  static constexpr float k_slack = 1 + 1e-6F;

  explicit box_test(const ray& r) : start_(r.start) {
    const vector3d direction = difference(r.end, r.start);
    constexpr double k_largest = std::numeric_limits<float>::max();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // Finite: a ray that runs within a plane is 0 away from it, and 0 times this is 0.
      inverse_[axis] = static_cast<float>(std::clamp(1 / direction[axis], -k_largest, k_largest));
    }
  }

  // Where the ray enters the box; infinity if it misses it.
  float entry(const box3f& around) const {
    float enter = 0;
    float leave = box3f::k_infinity;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float to_low = (around.low[axis] - start_[axis]) * inverse_[axis];
      const float to_high = (around.high[axis] - start_[axis]) * inverse_[axis];
      enter = std::max(enter, std::min(to_low, to_high));
      leave = std::min(leave, std::max(to_low, to_high));
    }
    return enter <= leave * k_slack ? enter : box3f::k_infinity;
  }

 private:
  vector3f start_;
  vector3f inverse_;
};

}  // namespace

void offer_triangle(const ray& r, const placed_triangle& t, hit& found) {
  const vector3d direction = difference(r.end, r.start);
  const vector3d side_a = difference(t.corner[1], t.corner[0]);
  const vector3d side_b = difference(t.corner[2], t.corner[0]);
  const vector3d normal_b = cross(direction, side_b);
  const double determinant = dot(side_a, normal_b);
  if (determinant == 0) {
    return;
  }
  const double inverse = 1 / determinant;
  const vector3d to_start = difference(r.start, t.corner[0]);
  const double along_a = dot(to_start, normal_b) * inverse;
  if (!(along_a >= 0 && along_a <= 1)) {
    return;
  }
  const vector3d normal_a = cross(to_start, side_a);
  const double along_b = dot(direction, normal_a) * inverse;
  if (!(along_b >= 0 && along_a + along_b <= 1)) {
    return;
  }
  const double distance = dot(side_b, normal_a) * inverse;
  if (distance >= 0) {
    found.offer(distance, t.id);
  }
}

bvh::part bvh::part_of(std::size_t triangle) const {
  part p;
  p.id = static_cast<std::uint32_t>(triangle);
  for (const std::uint32_t corner : mesh_.triangles[triangle]) {
    p.around.include(mesh_.vertices[corner]);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    p.around.low[axis] -= margin_;
    p.around.high[axis] += margin_;
  }
  return p;
}

void bvh::make_leaf(std::uint32_t place, std::size_t begin, const part* parts, std::size_t size) {
  nodes_[place].first = static_cast<std::uint32_t>(begin);
  nodes_[place].count = static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto& corners = mesh_.triangles[parts[i].id];
    triangles_[begin + i] = {{mesh_.vertices[corners[0]], mesh_.vertices[corners[1]],
                              mesh_.vertices[corners[2]]},
                             parts[i].id};
  }
}

std::size_t bvh::best_bin(const bins& all, const box3f& around, std::size_t size) {
  // In units of what a triangle costs; a step down the tree costs about as much.
  constexpr float k_step = 1;
  constexpr std::size_t k_largest_leaf = 8;
  std::array<float, k_bins> right_cost{};
  box3f box;
  std::uint32_t count = 0;
  for (std::size_t bin = k_bins - 1; bin > 0; --bin) {
    box.include(all.around[bin]);
    count += all.count[bin];
    right_cost[bin] = count == 0 ? 0 : box.half_area() * static_cast<float>(count);
  }
  box = {};
  count = 0;
  std::size_t best = 0;
  float best_cost = box3f::k_infinity;
  for (std::size_t bin = 1; bin < k_bins; ++bin) {
    box.include(all.around[bin - 1]);
    count += all.count[bin - 1];
    if (count == 0 || count == size) {
      continue;
    }
    const float cost = box.half_area() * static_cast<float>(count) + right_cost[bin];
    if (cost < best_cost) {
      best_cost = cost;
      best = bin;
    }
  }
  const float area = around.half_area();
  const bool leaf_is_better = best_cost + k_step * area >= area * static_cast<float>(size);
  return leaf_is_better && size <= k_largest_leaf ? 0 : best;
}

void bvh::build_serially(std::uint32_t place, std::size_t begin, part* here, std::size_t size) {
  bounds all;
  all.include(here, size);
  const std::optional<division> found =
      divide(place, size, all, [here, size](const binning& how) {
        bins filled;
        filled.include(how, here, size);
        return filled;
      });
  if (!found) {
    make_leaf(place, begin, here, size);
    return;
  }
  const part* const middle = std::partition(
      here, here + size, [at = *found](const part& p) { return at.is_left(p); });
  const auto left = static_cast<std::size_t>(middle - here);
  const std::uint32_t child = make_inner(place);
  build_serially(child, begin, here, left);
  build_serially(child + 1, begin + left, here + left, size - left);
}

hit bvh::first_hit(const ray& r) const {
  struct waiting {
    std::uint32_t node;
    float entry;
  };
  // One node waits for every level at most.
  std::vector<waiting> more;
  std::array<waiting, 64> stack;
  std::size_t depth = 0;
  const auto push = [&](waiting w) {
    if (depth < stack.size()) {
      stack[depth] = w;
    } else {
      more.push_back(w);
    }
    ++depth;
  };
  const auto pop = [&] {
    --depth;
    if (depth < stack.size()) {
      return stack[depth];
    }
    const waiting w = more.back();
    more.pop_back();
    return w;
  };
  hit found;
  const box_test test(r);
  const auto may_be_nearer = [&found](float entry) {
    return entry < box3f::k_infinity &&
           static_cast<double>(entry) <= found.distance * static_cast<double>(box_test::k_slack);
  };
  if (nodes_.size() == 1) {
    return found;
  }
  push({0, test.entry(nodes_[0].around)});
  while (depth > 0) {
    const waiting next = pop();
    if (!may_be_nearer(next.entry)) {
      continue;
    }
    const node* here = &nodes_[next.node];
    // Down to a leaf, by the nearer child.
    while (here->count == 0) {
      const std::uint32_t left = here->first;
      waiting near = {left, test.entry(nodes_[left].around)};
      waiting far = {left + 1, test.entry(nodes_[left + 1].around)};
      if (far.entry < near.entry) {
        std::swap(near, far);
      }
      if (!may_be_nearer(near.entry)) {
        here = nullptr;
        break;
      }
      if (may_be_nearer(far.entry)) {
        push(far);
      }
      here = &nodes_[near.node];
    }
    for (std::uint32_t i = 0; here != nullptr && i < here->count; ++i) {
      offer_triangle(r, triangles_[here->first + i], found);
    }
  }
  return found;
}

float serial_bvh::largest_in(const triangle_mesh& mesh) {
  float largest = 0;
  for (const vector3f& v : mesh.vertices) {
    largest = std::max(largest, largest_of(v));
  }
  return largest;
}

serial_bvh::serial_bvh(const triangle_mesh& mesh) : bvh(mesh, largest_in(mesh)) {
  const std::size_t size = mesh.triangles.size();
  array<part> parts(size);
  for (std::size_t i = 0; i < size; ++i) {
    parts[i] = part_of(i);
  }
  build_serially(0, 0, parts.data(), size);
}

bool are_first_hits(const triangle_mesh& mesh, const std::vector<ray>& rays,
                    const std::vector<hit>& got, std::size_t some) {
  const std::size_t size = rays.size();
  if (got.size() != size) {
    return false;
  }
  for (std::size_t pick = 0; pick < std::min(some, size); ++pick) {
    const std::size_t i = pick * size / std::min(some, size);
    hit found;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      offer_triangle(rays[i],
                     {{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]},
                      static_cast<std::uint32_t>(t)},
                     found);
    }
    if (got[i] != found) {
      return false;
    }
  }
  return true;
}

}  // namespace takt::bench::pbbs
