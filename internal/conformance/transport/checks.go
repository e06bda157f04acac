package transport

import (
	"slices"

	"example.com/gatehouse/internal/conformance/check"
)

// HTTP returns the checks of HTTP, in their order.
func HTTP() []check.Check { return slices.Concat(timeouts(), connections(), load()) }

// TLS returns the checks of TLS, in their order.
func TLS() []check.Check { return slices.Concat(certificates(), versions()) }

// own is what checks of servers lack at those of handlers.
const own = "the server is gatehouse's own"
