// Package registration does for webhook configurations what an API server does
// when it stores them: today it fills in the defaults of
// admissionregistration.k8s.io/v1.
//
// The engine applies no defaults (an absent selector selects nothing, S-068),
// so whoever takes configurations from anywhere but an API server calls this
// package first.
//
// The functions change their argument in place, need no other state, and are
// safe for concurrent use on different configurations. They cannot fail: a
// value that is present is kept, even if no API server would accept it, and
// judging it is not the business of a default.
package registration
