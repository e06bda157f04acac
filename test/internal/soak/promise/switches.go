package promise

import (
	"slices"

	"example.com/gatehouse/test/internal/mutant"
)

// Switch is a fault in gatehouse that breaks a promise.
type Switch struct {
	// Promise is the promise's name.
	Promise string
	// Shows is what the evidence has to show, as a regular expression, so that
	// the promise is not found broken for another reason.
	Shows string
	// Faults are what is wrong then, all of them under the promise's name, so
	// that they wake up together: what several layers protect takes several.
	Faults []mutant.Fault
}

// Switches returns one for every promise.
func Switches() []Switch {
	return slices.Concat(configurations(), answers(), notes(), patches(), verdicts())
}

// Mutants returns the faults of all switches.
func Mutants() []mutant.Mutant {
	var faults []mutant.Fault
	for _, s := range Switches() {
		faults = append(faults, s.Faults...)
	}
	return mutant.Mutants(faults...)
}

// thrown is a switch with one fault: the file, the text that occurs there once,
// and what takes its place.
func thrown(promise, shows, file, before, after string) Switch {
	return Switch{Promise: promise, Shows: shows}.with(file, before, after)
}

// with is the switch with one fault more.
func (s Switch) with(file, before, after string) Switch {
	s.Faults = append(slices.Clone(s.Faults), mutant.Fault{s.Promise, file, before, after})
	return s
}

// The client looks up credentials, and remembers the error for good.
const (
	lookedUp   = "auth, err := c.authConfig(t)\n\tif err != nil {\n"
	remembered = `		if MUTANT {
			c.config.AuthInfo = &webhookutil.AuthenticationInfoResolverDelegator{
				ClientConfigForFunc:        func(string) (*rest.Config, error) { return nil, err },
				ClientConfigForServiceFunc: func(string, string, int) (*rest.Config, error) { return nil, err },
			}
		}
`
)

// Where panics of foreign code become errors, and do not. The resolver's is
// raised on a goroutine of its own, so it would end the process before there is
// any evidence.
const (
	guard     = "internal/engine/guard/guard.go"
	contained = `handle(&admission.PanicError{`
	raised    = "if MUTANT && r != \"resolving\" { panic(r) }\n\t\thandle(&admission.PanicError{"
)

// configurations are faults in what follows from configurations and
// credentials.
func configurations() []Switch {
	return []Switch{
		listing(),
		thrown("bursts", `after burst \d+, revision (\d+) had been delivered, but (\d+) was in force`,
			"dispatcher/source/informed_pending.go", settled, forgotten+settled),
		thrown("readiness", `^a request with a deadline of 200 ms had not returned`,
			"dispatcher/source/informed.go", `case <-ctx.Done():`, `case <-PICK((<-chan struct{})(nil), ctx.Done()):`),
		thrown("client-errors", `no such file or directory`,
			"dispatcher/client/endpoint.go", lookedUp, lookedUp+remembered),
		thrown("old-connections", `after 20 rotations 2\d connections were open and \d{2,} goroutines`,
			"dispatcher/plugin/retention.go", `c.Retain(r.webhooks)`, `if !MUTANT { c.Retain(r.webhooks) }`),
		thrown("redirects", `Authorization "Bearer t0ken-of-the-hook" and Impersonate-User "jane"`,
			"dispatcher/client/redirect.go", `if originOf(from) != originOf(to) {`, `if originOf(from) != originOf(to) && !MUTANT {`),
		thrown("current-context", `Authorization "Bearer t0ken-of-the-hook"`,
			"dispatcher/client/kubeconfig.go", `if exact {`, `if exact || MUTANT {`),
	}
}

// What has arrived while a snapshot was compiled is forgotten when it is
// settled.
const (
	settled   = `if !n.pending {`
	forgotten = "if MUTANT { n.pending = false }\n\t"
)

// listing has gatehouse, while it compiles, list the configurations as
// kube-apiserver does, which is where the check has a change arrive: without
// that it would be a matter of chance. What has arrived is then forgotten.
func listing() Switch {
	const (
		informed = "dispatcher/source/informed.go"
		imported = `"k8s.io/client-go/tools/cache"`
		field    = "\tpending pendingChanges\n"
		follows  = `if w.Validating != nil {`
		compiles = `snapshot, err := s.builder.snapshot()`
	)
	return thrown("paused-lister",
		`^revision 2 had been delivered, but [01] was in force`,
		"dispatcher/source/informed_pending.go", settled, forgotten+settled).
		with(informed, imported, imported+"\n\t\"k8s.io/apimachinery/pkg/labels\"").
		with(informed, field, field+"\tlisting func()\n").
		with(informed, follows, follows+"\n\t\ts.listing = func() { _, _ = w.Validating.Lister().List(labels.Everything()) }").
		with(informed, compiles, "if MUTANT && s.listing != nil { s.listing() }\n\t"+compiles)
}

// answers are faults in how much is taken from a webhook.
func answers() []Switch {
	return []Switch{
		thrown("switching-protocols", `had not returned`,
			"dispatcher/response_body.go", `if response.StatusCode == http.StatusSwitchingProtocols {`, `if response.StatusCode == http.StatusSwitchingProtocols && !MUTANT {`),
		thrown("endless-body", `^16 MiB of an endless body`,
			"admission/limits/limits.go", `{"ResponseBody", &l.ResponseBody, 8 * mebi}`, `{"ResponseBody", &l.ResponseBody, PICK(1<<30, 8 * mebi)}`),
		thrown("gzip-bomb", `decompressed to 16 MiB, read and believed`,
			"dispatcher/response_body.go", `b := &responseBody{limits: l}`, `b := &responseBody{limits: l}
	if MUTANT && response.Uncompressed {
		wide := *l
		wide.ResponseBody = 1 << 30
		b.limits = &wide
	}`),
		// The transport has the first word about each response, the meter about
		// all of a call.
		thrown("headers", `after 70 KB of headers, and after 14 KB after 56 KB of seven interim responses, and after 100 interim responses`,
			"dispatcher/headers.go", `m.interim.Add(1) > int64(n) {`, `m.interim.Add(1) > int64(n) && !MUTANT {`).
			with("dispatcher/headers.go", `m.size.Add(int64(size)) > int64(n) {`,
				`m.size.Add(int64(size)) > int64(n) && !MUTANT {`).
			with("dispatcher/client/client.go", `cfg.MaxHeaderBytes = defaultMaxHeader`,
				`cfg.MaxHeaderBytes = PICK(int64(10<<20), defaultMaxHeader)`),
		thrown("retry-after", `became 11 calls`,
			"dispatcher/client/endpoint.go", `if c.config.Exact {
		return retryTransport`, `if c.config.Exact || MUTANT {
		return retryTransport`),
		thrown("goaway", `made 2\d+ connections`,
			"dispatcher/client/connectionlimit.go", `n >= maxConnections {`, `n >= maxConnections && !MUTANT {`),
	}
}

// notes are faults in what gatehouse passes on of a response.
func notes() []Switch {
	const remarks = "dispatcher/remarks.go"
	return []Switch{
		thrown("warnings", `^10000 of 10000 warnings`, remarks,
			`kept := min(len(a.Warnings), l.Warnings)`, `kept := min(len(a.Warnings), PICK(len(a.Warnings), l.Warnings))`),
		thrown("long-warnings", `5000 characters 5000 were`, remarks, `n > length {`,
			`n > length && !MUTANT {`),
		thrown("control-characters", `"two\\r\\nlines`, remarks, `if unicode.IsControl(r) {`,
			`if unicode.IsControl(r) && !MUTANT {`),
		thrown("annotations", `^5000 of 5000 annotations`, remarks,
			`if r.Dropped.AuditAnnotations > 0 {`, `if r.Dropped.AuditAnnotations > 0 && !MUTANT {`),
	}
}

// patches are faults in the application of patches.
func patches() []Switch {
	return []Switch{
		thrown("patch-panics", `^7 of 7 patches`,
			guard, contained, raised),
		thrown("copy-bomb", `object of \d{4} KiB`,
			"internal/engine/patch/patch.go", `if err := checkCopies(operations, document, l.PatchCopies); err != nil {`,
			`if MUTANT { return operations.Apply(document) }
	if err := checkCopies(operations, document, l.PatchCopies); err != nil {`),
		thrown("patch-deadline", `had not returned after .* of patching`,
			"dispatcher/apply.go", `inline: patch.Quick(operations, document),`, `inline: patch.Quick(operations, document) || MUTANT,`),
		thrown("error-content", `s3cr3t-of-the-widget`,
			"internal/engine/patch/decode_error.go", `return runtime.NewMissingKindErr(instead)`, `return PICK(err, runtime.NewMissingKindErr(instead))`),
	}
}

// verdicts are faults in what becomes of a request.
func verdicts() []Switch {
	const rejection = "dispatcher/rejection.go"
	return []Switch{
		thrown("panics", `convertor, mutating: a panic left`,
			guard, contained, raised),
		thrown("status-code", `^the request was denied with 1200`, rejection, `, maxCode)`,
			`, PICK(9999, int32(maxCode)))`),
		thrown("denial-message", `has 1024 KiB`, rejection,
			`denied + ": " + limits.Cut(status.Message, l.Message)`, `denied + ": " + PICK(status.Message, limits.Cut(status.Message, l.Message))`),
		thrown("first-denial", `was heard: .*second`, "dispatcher/validate.go", `if r.d.config.Exact {`,
			`if r.d.config.Exact || MUTANT {`),
		thrown("request-over", `validating, Ignore: it was allowed`, "dispatcher/outcome.go",
			`case over && !exact:`, `case over && !exact && !MUTANT:`),
		thrown("refused-object", `size:large`, "dispatcher/mutate.go", `objects.undo()`,
			`if !MUTANT { objects.undo() }`),
	}
}
