package misuse

import (
	"slices"

	"example.com/gatehouse/internal/conformance/check"
)

// Checks returns the checks, in their order.
func Checks() []check.Check { return slices.Concat(newer(), refusals(), alive()) }
