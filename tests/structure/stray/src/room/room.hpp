// Lies in a room.
#pragma once
