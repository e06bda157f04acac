package diff

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/whatif"
	"example.com/gatehouse/internal/whatif/changes"
)

// Kind is the kind of a Document.
const Kind = "AdmissionDiff"

// Document is what `gatehouse diff -o json` prints.
// docs/schemas/admissiondiff.v1alpha1.json is its schema.
type Document struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AdmissionDiff.
	metav1.TypeMeta `json:",inline"`
	// FailOn is the level of --fail-on, and Failed says that there is a difference of
	// this level or above.
	FailOn string `json:"failOn"`
	Failed bool   `json:"failed"`
	// Incomplete says that not all requests were compared.
	Incomplete bool `json:"incomplete,omitempty"`
	// Requests counts the requests, and Differences those that end differently.
	Requests    int    `json:"requests"`
	Differences Counts `json:"differences"`
	// Unknown counts the requests without a difference whose verdict is not known in
	// either set, because an answer is missing.
	Unknown int `json:"unknown,omitempty"`
	// NotAdmitted counts the requests that neither set can simulate, and Problems has some
	// of the reasons.
	NotAdmitted int      `json:"notAdmitted,omitempty"`
	Problems    []string `json:"problems,omitempty"`
	// Causes are sorted by the numbers of their requests with another verdict, then with
	// another object, and then of all, the largest first.
	Causes []Cause `json:"causes"`
	// WithoutEffect are the changes that no request shows.
	WithoutEffect []Change `json:"withoutEffect"`
	// SetAside are differences between two runs of one set.
	SetAside []whatif.Unstable `json:"setAside,omitempty"`
}

// Counts counts requests with differences.
type Counts struct {
	Requests int `json:"requests"`
	// Verdict counts those with another verdict or code, Object the further ones with
	// another object, message or warnings, and Calls all others.
	Verdict int `json:"verdict"`
	Object  int `json:"object"`
	Calls   int `json:"calls"`
	// Undecided counts those whose verdict is not known in one set or both, and Assumed
	// those with an answer that may have been recorded for another object.
	Undecided int `json:"undecided,omitempty"`
	Assumed   int `json:"assumed,omitempty"`
}

// Cause is one change, or several together, without which its requests end as before.
type Cause struct {
	// Changes is empty for differences whose cause was not found.
	Changes []Change `json:"changes"`
	// Also are changes each of which alone has the same effect if it is undone.
	Also        []Change `json:"also,omitempty"`
	Differences Counts   `json:"differences"`
	// Effects are what happens, to how many requests.
	Effects []whatif.Effect `json:"effects"`
	// IDs are those of the first requests, and Example is the first one of those with the
	// most serious differences.
	IDs     []string       `json:"ids"`
	Example whatif.Example `json:"example"`
}

// Change is a change of the files.
type Change struct {
	// Text says in one sentence what changed.
	Text string `json:"text"`
	// Kind, Namespace and Name are those of the object, Webhook is a webhook of it, and
	// Field the path in the object; absent for the whole object.
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Webhook   string `json:"webhook,omitempty"`
	Field     string `json:"field,omitempty"`
	// Before and After are where the field is; absent for a set that does not have the
	// object.
	Before *Position `json:"before,omitempty"`
	After  *Position `json:"after,omitempty"`
}

// Position is a position in a file.
type Position struct {
	File string `json:"file"`
	// Document counts the documents of the file, and Line its lines, from 1.
	Document int `json:"document"`
	Line     int `json:"line"`
}

func newDocument(r *whatif.Report, failOn whatif.Level) *Document {
	d := &Document{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: Kind},
		FailOn:   string(failOn), Failed: r.Fails(failOn), Incomplete: r.Incomplete,
		Requests: r.Requests, Differences: counts(r.Different, r.Levels, r.Undecided, r.Assumed),
		Unknown: r.Unknown, NotAdmitted: r.Failed, Problems: r.Failures,
		Causes: []Cause{}, WithoutEffect: changesOf(r, r.Unused()),
	}
	for _, c := range r.Causes {
		d.Causes = append(d.Causes, Cause{
			Changes: changesOf(r, c.Changes), Also: changesOf(r, c.Also),
			Differences: counts(c.Requests, c.Levels, c.Undecided, c.Assumed),
			Effects:     c.Effects, IDs: c.IDs, Example: c.Example,
		})
	}
	for _, u := range r.Unstable {
		d.SetAside = append(d.SetAside, *u)
	}
	return d
}

// level is that of the most serious differences.
func (c *Cause) level() whatif.Level {
	switch {
	case c.Differences.Verdict > 0:
		return whatif.LevelVerdict
	case c.Differences.Object > 0:
		return whatif.LevelObject
	}
	return whatif.LevelCalls
}

func counts(requests int, levels map[whatif.Level]int, undecided, assumed int) Counts {
	return Counts{
		Requests: requests, Verdict: levels[whatif.LevelVerdict], Object: levels[whatif.LevelObject],
		Calls: levels[whatif.LevelCalls], Undecided: undecided, Assumed: assumed,
	}
}

func changesOf(r *whatif.Report, indexes []int) []Change {
	all := []Change{}
	for _, i := range indexes {
		all = append(all, newChange(&r.Changes[i]))
	}
	return all
}

func newChange(c *changes.Change) Change {
	return Change{
		Text: c.Text, Kind: c.Object.Kind, Namespace: c.Object.Namespace, Name: c.Object.Name,
		Webhook: c.Webhook, Field: c.Field, Before: newPosition(c.Before), After: newPosition(c.After),
	}
}

func newPosition(p manifest.Position) *Position {
	if p.File == "" {
		return nil
	}
	return &Position{p.File, p.Number, p.Line}
}
