package transport

import (
	"slices"

	"example.com/gatehouse/test/conformance/internal/check"
)

// HTTP returns the checks of HTTP, in their order.
func HTTP() []check.Check { return slices.Concat(timeouts(), connections(), load()) }

// TLS returns the checks of TLS, in their order.
func TLS() []check.Check { return slices.Concat(certificates(), versions()) }

// What checks lack.
const (
	unanswered = "the webhook answered no sample"
	own        = "the server is gatehouse's own"
)
