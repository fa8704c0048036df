// Signs of determinants of point coordinates, without rounding errors.
//
// Each test first evaluates its determinant in doubles with a bound on the error; only where
// the bound cannot tell the sign is the determinant evaluated exactly, as an expansion: a sum
// of doubles that do not overlap (Shewchuk, Adaptive Precision Floating-Point Arithmetic and
// Fast Robust Geometric Predicates, 1997, sections 2 and 4).
//
// Exact for coordinates that are zero or between 1e-70 and 1e70 in magnitude: nothing may
// overflow, or underflow in an error term.
#pragma once

#include <cmath>

#include "pbbs/geometry/point.hpp"

namespace takt::bench::pbbs {

// Half a unit in the last place of 1.
inline constexpr double k_half_ulp = 0x1.0p-53;

// The sign (-1, 0, 1) of (b - a) x (d - c).
int exact_cross_sign(const point2& a, const point2& b, const point2& c, const point2& d);
int exact_in_circle(const point2& a, const point2& b, const point2& c, const point2& d);

inline int sign_of(double value) { return (value > 0 ? 1 : 0) - (value < 0 ? 1 : 0); }

// The sign of (b - a) x (d - c): 1 if d - c points to the left of b - a.
inline int cross_sign(const point2& a, const point2& b, const point2& c, const point2& d) {
  const double left = (b.x() - a.x()) * (d.y() - c.y());
  const double right = (b.y() - a.y()) * (d.x() - c.x());
  const double value = left - right;
  constexpr double relative = (3.0 + 16.0 * k_half_ulp) * k_half_ulp;
  const double bound = relative * (std::fabs(left) + std::fabs(right));
  if (std::fabs(value) > bound) {
    return value > 0 ? 1 : -1;
  }
  return exact_cross_sign(a, b, c, d);
}

// 1 if a, b, c turn left, -1 if they turn right, 0 if they are on one line.
inline int orientation(const point2& a, const point2& b, const point2& c) {
  return cross_sign(a, b, a, c);
}

// For a, b, c that turn left: 1 if d is inside their circle, -1 outside, 0 on it.
inline int in_circle(const point2& a, const point2& b, const point2& c, const point2& d) {
  const double adx = a.x() - d.x();
  const double ady = a.y() - d.y();
  const double bdx = b.x() - d.x();
  const double bdy = b.y() - d.y();
  const double cdx = c.x() - d.x();
  const double cdy = c.y() - d.y();
  const double bc = bdx * cdy;
  const double cb = cdx * bdy;
  const double ca = cdx * ady;
  const double ac = adx * cdy;
  const double ab = adx * bdy;
  const double ba = bdx * ady;
  const double a_lift = adx * adx + ady * ady;
  const double b_lift = bdx * bdx + bdy * bdy;
  const double c_lift = cdx * cdx + cdy * cdy;
  const double value = a_lift * (bc - cb) + b_lift * (ca - ac) + c_lift * (ab - ba);
  const double magnitude = (std::fabs(bc) + std::fabs(cb)) * a_lift +
                           (std::fabs(ca) + std::fabs(ac)) * b_lift +
                           (std::fabs(ab) + std::fabs(ba)) * c_lift;
  constexpr double relative = (10.0 + 96.0 * k_half_ulp) * k_half_ulp;
  if (std::fabs(value) > relative * magnitude) {
    return value > 0 ? 1 : -1;
  }
  return exact_in_circle(a, b, c, d);
}

}  // namespace takt::bench::pbbs
