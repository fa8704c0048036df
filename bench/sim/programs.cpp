#include "sim/programs.hpp"

#include <cmath>
#include <functional>
#include <memory>

#include "mandelbrot/config.hpp"
#include "spmv/config.hpp"
#include <takt/takt.hpp>

namespace takt::bench {

namespace {

struct product {
  spmv_problem::input in;
  std::vector<double> out;
  std::vector<double> expected;
};

loop_program spmv(const std::string& matrix, std::int64_t rows) {
  auto p = std::make_shared<product>();
  request wanted;
  wanted.input = matrix;
  wanted.size = rows;
  p->in = spmv_problem::make(wanted);
  p->out.resize(static_cast<std::size_t>(p->in.matrix.rows));
  const csr_view a(p->in.matrix);
  const double* const x = p->in.x.data();
  double* const y = p->out.data();
  loop_program made;
  made.name = "spmv " + matrix;
  made.count = static_cast<std::uint64_t>(a.rows);
  made.range = [=](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t r = begin; r < end; ++r) {
      double sum = 0;
      for (std::int64_t k = a.row_begin[r]; k < a.row_begin[r + 1]; ++k)
        sum += a.value[k] * x[a.col[k]];
      y[r] = sum;
    }
  };
  made.nested = [=] {
    takt::parallel_for(std::int64_t{0}, a.rows, [=](std::int64_t r) {
      y[r] = takt::parallel_reduce(
          a.row_begin[r], a.row_begin[r + 1], 0.0,
          [=](std::int64_t k) { return a.value[k] * x[a.col[k]]; }, std::plus<>{});
    });
  };
  made.clear = [p] { spmv_problem::reset(p->in, p->out); };
  made.range(0, made.count);
  p->expected = p->out;
  made.right = [p] { return spmv_problem::same(p->in, p->out, p->expected); };
  return made;
}

struct picture {
  mandelbrot_problem::answer out;
  mandelbrot_problem::answer expected;
};

loop_program mandelbrot(std::int64_t points) {
  auto p = std::make_shared<picture>();
  const auto width = static_cast<std::int64_t>(std::sqrt(static_cast<double>(points)));
  mandelbrot_problem::reset({width}, p->out);
  std::uint16_t* const image = p->out.data();
  loop_program made;
  made.name = "mandelbrot";
  made.count = static_cast<std::uint64_t>(width);
  made.range = [=](std::uint64_t begin, std::uint64_t end) {
    for (auto j = static_cast<std::int64_t>(begin); j < static_cast<std::int64_t>(end); ++j) {
      for (std::int64_t i = 0; i < width; ++i)
        image[j * width + i] = mandelbrot_problem::escape_time(width, i, j);
    }
  };
  made.nested = [=] {
    takt::parallel_for(std::int64_t{0}, width, [=](std::int64_t j) {
      takt::parallel_for(std::int64_t{0}, width, [=](std::int64_t i) {
        image[j * width + i] = mandelbrot_problem::escape_time(width, i, j);
      });
    });
  };
  made.clear = [p, width] { mandelbrot_problem::reset({width}, p->out); };
  made.range(0, made.count);
  p->expected = p->out;
  made.right = [p] { return p->out == p->expected; };
  return made;
}

}  // namespace

std::vector<loop_program> make_programs(std::int64_t rows) {
  std::vector<loop_program> all;
  for (const char* matrix : {"arrowhead", "power-law", "random"}) all.push_back(spmv(matrix, rows));
  all.push_back(mandelbrot(rows));
  return all;
}

}  // namespace takt::bench
