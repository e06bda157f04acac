package report

// Check is the definition of a check.
type Check struct {
	// ID names the check, as C-UID does. It never changes its meaning.
	ID string `json:"id"`
	// Group says what the check is about.
	Group Group `json:"group"`
	// Level says what it means to fail.
	Level Level `json:"level"`
	// Title says in a few words what webhooks do that pass: "echoes the uid".
	Title string `json:"title"`
	// Why says, in a sentence or two, what happens in a cluster to those that fail.
	Why string `json:"why"`
	// Fix says how a webhook is mended.
	Fix string `json:"fix"`
}

// Group is a kind of checks.
type Group string

// The groups, in the order in which checks are run.
const (
	// Protocol: reviews and their answers.
	Protocol Group = "protocol"
	// Behaviour: what webhooks make of objects, alone and together.
	Behaviour Group = "behaviour"
	// TLS: certificates and versions.
	TLS Group = "TLS"
)

// Level says how bad it is to fail a check.
type Level string

const (
	// Must: requests fail, or objects are spoilt.
	Must Level = "must"
	// Should: it works, until something else happens too.
	Should Level = "should"
)

// Verdict is what came of a check.
type Verdict string

const (
	// Pass: something was looked at, and nothing is wrong with it.
	Pass Verdict = "pass"
	// Fail: there are findings.
	Fail Verdict = "fail"
	// Skip: there was nothing to look at; the message says why.
	Skip Verdict = "skip"
)
