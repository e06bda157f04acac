package draft

import (
	"regexp"

	"k8s.io/apimachinery/pkg/api/meta"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/suite/suitefile"
)

// expected returns expectations that the response meets.
func expected(r *admission.Response, names *names) suitefile.Expect {
	e := suitefile.Expect{
		Called: names.called(r), Webhooks: names.notCalled(r), Policies: expect.PolicyErrors(r),
	}
	if r.Allowed {
		e.Allowed = new(true)
	} else if s := r.Status; s != nil {
		e.Code, e.Message = new(s.Code), new(exactPattern(s.Message, r))
		if s.Reason != "" {
			e.Reason = new(s.Reason)
		}
	}
	for _, w := range r.Warnings {
		e.Warnings = append(e.Warnings, exactPattern(w, r))
	}
	for i := range r.Calls {
		if c := &r.Calls[i]; c.Round > 0 {
			e.Rounds = new(int32(c.Round + 1))
		}
	}
	return e
}

// called returns the names of the called webhooks, an empty list if none was
// called. A name stands for all webhooks that have it: the result is nil if
// only some of them were called.
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

// notCalled returns the stage that excluded each webhook that was not called.
// An expectation covers all webhooks of a name: it is left out if they differ.
func (n *names) notCalled(r *admission.Response) []suitefile.ExpectWebhook {
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

// notReached is the stage of webhooks after the end of the request.
const notReached = "not reached"

// stageOf returns the stage that excluded a webhook; "" if it is not certain.
func stageOf(m *admission.Match) string {
	switch {
	case m.Err != nil:
		return ""
	case m.Stage == admission.StagePassed:
		return notReached
	}
	return m.Stage.String()
}

// exactPattern returns a regular expression that matches the text only. A
// generated name may vary.
func exactPattern(text string, r *admission.Response) string {
	pattern := "^" + regexp.QuoteMeta(text) + "$"
	if r.Request.Name != "" || r.Object == nil {
		return pattern
	}
	m, err := meta.Accessor(r.Object)
	if err != nil || m.GetGenerateName() == "" || m.GetName() == "" {
		return pattern
	}
	generated := regexp.MustCompile(`\b` + regexp.QuoteMeta(regexp.QuoteMeta(m.GetName())) + `\b`)
	return generated.ReplaceAllLiteralString(pattern,
		regexp.QuoteMeta(m.GetGenerateName())+"[a-z0-9]+")
}
