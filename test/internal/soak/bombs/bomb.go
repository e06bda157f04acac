package bombs

import (
	"strconv"
	"strings"

	"example.com/gatehouse/admission"
)

// bomb is a fault and what its calls may come to.
type bomb struct {
	// fault is its name in test/faultserver.
	fault string
	// mutating and validating are a part of the error's text in each phase; ""
	// means that the request is allowed.
	mutating, validating string
	// nameless: in the mutating phase the error does not name the webhook,
	// because it is kube-apiserver's error about a patch that does not apply.
	nameless bool
}

// bombs are all of them.
func bombs() []bomb {
	const (
		body   = "(Limits.ResponseBody)"
		header = "(Limits.ResponseHeader)"
		// A validating webhook that patches is out of order, whatever the
		// patch.
		noPatch = "validating webhook may not return response.patch"
	)
	return []bomb{
		{fault: "endless-body", mutating: body, validating: body},
		{fault: "huge-body", mutating: body, validating: body},
		{fault: "gzip-bomb", mutating: body, validating: body},
		{fault: "deep-json", mutating: body, validating: body},
		{fault: "deny-5mib", mutating: "denied the request: xxxx", validating: "denied the request: xxxx"},
		{fault: "huge-headers", mutating: header, validating: header},
		{fault: "many-interim", mutating: "(Limits.InterimResponses)", validating: "(Limits.InterimResponses)"},
		{fault: "copy-bomb", mutating: "(Limits.PatchCopies)", validating: noPatch, nameless: true},
		{fault: "huge-patch", mutating: "(Limits.PatchOperations)", validating: noPatch, nameless: true},
		{fault: "many-annotations"},
	}
}

// webhook is the name of a bomb's webhook.
func (b *bomb) webhook() string { return b.fault + ".bombs.example.com" }

// end is how a call ended.
type end uint8

const (
	// unexpected is what must not be.
	unexpected end = iota
	// own is what the bomb leads to.
	own
	// budget is that the bodies of all calls together were too large.
	budget
	// expired is that the call's time was up.
	expired
	ends // how many there are
)

// judge returns how a call ended. An error that does not name the webhook is
// unexpected.
func (b *bomb) judge(phase admission.Phase, err error) end {
	want, named := b.validating, true
	if phase == admission.Mutating {
		want, named = b.mutating, !b.nameless
	}
	if err == nil {
		if want == "" {
			return own
		}
		return unexpected
	}
	text := err.Error()
	names := strings.Contains(text, "webhook "+strconv.Quote(b.webhook()))
	switch {
	case want != "" && strings.Contains(text, want) && (names || !named):
		return own
	case names && strings.Contains(text, "(Limits.Budget)"):
		return budget
	case names && strings.Contains(text, "context deadline exceeded"):
		return expired
	}
	return unexpected
}
