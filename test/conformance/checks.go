package conformance

import (
	"slices"

	"example.com/gatehouse/test/conformance/internal/behaviour"
	"example.com/gatehouse/test/conformance/internal/check"
	"example.com/gatehouse/test/conformance/internal/misuse"
	"example.com/gatehouse/test/conformance/internal/protocol"
	"example.com/gatehouse/test/conformance/internal/transport"
	"example.com/gatehouse/test/conformance/report"
)

// Checks returns the definitions of all checks, in the order in which they are run.
func Checks() []report.Check {
	checks := all()
	definitions := make([]report.Check, len(checks))
	for i := range checks {
		definitions[i] = checks[i].Check
	}
	return definitions
}

func all() []check.Check {
	return slices.Concat(protocol.Checks(), misuse.Checks(), transport.HTTP(), behaviour.Checks(), transport.TLS())
}
