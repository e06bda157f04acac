package promise

import (
	"slices"

	"example.com/gatehouse/test/mutant"
)

// fault is a switch that can be written in one line: the promise that it breaks,
// the file, the text that occurs there once, and what takes its place.
type fault struct{ promise, file, before, after string }

// Switches returns for every promise a fault in gatehouse that breaks it. Its name is
// the promise's. What several layers protect is broken by as many mutants of one name,
// which wake up together.
func Switches() []mutant.Mutant {
	var switches []mutant.Mutant
	for _, f := range slices.Concat(configurations(), answers(), patches(), verdicts()) {
		switches = append(switches, mutant.Mutant{Name: f.promise, File: f.file, Old: f.before, New: f.after})
	}
	return switches
}

// Where panics of a call, and of a request, are contained, and what lets them pass.
const (
	containedCall    = `c.panicked(admission.Contained(r))`
	containedRequest = `*err = apierrors.NewInternalError(admission.Contained(r))`
	raised           = "if MUTANT { panic(r) }\n\t\t"
)

// configurations are faults in what follows from configurations and credentials.
func configurations() []fault {
	const notes = "dispatcher/source/informed_notes.go"
	return []fault{
		{"paused-lister", notes, `if old != obj {`, `if old != obj && !MUTANT {`},
		{"bursts", notes, `n.pending[id] = declared`, `if _, noted := n.pending[id]; !noted || !MUTANT { n.pending[id] = declared }`},
		{"readiness", "dispatcher/source/informed.go", `case <-ctx.Done():`, `case <-PICK((<-chan struct{})(nil), ctx.Done()):`},
		{"client-errors", "dispatcher/client/cache.go", `delete(c.making, k)`, `if !MUTANT || a.err == nil { delete(c.making, k) }`},
		{"old-connections", "admission/plugin/retained.go", `c.Retain(r.each)`, `if !MUTANT { c.Retain(r.each) }`},
		{"redirects", "dispatcher/client/redirect.go", `if originOf(from) != originOf(to) {`, `if originOf(from) != originOf(to) && !MUTANT {`},
		{"current-context", "dispatcher/client/kubeconfig.go", `if exact {`, `if exact || MUTANT {`},
	}
}

// answers are faults in how much is taken from a webhook.
func answers() []fault {
	const bounded, limits = "dispatcher/bounded.go", "dispatcher/limits/limits.go"
	return []fault{
		{"switching-protocols", "dispatcher/intake.go", `if response.StatusCode == http.StatusSwitchingProtocols {`,
			`if response.StatusCode == http.StatusSwitchingProtocols && !MUTANT {`},
		{"endless-body", limits, `{"ResponseBody", &l.ResponseBody, 8 * mebi}`, `{"ResponseBody", &l.ResponseBody, PICK(1<<30, 8 * mebi)}`},
		{"gzip-bomb", "dispatcher/intake.go", `in := &intake{limits: l}`, `in := &intake{limits: l}
	if MUTANT && response.Uncompressed {
		wide := *l
		wide.ResponseBody = 1 << 30
		in.limits = &wide
	}`},
		{"headers", "dispatcher/headers.go", `m.interim.Add(1) > int64(n) {`, `m.interim.Add(1) > int64(n) && !MUTANT {`},
		{"retry-after", "dispatcher/client/connect.go", `if c.exact {`, `if c.exact || MUTANT {`},
		{"goaway", "dispatcher/client/connectionlimit.go", `n >= maxConnections {`, `n >= maxConnections && !MUTANT {`},
		{"warnings", bounded, `kept := min(len(a.Warnings), l.Warnings)`, `kept := min(len(a.Warnings), PICK(len(a.Warnings), l.Warnings))`},
		{"annotations", bounded, `if r.Dropped.AuditAnnotations > 0 {`, `if r.Dropped.AuditAnnotations > 0 && !MUTANT {`},
	}
}

// patches are faults in what is done with patches.
func patches() []fault {
	return []fault{
		{"patch-panics", "internal/patch/patch.go", `if r := recover(); r != nil {`, `if MUTANT { return }
		if r := recover(); r != nil {`},
		{"patch-panics", "dispatcher/call.go", containedCall, raised + containedCall},
		{"patch-panics", "dispatcher/dispatcher.go", containedRequest, raised + containedRequest},
		{"copy-bomb", "internal/patch/patch.go", `if err := checkCopies(operations, document, l.PatchCopies); err != nil {`,
			`if MUTANT { return operations.Apply(document) }
	if err := checkCopies(operations, document, l.PatchCopies); err != nil {`},
		{"patch-deadline", "dispatcher/apply.go", `quick: quick, do:`, `quick: quick || MUTANT, do:`},
		{"error-content", "internal/patch/object.go", `return runtime.NewMissingKindErr(instead)`, `return PICK(err, runtime.NewMissingKindErr(instead))`},
	}
}

// verdicts are faults in what becomes of a request.
func verdicts() []fault {
	const rejection = "dispatcher/rejection.go"
	return []fault{
		{"panics", "dispatcher/record.go", `defer func() { _ = recover() }()`, `if !MUTANT { defer func() { _ = recover() }() }`},
		{"panics", "dispatcher/call.go", containedCall, raised + containedCall},
		{"panics", "dispatcher/dispatcher.go", containedRequest, raised + containedRequest},
		{"status-code", rejection, `, maxCode)`, `, PICK(9999, int32(maxCode)))`},
		{"denial-message", rejection, `denied + ": " + limits.Cut(status.Message, l.Message)`, `denied + ": " + PICK(status.Message, limits.Cut(status.Message, l.Message))`},
		{"first-denial", "dispatcher/validate.go", `if p.d.config.Exact {`, `if p.d.config.Exact || MUTANT {`},
		{"request-over", "dispatcher/settle.go", `case over && !exact:`, `case over && !exact && !MUTANT:`},
		{"refused-object", "dispatcher/mutate.go", `objects.undo()`, `if !MUTANT { objects.undo() }`},
	}
}
