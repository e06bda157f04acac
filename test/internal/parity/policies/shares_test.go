package policies_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/parity/policies"
)

// least is the percentage of requests that each share has to reach.
const least = 10

// shares counts what was compared. It is the recorder of recorded requests.
type shares struct {
	requests, recorded, measured int
	// ofRequests, ofRecorded and ofMeasured are how many of them have something.
	ofRequests, ofRecorded, ofMeasured map[string]int
	// found is what the records of the current request have.
	found map[string]bool
}

// begin begins a recorded request.
func (s *shares) begin() {
	s.found = map[string]bool{aParam: false, noParam: false, applied: false, anError: false}
}

// What records have.
const (
	aParam  = "a param"
	noParam = "no param where one is wanted"
	applied = "a policy that applies"
	anError = "a failed expression"
)

// RecordMatch implements dispatcher.Recorder.
func (s *shares) RecordMatch(context.Context, *admission.Match) {}

// RecordCall implements dispatcher.Recorder.
func (s *shares) RecordCall(context.Context, *admission.Call) {}

// RecordPolicy implements dispatcher.PolicyRecorder.
func (s *shares) RecordPolicy(_ context.Context, p *admission.PolicyRecord) {
	for _, b := range p.Bindings {
		applies := b.Match.Stage == admission.StagePassed
		s.note(aParam, len(b.Params) > 0 && b.Params[0] != "")
		s.note(noParam, applies && p.ParamKind.Kind != "" && len(b.Params) == 0)
		for _, e := range b.Evaluations {
			s.note(applied, true)
			s.note(anError, failed(e))
		}
	}
}

func (s *shares) note(what string, is bool) { s.found[what] = s.found[what] || is }

// failed reports whether an expression failed.
func failed(e *admission.PolicyEvaluation) bool {
	return e.Err != nil ||
		slices.ContainsFunc(e.Expressions, func(r admission.ExpressionResult) bool { return r.Err != nil }) ||
		slices.ContainsFunc(e.Decisions, func(d admission.PolicyDecision) bool { return d.Failed }) ||
		slices.ContainsFunc(e.Mutations, func(m admission.PolicyMutation) bool { return m.Err != nil })
}

// add adds a request.
func (s *shares) add(sent *policies.Request, r *policies.Result, recorded bool) {
	s.requests++
	count(&s.ofRequests, map[string]bool{
		"a denial":            r.Err != "",
		"a mutation":          r.Object != nil && !equality.Semantic.DeepEqual(sent.New().GetObject(), r.Object),
		"a second round":      r.Rounds == 2,
		"a warning":           len(r.Warnings) > 0,
		"an audit annotation": len(r.Annotations) > 0,
		"a call of a webhook": len(r.Reviews) > 0,
	})
	if recorded {
		s.recorded++
		count(&s.ofRecorded, s.found)
	}
	if sent.Metrics {
		s.measured++
		count(&s.ofMeasured, map[string]bool{"a metric that changes": len(r.Metrics) > 0})
	}
}

func count(in *map[string]int, has map[string]bool) {
	if *in == nil {
		*in = map[string]int{}
	}
	for what, is := range has {
		if is {
			(*in)[what]++
		} else {
			(*in)[what] += 0
		}
	}
}

// percentages returns the shares by name.
func (s *shares) percentages() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, of := range []struct {
			all   int
			these map[string]int
		}{{s.requests, s.ofRequests}, {s.recorded, s.ofRecorded}, {s.measured, s.ofMeasured}} {
			for _, name := range slices.Sorted(maps.Keys(of.these)) {
				if !yield(name, 100*of.these[name]/max(of.all, 1)) {
					return
				}
			}
		}
	}
}

// String lists the shares.
func (s *shares) String() string {
	text := fmt.Sprintf("%d requests, of which", s.requests)
	for name, percent := range s.percentages() {
		text += fmt.Sprintf(" %d %% have %s,", percent, name)
	}
	return strings.TrimSuffix(text, ",")
}
