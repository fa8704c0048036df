// What check_edges must find: one edge has both ends, the other one only. Nobody compiles this.
#pragma once

// EDGE whole.edge: written here
ready_.store(1, sync::release);
// EDGE whole.edge
if (ready_.load(sync::acquire) == 1) return;
// EDGE lone.edge: named twice, but nobody reads it
count_.fetch_add(1, sync::release);
// EDGE lone.edge
other_.store(1, sync::seq_cst);
