// The eight programs, without cut-offs but those that the paper has (blocks of LU, leaves of heat). What is a loop
// there is halved here, so that there is nothing but forks.
#include <utility>

#include "baggage/parallel.hpp"
#include "baggage/programs.hpp"

namespace takt::bench {
namespace {

// --- fib

TAKT_BAGGAGE_RECURSIVE long fib(long n) {
  if (n < 2) return n;
  return par::sum([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
}

const enrol<baggage_fib> the_fib(par::k_system,
                                 [](const baggage_fib::input& in, long& out) { par::root([&] { out = fib(in); }); });

// --- integrate

TAKT_BAGGAGE_RECURSIVE double integrate(double left, double right, double at_left, double at_right, double area) {
  const double half = (right - left) * 0.5;
  const double middle = left + half;
  const double at_middle = baggage_integrate::f(middle);
  const double area_left = (at_left + at_middle) * half * 0.5;
  const double area_right = (at_middle + at_right) * half * 0.5;
  if (std::fabs(area_left + area_right - area) <= baggage_integrate::k_allowed) return area_left + area_right;
  return par::sum([=] { return integrate(middle, right, at_middle, at_right, area_right); },
                  [=] { return integrate(left, middle, at_left, at_middle, area_left); });
}

const enrol<baggage_integrate> the_integrate(par::k_system, [](const baggage_integrate::input& in, double& out) {
  par::root([&] { out = integrate(0.0, in, baggage_integrate::f(0.0), baggage_integrate::f(in), 0.0); });
});

// --- jacobi

// Rows [from, to) of the mesh inside its border.
TAKT_BAGGAGE_RECURSIVE void average(const double* now, double* next, std::size_t side, std::size_t from,
                                    std::size_t to) {
  if (to - from == 1) {
    const std::size_t width = side + 2;
    const double* const row = now + (from + 1) * width + 1;
    double* const out = next + (from + 1) * width + 1;
    for (std::size_t i = 0; i < side; ++i) out[i] = 0.25 * (row[i - width] + row[i + width] + row[i - 1] + row[i + 1]);
    return;
  }
  const std::size_t middle = from + (to - from) / 2;
  par::both([=] { average(now, next, side, from, middle); }, [=] { average(now, next, side, middle, to); });
}

const enrol<baggage_jacobi> the_jacobi(par::k_system, [](const baggage_jacobi::input& in, baggage_jacobi::answer& out) {
  par::root([&] {
    for (int step = 0; step < baggage_jacobi::k_steps; ++step) {
      average(out.now.data(), out.next.data(), in, 0, in);
      out.now.swap(out.next);
    }
  });
});

// --- matmul

struct product {
  const double* a;
  const double* b;
  double* c;
  std::size_t side;
};

TAKT_BAGGAGE_RECURSIVE void multiply(const product& p, std::size_t row, std::size_t rows, std::size_t column,
                                     std::size_t columns) {
  if (rows > baggage_matmul::k_block && rows >= columns) {
    const std::size_t half = rows / 2;
    par::both([=, &p] { multiply(p, row, half, column, columns); },
              [=, &p] { multiply(p, row + half, rows - half, column, columns); });
    return;
  }
  if (columns > baggage_matmul::k_block) {
    const std::size_t half = columns / 2;
    par::both([=, &p] { multiply(p, row, rows, column, half); },
              [=, &p] { multiply(p, row, rows, column + half, columns - half); });
    return;
  }
  for (std::size_t i = row; i < row + rows; ++i) {
    std::array<double, baggage_matmul::k_block> sums{};
    for (std::size_t k = 0; k < p.side; ++k) {
      const double x = p.a[i * p.side + k];
      const double* const from = p.b + k * p.side + column;
      for (std::size_t j = 0; j < columns; ++j) sums[j] += x * from[j];
    }
    std::copy_n(sums.data(), columns, p.c + i * p.side + column);
  }
}

const enrol<baggage_matmul> the_matmul(par::k_system, [](const baggage_matmul::input& in, baggage_matmul::answer& out) {
  const product p{in.a.data(), in.b.data(), out.data(), in.side};
  par::root([&] { multiply(p, 0, in.side, 0, in.side); });
});

// --- nqueens

using board = baggage_nqueens::board;

bool is_safe(const board& queens, int row, int column) {
  for (int r = 0; r < row; ++r) {
    const int distance = queens[static_cast<std::size_t>(r)] - column;
    if (distance == 0 || distance == row - r || distance == r - row) return false;
  }
  return true;
}

// Ways to go on with a queen of that row in one of the columns [from, to).
TAKT_BAGGAGE_RECURSIVE long place(int n, int row, const board& queens, int from, int to) {
  if (to - from > 1) {
    const int middle = from + (to - from) / 2;
    return par::sum([=, &queens] { return place(n, row, queens, from, middle); },
                    [=, &queens] { return place(n, row, queens, middle, to); });
  }
  if (!is_safe(queens, row, from)) return 0;
  if (row + 1 == n) return 1;
  board next = queens;
  next[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(from);
  return place(n, row + 1, next, 0, n);
}

const enrol<baggage_nqueens> the_nqueens(par::k_system, [](const baggage_nqueens::input& in, long& out) {
  par::root([&] { out = place(in, 0, board{}, 0, in); });
});

// --- quicksort

TAKT_BAGGAGE_RECURSIVE void sort(std::int32_t* a, std::ptrdiff_t count) {
  if (count <= baggage_quicksort::k_few) {
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      const std::int32_t x = a[i];
      std::ptrdiff_t j = i;
      for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
      a[j] = x;
    }
    return;
  }
  const std::int32_t pivot =
      std::max(std::min(a[0], a[count / 2]), std::min(std::max(a[0], a[count / 2]), a[count - 1]));
  std::ptrdiff_t i = -1;
  std::ptrdiff_t j = count;
  for (;;) {
    while (a[++i] < pivot) {
    }
    while (a[--j] > pivot) {
    }
    if (i >= j) break;
    std::swap(a[i], a[j]);
  }
  const std::ptrdiff_t left = j + 1;
  par::both([=] { sort(a, left); }, [=] { sort(a + left, count - left); });
}

const enrol<baggage_quicksort> the_quicksort(par::k_system, [](const baggage_quicksort::input& /*in*/,
                                                               baggage_quicksort::answer& out) {
  par::root([&] { sort(out.data(), static_cast<std::ptrdiff_t>(out.size())); });
});

// --- LU (the recursion of Cilk's: a matrix is four quarters)

using block = baggage_lu::block;
constexpr std::size_t k_side = baggage_lu::k_side;

// Quarters of a square of blocks that is part of a matrix with `stride` blocks in a row.
struct square {
  block* first;
  std::size_t stride;
  square at(std::size_t row, std::size_t column) const { return {first + row * stride + column, stride}; }
};

void decompose(block& m) {
  for (std::size_t k = 0; k < k_side; ++k) {
    for (std::size_t i = k + 1; i < k_side; ++i) {
      m[i * k_side + k] /= m[k * k_side + k];
      for (std::size_t j = k + 1; j < k_side; ++j) m[i * k_side + j] -= m[i * k_side + k] * m[k * k_side + j];
    }
  }
}
// m := l^-1 m, with the lower part of l.
void solve_lower(block& m, const block& l) {
  for (std::size_t k = 0; k < k_side; ++k) {
    for (std::size_t i = k + 1; i < k_side; ++i) {
      for (std::size_t j = 0; j < k_side; ++j) m[i * k_side + j] -= l[i * k_side + k] * m[k * k_side + j];
    }
  }
}
// m := m u^-1, with the upper part of u.
void solve_upper(block& m, const block& u) {
  for (std::size_t i = 0; i < k_side; ++i) {
    for (std::size_t k = 0; k < k_side; ++k) {
      m[i * k_side + k] /= u[k * k_side + k];
      for (std::size_t j = k + 1; j < k_side; ++j) m[i * k_side + j] -= m[i * k_side + k] * u[k * k_side + j];
    }
  }
}
// m -= v w.
void subtract(block& m, const block& v, const block& w) {
  for (std::size_t i = 0; i < k_side; ++i) {
    for (std::size_t k = 0; k < k_side; ++k) {
      for (std::size_t j = 0; j < k_side; ++j) m[i * k_side + j] -= v[i * k_side + k] * w[k * k_side + j];
    }
  }
}

template <class A, class B, class C, class D>
void all_four(const A& a, const B& b, const C& c, const D& d) {
  par::both([&] { par::both([&] { a(); }, [&] { b(); }); }, [&] { par::both([&] { c(); }, [&] { d(); }); });
}

TAKT_BAGGAGE_RECURSIVE void subtract(square m, square v, square w, std::size_t blocks) {
  if (blocks == 1) {
    subtract(*m.first, *v.first, *w.first);
    return;
  }
  const std::size_t h = blocks / 2;
  for (std::size_t k = 0; k < blocks; k += h) {
    all_four([=] { subtract(m, v.at(0, k), w.at(k, 0), h); }, [=] { subtract(m.at(0, h), v.at(0, k), w.at(k, h), h); },
             [=] { subtract(m.at(h, 0), v.at(h, k), w.at(k, 0), h); },
             [=] { subtract(m.at(h, h), v.at(h, k), w.at(k, h), h); });
  }
}

TAKT_BAGGAGE_RECURSIVE void solve_lower(square m, square l, std::size_t blocks) {
  if (blocks == 1) {
    solve_lower(*m.first, *l.first);
    return;
  }
  const std::size_t h = blocks / 2;
  const auto columns = [=](std::size_t j) {
    solve_lower(m.at(0, j), l, h);
    subtract(m.at(h, j), l.at(h, 0), m.at(0, j), h);
    solve_lower(m.at(h, j), l.at(h, h), h);
  };
  par::both([=] { columns(0); }, [=] { columns(h); });
}

TAKT_BAGGAGE_RECURSIVE void solve_upper(square m, square u, std::size_t blocks) {
  if (blocks == 1) {
    solve_upper(*m.first, *u.first);
    return;
  }
  const std::size_t h = blocks / 2;
  const auto rows = [=](std::size_t i) {
    solve_upper(m.at(i, 0), u, h);
    subtract(m.at(i, h), m.at(i, 0), u.at(0, h), h);
    solve_upper(m.at(i, h), u.at(h, h), h);
  };
  par::both([=] { rows(0); }, [=] { rows(h); });
}

TAKT_BAGGAGE_RECURSIVE void decompose(square m, std::size_t blocks) {
  if (blocks == 1) {
    decompose(*m.first);
    return;
  }
  const std::size_t h = blocks / 2;
  decompose(m, h);
  par::both([=] { solve_lower(m.at(0, h), m, h); }, [=] { solve_upper(m.at(h, 0), m, h); });
  subtract(m.at(h, h), m.at(h, 0), m.at(0, h), h);
  decompose(m.at(h, h), h);
}

const enrol<baggage_lu> the_lu(par::k_system, [](const baggage_lu::input& in, baggage_lu::answer& out) {
  par::root([&] { decompose(square{out.data(), in.blocks}, in.blocks); });
});

// --- heat

// Columns [from, to) of those inside the border.
TAKT_BAGGAGE_RECURSIVE void diffuse(const double* now, double* next, std::size_t rows, std::size_t from,
                                    std::size_t to) {
  if (to - from > baggage_heat::k_leaf) {
    const std::size_t middle = from + (to - from) / 2;
    par::both([=] { diffuse(now, next, rows, from, middle); }, [=] { diffuse(now, next, rows, middle, to); });
    return;
  }
  for (std::size_t column = from; column < to; ++column) {
    const double* const here = now + column * rows;
    double* const out = next + column * rows;
    for (std::size_t i = 1; i + 1 < rows; ++i) {
      out[i] = here[i] + 0.1 * (here[i + rows] - 2.0 * here[i] + here[i - rows]) +
               0.1 * (here[i + 1] - 2.0 * here[i] + here[i - 1]);
    }
  }
}

const enrol<baggage_heat> the_heat(par::k_system, [](const baggage_heat::input& in, baggage_heat::answer& out) {
  par::root([&] {
    for (int step = 0; step < baggage_heat::k_steps; ++step) {
      diffuse(out.now.data(), out.next.data(), baggage_heat::rows(in), 1, in - 1);
      out.now.swap(out.next);
    }
  });
});

}  // namespace
}  // namespace takt::bench
