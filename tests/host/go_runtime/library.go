// What a C program calls of a Go library. Go stops a goroutine that makes no calls with a signal, SIGURG, and waits until
// it has come.
package main

import "C"

import (
	"runtime"
	"sync/atomic"
)

var released, endless int64

// StartEndless leaves a goroutine behind that is stopped by signals only.
//
//export StartEndless
func StartEndless() {
	go func() {
		for {
			atomic.AddInt64(&endless, 1)
		}
	}()
}

// WaitFor returns once Release has been called so many times; only a signal stops it before.
//
//export WaitFor
func WaitFor(times C.long) {
	for atomic.LoadInt64(&released) < int64(times) {
	}
}

// Collect stops everything that runs in Go.
//
//export Collect
func Collect() { runtime.GC() }

//export Release
func Release() { atomic.AddInt64(&released, 1) }

func main() {}
