// Nothing: the target is there for its precompiled headers.
