package client

import (
	"errors"

	"example.com/gatehouse/admission"
)

// detach runs work on a goroutine of its own and then, there too, ended: with nil
// if work returned, and otherwise with its panic. A caller that still waits raises
// that again, as if work had run where it was called; the engine knows the type
// and keeps the stack of the place where it happened.
//
// Neither has anybody above who would catch a panic, so ended must not panic.
func detach(work func(), ended func(*admission.PanicError)) {
	go func() {
		returned := false
		defer func() {
			r := recover()
			if returned {
				ended(nil)
				return
			}
			if r == nil {
				r = errors.New("the call ended its goroutine")
			}
			ended(admission.Contained(r))
		}()
		work()
		returned = true
	}()
}
