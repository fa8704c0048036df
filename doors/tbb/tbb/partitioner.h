#pragma once
#include "takt_door.h"
