package request

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
)

// verb is how a client asks. Admission knows operations only, and of those
// there are fewer.
type verb uint8

const (
	post     verb = 1 + iota // of a new object or of a body
	put                      // also a patch
	apply                    // to an object that exists
	applyNew                 // to one that does not
	remove
	connect
)

// operation is what webhooks are told.
func (v verb) operation() admissionv1.Operation {
	switch v {
	case post, applyNew:
		return admissionv1.Create
	case put, apply:
		return admissionv1.Update
	case remove:
		return admissionv1.Delete
	case connect:
		return admissionv1.Connect
	default:
		panic(fmt.Sprintf("verb %d has no operation", v))
	}
}

// hasObject and hasOld report which objects the verb comes with (S-217).
func (v verb) hasObject() bool { return v != remove }
func (v verb) hasOld() bool    { return v == put || v == apply || v == remove }
