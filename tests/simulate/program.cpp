// What `takt scale` is tried on: forks, and a reduction that says what it touches.
#include <takt/takt.hpp>

#include "simulate/touches.hpp"
#include "support/program.hpp"

int main() { return takt_test::fib(25) == 75025 && takt_test::touch_all(1 << 14) ? 0 : 1; }
