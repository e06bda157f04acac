package draft

import (
	"regexp"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/suitefile"
)

// expected returns what came of a request as what is expected of it.
func expected(r *admission.Response, names *names) suitefile.Expect {
	e := suitefile.Expect{Called: names.called(r), Webhooks: names.stopped(r)}
	if r.Allowed {
		e.Allowed = new(true)
	} else if s := r.Status; s != nil {
		e.Code, e.Message = new(s.Code), new(exactly(s.Message, r))
		if s.Reason != "" {
			e.Reason = new(s.Reason)
		}
	}
	for _, w := range r.Warnings {
		e.Warnings = append(e.Warnings, exactly(w, r))
	}
	for i := range r.Calls {
		if c := &r.Calls[i]; c.Round > 0 {
			e.Rounds = new(int32(c.Round + 1))
		}
	}
	return e
}

// called returns the names of the webhooks that were called, an empty list if none were. A
// name stands for all who bear it: nil is for a request in which not all of them were.
func (n *names) called(r *admission.Response) []string {
	type bearer struct {
		phase admission.Phase
		uid   string
	}
	names, seen, times := []string{}, map[bearer]bool{}, map[string]int{}
	for i := range r.Calls {
		w := r.Calls[i].Webhook
		if b := (bearer{w.Phase, w.UID}); !seen[b] {
			seen[b] = true
			name := n.of(w)
			if times[name]++; times[name] == 1 {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		if times[name] < n.bearers[name] {
			return nil
		}
	}
	return names
}

// stopped says of the webhooks that were not called at which stage they were stopped. What
// is expected holds for all webhooks of a name, so that nothing is said if they differ.
func (n *names) stopped(r *admission.Response) []suitefile.ExpectWebhook {
	called := map[string]bool{}
	for i := range r.Calls {
		called[n.of(r.Calls[i].Webhook)] = true
	}
	stages := map[string]string{}
	for i := range r.Matches {
		m := &r.Matches[i]
		name, stage := n.of(m.Webhook), stageOf(m)
		if first, ok := stages[name]; ok && m.Round == 0 && first != stage {
			stage = ""
		} else if ok {
			stage = first
		}
		stages[name] = stage
	}
	var all []suitefile.ExpectWebhook
	for _, name := range n.all {
		stage, seen := stages[name]
		if !seen {
			stage = notReached
		}
		if !called[name] && stage != "" {
			all = append(all, suitefile.ExpectWebhook{Name: name, Why: new("^" + stage + ": ")})
		}
	}
	return all
}

// notReached is the stage of webhooks that the request did not live to see.
const notReached = "not reached"

// stageOf returns the stage that stopped a webhook; "" if that is not for sure.
func stageOf(m *admission.Match) string {
	switch {
	case m.Err != nil:
		return ""
	case m.Stage == admission.StagePassed:
		return notReached
	}
	return m.Stage.String()
}

// exactly returns a regular expression that a text matches, and no other one; but for a name
// that was generated, which is another one each time.
func exactly(text string, r *admission.Response) string {
	pattern := "^" + regexp.QuoteMeta(text) + "$"
	if r.Request.Name != "" || r.Object == nil {
		return pattern
	}
	m, err := meta.Accessor(r.Object)
	if err != nil || m.GetGenerateName() == "" || m.GetName() == "" {
		return pattern
	}
	generated := regexp.MustCompile(`\b` + regexp.QuoteMeta(regexp.QuoteMeta(m.GetName())) + `\b`)
	return generated.ReplaceAllLiteralString(pattern, regexp.QuoteMeta(m.GetGenerateName())+"[a-z0-9]+")
}
