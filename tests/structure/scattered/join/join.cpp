void stay(fiber& f) { ++f.join.stays; }
