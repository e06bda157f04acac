package conformance

import (
	"slices"

	"example.com/gatehouse/internal/conformance/behaviour"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/misuse"
	"example.com/gatehouse/internal/conformance/protocol"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/conformance/transport"
)

// Checks returns the definitions of all checks, in the order of their
// execution.
func Checks() []report.Check {
	checks := all()
	definitions := make([]report.Check, len(checks))
	for i := range checks {
		definitions[i] = checks[i].Check
	}
	return definitions
}

func all() []check.Check {
	checks := slices.Concat(protocol.Checks(), misuse.Checks(), transport.HTTP(),
		behaviour.Checks(), transport.TLS())
	for i := range checks {
		checks[i].Check = checks[i].Linked()
	}
	return checks
}
