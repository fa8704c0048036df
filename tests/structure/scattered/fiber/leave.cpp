// Of another room: a field is read, and a function called.
bool leaves(const fiber& f) { return f.join.stays == 0 && !f.join.must_stay(); }
