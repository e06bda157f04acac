package client

import (
	"errors"

	"example.com/gatehouse/admission"
)

// goRecover runs work and then ended on a new goroutine. ended gets nil if work
// returned, and otherwise its panic, with the stack of the goroutine. A caller that
// still waits raises the panic again.
//
// A panic of ended would end the process, so ended must not panic.
func goRecover(work func(), ended func(*admission.PanicError)) {
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
