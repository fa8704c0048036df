void other_call(void (*what)(void)) { what(); }
