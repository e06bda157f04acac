package conformance

import (
	"slices"

	"example.com/gatehouse/internal/conformance/behaviour"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/lifecycle"
	"example.com/gatehouse/internal/conformance/misuse"
	"example.com/gatehouse/internal/conformance/protocol"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/conformance/transport"
)

// Checks returns the definitions of all checks, in the order of their
// execution. Those of the group lifecycle run only with Subject.Exec.
func Checks() []report.Check {
	checks := all(nil)
	definitions := make([]report.Check, len(checks))
	for i := range checks {
		definitions[i] = checks[i].Check
	}
	return definitions
}

// all returns all checks; l is nil for definitions only.
func all(l *lifecycle.Launcher) []check.Check {
	checks := slices.Concat(protocol.Checks(), misuse.Checks(), transport.HTTP(),
		behaviour.Checks(), transport.TLS(), lifecycle.Checks(l))
	for i := range checks {
		checks[i].Check = checks[i].Linked()
	}
	return checks
}
