#include "hbc/srad/program.h"

// The square of the speckle scale: the variance over the image in units of its mean.
static double speckle(const double *image, int64_t rows, int64_t cols) {
  double sum = 0.0;
  double squares = 0.0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : sum, squares)
  for (int64_t i = 0; i < rows; ++i) {
    HBC_INNER(parallel for reduction(+ : sum, squares))
    for (int64_t j = 0; j < cols; ++j) {
      const double pixel = image[i * cols + j];
      sum += pixel;
      squares += pixel * pixel;
    }
  }
  const double pixels = (double)(rows * cols);
  const double mean = sum / pixels;
  return (squares / pixels - mean * mean) / (mean * mean);
}

void HBC_ENTRY(srad)(const struct hbc_srad *a) {
  const int64_t rows = a->rows;
  const int64_t cols = a->cols;
  const double lambda = a->lambda;
  double *image = a->image;
  double *north = a->north;
  double *south = a->south;
  double *west = a->west;
  double *east = a->east;
  double *coefficient = a->coefficient;
  for (int64_t round = 0; round < a->rounds; ++round) {
    const double scale = speckle(image, rows, cols);
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t above = i == 0 ? 0 : i - 1;
      const int64_t below = i == rows - 1 ? i : i + 1;
      HBC_INNER(parallel for)
      for (int64_t j = 0; j < cols; ++j) {
        const int64_t left = j == 0 ? 0 : j - 1;
        const int64_t right = j == cols - 1 ? j : j + 1;
        const int64_t at = i * cols + j;
        const double pixel = image[at];
        const double n = image[above * cols + j] - pixel;
        const double s = image[below * cols + j] - pixel;
        const double w = image[i * cols + left] - pixel;
        const double e = image[i * cols + right] - pixel;
        const double gradient = (n * n + s * s + w * w + e * e) / (pixel * pixel);
        const double laplacian = (n + s + w + e) / pixel;
        const double numerator = 0.5 * gradient - laplacian * laplacian / 16.0;
        const double denominator = 1.0 + 0.25 * laplacian;
        const double ratio = numerator / (denominator * denominator);
        const double c = 1.0 / (1.0 + (ratio - scale) / (scale * (1.0 + scale)));
        north[at] = n;
        south[at] = s;
        west[at] = w;
        east[at] = e;
        coefficient[at] = c < 0.0 ? 0.0 : c > 1.0 ? 1.0 : c;
      }
    }
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t below = i == rows - 1 ? i : i + 1;
      HBC_INNER(parallel for)
      for (int64_t j = 0; j < cols; ++j) {
        const int64_t right = j == cols - 1 ? j : j + 1;
        const int64_t at = i * cols + j;
        const double here = coefficient[at];
        const double divergence = here * north[at] + coefficient[below * cols + j] * south[at] +
                                  here * west[at] + coefficient[i * cols + right] * east[at];
        image[at] += 0.25 * lambda * divergence;
      }
    }
  }
}
