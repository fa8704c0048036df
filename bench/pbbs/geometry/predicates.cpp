#include "pbbs/geometry/predicates.hpp"

#include <array>
#include <cstddef>

namespace takt::bench::pbbs {
namespace {

// The value and what was lost in rounding it; value + error is exact.
struct rounded {
  double value;
  double error;
};

rounded add(double a, double b) {
  const double value = a + b;
  const double b_part = value - a;
  return {value, (a - (value - b_part)) + (b - b_part)};
}

// Two halves of 26 bits, whose products are exact.
rounded halves(double a) {
  constexpr double k_splitter = 0x1.0p27 + 1;
  const double scaled = k_splitter * a;
  const double high = scaled - (scaled - a);
  return {high, a - high};
}

rounded multiply(double a, double b) {
  const double value = a * b;
  const rounded x = halves(a);
  const rounded y = halves(b);
  const double rest = ((x.value * y.value - value) + x.value * y.error) + x.error * y.value;
  return {value, rest + x.error * y.error};
}

// A sum of at most Capacity doubles that do not overlap, smallest first, none of them zero.
template <std::size_t Capacity>
struct expansion {
  std::array<double, Capacity> term;
  std::size_t size = 0;

  void append(double value) {
    if (value != 0) {
      term[size++] = value;
    }
  }
  int sign() const { return size == 0 ? 0 : sign_of(term[size - 1]); }
};

expansion<2> difference(double a, double b) {
  const rounded exact = add(a, -b);
  expansion<2> out;
  out.append(exact.error);
  out.append(exact.value);
  return out;
}

// Merges the terms by magnitude and adds them up; Shewchuk's FAST-EXPANSION-SUM, theorem 13.
template <std::size_t N, std::size_t M>
expansion<N + M> sum(const expansion<N>& a, const expansion<M>& b, double sign_of_b = 1) {
  expansion<N + M> out;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto next = [&] {
    const bool from_a = j == b.size || (i < a.size && std::fabs(a.term[i]) < std::fabs(b.term[j]));
    return from_a ? a.term[i++] : sign_of_b * b.term[j++];
  };
  if (a.size + b.size == 0) {
    return out;
  }
  double running = next();
  while (i < a.size || j < b.size) {
    const rounded step = add(running, next());
    out.append(step.error);
    running = step.value;
  }
  out.append(running);
  return out;
}

// Shewchuk's SCALE-EXPANSION, theorem 19.
template <std::size_t N>
expansion<2 * N> scaled(const expansion<N>& a, double factor) {
  expansion<2 * N> out;
  if (a.size == 0) {
    return out;
  }
  rounded running = multiply(a.term[0], factor);
  out.append(running.error);
  for (std::size_t i = 1; i < a.size; ++i) {
    const rounded product = multiply(a.term[i], factor);
    const rounded low = add(running.value, product.error);
    out.append(low.error);
    running = add(product.value, low.value);
    out.append(running.error);
  }
  out.append(running.value);
  return out;
}

template <std::size_t N, std::size_t M>
expansion<2 * N * M> product(const expansion<N>& a, const expansion<M>& b) {
  expansion<2 * N * M> out;
  for (std::size_t j = 0; j < b.size; ++j) {
    const auto larger = sum(out, scaled(a, b.term[j]));
    std::copy_n(larger.term.begin(), larger.size, out.term.begin());
    out.size = larger.size;
  }
  return out;
}

using offset = expansion<2>;

// ax * by - ay * bx
expansion<16> cross(const offset& ax, const offset& ay, const offset& bx, const offset& by) {
  return sum(product(ax, by), product(ay, bx), -1);
}

}  // namespace

int exact_cross_sign(const point2& a, const point2& b, const point2& c, const point2& d) {
  return cross(difference(b.x(), a.x()), difference(b.y(), a.y()), difference(d.x(), c.x()),
               difference(d.y(), c.y()))
      .sign();
}

int exact_in_circle(const point2& a, const point2& b, const point2& c, const point2& d) {
  const std::array<const point2*, 3> corners = {&a, &b, &c};
  std::array<offset, 3> dx;
  std::array<offset, 3> dy;
  for (std::size_t i = 0; i < 3; ++i) {
    dx[i] = difference(corners[i]->x(), d.x());
    dy[i] = difference(corners[i]->y(), d.y());
  }
  const auto part = [&](std::size_t i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    return product(cross(dx[j], dy[j], dx[k], dy[k]),
                   sum(product(dx[i], dx[i]), product(dy[i], dy[i])));
  };
  return sum(sum(part(0), part(1)), part(2)).sign();
}

}  // namespace takt::bench::pbbs
