// The serial elision of what takt.hpp runs: every fork a plain call, every loop a plain loop.
#pragma once

#ifndef TAKT_ELISION
#error "define TAKT_ELISION for the whole file"
#endif

#include "pbbs/parallel/takt.hpp"
