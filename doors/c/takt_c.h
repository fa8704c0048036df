/* takt for C, and for languages that call C: joins, loops and scopes.
 *
 * Functions that are handed over are called on any worker; they return, and neither throw, unwind nor jump out. Who calls
 * one of these functions goes on on its own thread: what belongs to the thread is still there. All may be nested. */
#ifndef TAKT_C_H
#define TAKT_C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised by what is not compatible. */
#define TAKT_C_VERSION 1

typedef void (*takt_c_function)(void* argument);
typedef void (*takt_c_body)(void* argument, uint64_t begin, uint64_t end);
typedef struct takt_c_scope takt_c_scope;

/* The version that the library has. */
unsigned takt_c_version(void);
/* Workers, the calling thread included. */
unsigned takt_c_workers(void);

/* Both calls, which may run at the same time. */
void takt_c_join(takt_c_function left, void* left_argument, takt_c_function right, void* right_argument);

/* Calls body(argument, begin, end) for parts that make up [first, last), which may run at the same time; nothing if that
 * is empty. */
void takt_c_for(uint64_t first, uint64_t last, takt_c_body body, void* argument);

/* A scope: calls that may run at the same time, and that any thread, they themselves included, may add to. One thread at
 * a time may wait. takt_c_scope_new returns null without memory; takt_c_scope_delete waits. Without memory for it,
 * takt_c_scope_run makes the call at once. */
takt_c_scope* takt_c_scope_new(void);
void takt_c_scope_run(takt_c_scope* scope, takt_c_function call, void* argument);
void takt_c_scope_wait(takt_c_scope* scope);
void takt_c_scope_delete(takt_c_scope* scope);

#ifdef __cplusplus
}
#endif

#endif
