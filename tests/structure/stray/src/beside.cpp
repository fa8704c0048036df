// Lies in no room.
#include "room/room.hpp"
