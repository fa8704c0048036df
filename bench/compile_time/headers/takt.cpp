#include <takt/takt.hpp>
