package behaviour

import (
	"context"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

func (rs *reruns) checkIdempotent(ctx context.Context, w *probe.Webhook, r *check.Record) {
	r.Missing(nothingToChange)
	for _, v := range w.AnsweredVisits() {
		t := rs.get(ctx, w, v.Sample)
		if t == nil {
			continue
		}
		r.Checked()
		f := newFinding(v.Name, paths(t.changes), t.evidence...)
		note := ""
		if createdOnce(w, v.Request) {
			f.Level, note = report.Should, "; reinvocationPolicy is Never: it receives its own changes only if the object is created from a copy"
		}
		switch {
		case t.denied:
			r.Add(f, "the webhook denies the object with its own changes%s", note)
		case len(t.changes) > 0:
			r.Add(f, "called again, the webhook changes its own output%s", note)
		}
	}
}

// createdOnce reports whether kube-apiserver calls the webhook for a request
// that creates an object once. Updates are separate requests.
func createdOnce(w *probe.Webhook, r *admission.Request) bool {
	return r.Operation == admissionv1.Create && (w.ReinvocationPolicy == nil ||
		*w.ReinvocationPolicy == registrationv1.NeverReinvocationPolicy)
}

// reruns caches the results of calling webhooks on their own output, which four
// checks need.
type reruns struct{ results map[rerunKey]*rerun }

// rerunKey is a sample and a webhook that it visits.
type rerunKey struct {
	w *probe.Webhook
	s *probe.Sample
}

// get returns the result for a webhook and a sample; nil if there is none.
func (rs *reruns) get(ctx context.Context, w *probe.Webhook, s *probe.Sample) *rerun {
	at := rerunKey{w, s}
	if t, ok := rs.results[at]; ok {
		return t
	}
	if rs.results == nil {
		rs.results = map[rerunKey]*rerun{}
	}
	t := rerunOnOutput(ctx, w, s.Request)
	rs.results[at] = t
	return t
}

// rerun is the result of calling a webhook on its own output.
type rerun struct {
	// denied reports whether the webhook denied its own output.
	denied  bool
	changes []explain.Change
	// evidence is kept only if there is a problem.
	evidence []*probe.Exchange
}

// rerunOnOutput calls a webhook, and calls it again on the patched object. It
// returns nil if that shows nothing.
func rerunOnOutput(ctx context.Context, w *probe.Webhook, r *admission.Request) *rerun {
	if r.Object == nil {
		return nil
	}
	first, err := w.Alone(ctx, r)
	if err != nil || !first.Allowed {
		return nil
	}
	second, err := w.Alone(ctx, resubmitted(r, first.Object))
	if err != nil {
		return nil
	}
	t := &rerun{}
	if second.Allowed {
		t.changes = changes(first.Object, second.Object)
	} else {
		t.denied = slices.ContainsFunc(second.Calls,
			func(c admission.Call) bool { return c.Outcome == admission.Rejected })
		if !t.denied {
			return nil // the second call failed
		}
	}
	if !t.idempotent() {
		t.evidence = slices.Concat(probe.Exchanges(first), probe.Exchanges(second))
	}
	return t
}

// idempotent reports whether the webhook was seen to leave its own output as it
// was.
func (t *rerun) idempotent() bool { return t != nil && !t.denied && len(t.changes) == 0 }
