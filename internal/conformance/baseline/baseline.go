package baseline

import (
	"cmp"
	"slices"

	"example.com/gatehouse/internal/conformance/report"
)

// The version and the kind of baseline files.
const (
	APIVersion = "gatehouse/v1alpha1"
	Kind       = "ConformanceBaseline"
)

// Baseline is the content of a baseline file.
type Baseline struct {
	// APIVersion and Kind are the constants of these names.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Findings are the accepted findings.
	Findings []Finding `json:"findings"`
}

// Finding identifies a finding.
type Finding struct {
	// Check is the ID of the check. Required.
	Check string `json:"check"`
	// Webhook is the name of the webhook; empty if the check covers all
	// webhooks.
	Webhook string `json:"webhook,omitempty"`
	// Sample and Paths are those of report.Finding.
	Sample string   `json:"sample,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Webhook, b.Webhook), cmp.Compare(a.Check, b.Check),
		cmp.Compare(a.Sample, b.Sample), slices.Compare(a.Paths, b.Paths))
}

func identify(result *report.Result, f *report.Finding) Finding {
	return Finding{Check: result.Check, Webhook: result.Webhook, Sample: f.Sample, Paths: f.Paths}
}

// Apply marks the findings of a report that are in b as accepted, and puts new
// findings first if the report does not show all. It returns
// the findings of b that are gone: their check examined their webhook and did
// not find them. The report must not be merged.
func (b *Baseline) Apply(r *report.Report) (gone []Finding) {
	found := map[int]bool{}
	for i := range r.Results {
		result := &r.Results[i]
		for _, findings := range [][]report.Finding{result.Findings, result.Rest} {
			for j := range findings {
				at := slices.IndexFunc(b.Findings,
					func(f Finding) bool { return compare(f, identify(result, &findings[j])) == 0 })
				if at >= 0 {
					findings[j].Accepted, found[at] = true, true
				}
			}
		}
		newFirst(result)
	}
	for i, f := range b.Findings {
		if !found[i] && examined(r, f) {
			gone = append(gone, f)
		}
	}
	return gone
}

// newFirst moves new findings in front of accepted ones if there are more than a
// report shows. The ones from Rest have no evidence.
func newFirst(result *report.Result) {
	if len(result.Rest) == 0 {
		return
	}
	shown := len(result.Findings)
	all := slices.Concat(result.Findings, result.Rest)
	slices.SortStableFunc(all, func(a, b report.Finding) int {
		switch {
		case a.Accepted == b.Accepted:
			return 0
		case b.Accepted:
			return -1
		}
		return 1
	})
	result.Findings, result.Rest = all[:shown:shown], all[shown:]
}

// examined reports whether the check of a finding was run on its webhook. A
// webhook that does not exist any more has no findings either.
func examined(r *report.Report, f Finding) bool {
	if !slices.ContainsFunc(r.Checks, func(c report.Check) bool { return c.ID == f.Check }) {
		return false
	}
	i := slices.IndexFunc(r.Results, func(result report.Result) bool {
		return result.Check == f.Check && result.Webhook == f.Webhook
	})
	return i < 0 || r.Results[i].Verdict != report.Skip
}

// Update returns a baseline with the findings of a report, and with those
// findings of b whose check or webhook the run did not examine. b may be nil.
func (b *Baseline) Update(r *report.Report) *Baseline {
	updated := &Baseline{APIVersion: APIVersion, Kind: Kind, Findings: []Finding{}}
	for i := range r.Results {
		result := &r.Results[i]
		for _, f := range slices.Concat(result.Findings, result.Rest) {
			updated.Findings = append(updated.Findings, identify(result, &f))
		}
	}
	if b != nil {
		for _, f := range b.Findings {
			if !examined(r, f) {
				updated.Findings = append(updated.Findings, f)
			}
		}
	}
	slices.SortFunc(updated.Findings, compare)
	updated.Findings = slices.CompactFunc(updated.Findings,
		func(a, b Finding) bool { return compare(a, b) == 0 })
	return updated
}
