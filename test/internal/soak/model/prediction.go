package model

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/request"
)

// prediction is what becomes of a request in a phase.
type prediction struct {
	phase   admission.Phase
	request Request
	// golden is whether the request's namespace is.
	golden  bool
	second  bool
	outcome Outcome
	counts  Counts
	kinds   Kinds
	// labels are those that were patched, and kept those before the webhooks of
	// the round.
	labels, kept map[string]string
	// invoked are the webhooks that are called again if the object changes, and
	// due those for which it has changed. more is whether there is another
	// round.
	invoked, due map[string]bool
	more         bool
	// lost is the number of calls to be lost, of webhooks without one of the
	// answers.
	lost    int
	answers []string
}

func newPrediction(phase admission.Phase, r Request, seen Outcome, lost int) *prediction {
	return &prediction{
		phase: phase, request: r, kinds: r.kinds(), lost: lost, answers: seen.Revisions,
		outcome: Outcome{Verdict: allowed, Shape: r.shape()},
		labels:  map[string]string{}, invoked: map[string]bool{}, due: map[string]bool{},
	}
}

// kinds are what a request is by itself.
func (r Request) kinds() Kinds {
	k := map[apiadmission.Operation]Kinds{apiadmission.Update: Updates,
		apiadmission.Delete: Deletions, apiadmission.Connect: Connections}[r.Operation]
	if r.DryRun {
		k |= DryRuns
	}
	if r.Version != "v1" {
		k |= OtherVersions
	}
	return k
}

func (p *prediction) clone() *prediction {
	q := *p
	q.outcome.Calls = slices.Clip(p.outcome.Calls)
	q.outcome.Revisions = slices.Clip(p.outcome.Revisions)
	q.outcome.FailedOpen = slices.Clip(p.outcome.FailedOpen)
	q.labels = maps.Clone(p.labels)
	q.invoked, q.due = maps.Clone(p.invoked), maps.Clone(p.due)
	return &q
}

// round takes the request through the webhooks of a state.
func (p *prediction) round(s State, golden bool) {
	p.golden = golden
	if p.policies(); p.outcome.Verdict != allowed {
		return
	}
	p.kept = maps.Clone(p.labels)
	if p.phase == admission.Validating && !p.evaluated(s) {
		return
	}
	for _, c := range s {
		for i := range c.Webhooks {
			w := &c.Webhooks[i]
			if version, ok := p.match(w); ok {
				p.visit(c, w, version)
			}
			if p.outcome.Verdict != allowed && p.phase == admission.Mutating {
				p.labels = p.kept // webhooks of a round that is refused have changed nothing
				return
			}
		}
	}
}

// evaluated reports whether all matchConditions can be evaluated, which is
// before the first call in the validating phase.
func (p *prediction) evaluated(s State) bool {
	q := *p
	for _, c := range s {
		for i := range c.Webhooks {
			if q.match(&c.Webhooks[i]); q.outcome.Verdict != allowed {
				p.outcome.Verdict, p.kinds = q.outcome.Verdict, q.kinds
				return false
			}
		}
	}
	return true
}

// match reports whether the webhook is called, if there is no error, and the
// version that it gets.
func (p *prediction) match(w *Webhook) (version string, ok bool) {
	version, ok = w.version(p.request)
	if !ok || w.Fault != "" && w.Fault != p.request.Fault {
		return "", false
	}
	if w.Golden && !p.golden {
		p.kinds |= NamespaceNotSelected
		return "", false
	}
	switch {
	case w.Team == "":
	case w.Team == p.request.Team:
		p.kinds |= ObjectSelected
	case w.Team == p.request.OldTeam:
		p.kinds |= OldObjectSelected
	default:
		return "", false
	}
	if w.Golden {
		p.kinds |= NamespaceSelected
	}
	return version, !w.Conditional || p.condition(w)
}

// version returns the version that the webhook gets of the object, and whether
// its rule matches.
func (w *Webhook) version(r Request) (string, bool) {
	if !slices.Contains(w.Resources, r.Resource) ||
		!slices.Contains(w.Operations, registrationv1.OperationAll) &&
			!slices.Contains(w.Operations, registrationv1.OperationType(r.Operation)) {
		return "", false
	}
	if slices.Contains(w.Versions, "*") || slices.Contains(w.Versions, r.Version) {
		return r.Version, true
	}
	return w.Versions[0], w.Equivalent
}

// condition evaluates the matchCondition of a webhook.
func (p *prediction) condition(w *Webhook) bool {
	switch {
	case p.request.Condition == "true":
		p.kinds |= ConditionTrue
		return true
	case p.request.Condition == "false":
		p.kinds |= ConditionFalse
	case w.Ignore:
		p.kinds |= ConditionFailedOpen
	default:
		p.kinds |= ConditionFailedClosed
		p.object(unevaluatedAt(w.Role + "@" + strconv.FormatInt(w.Revision, 10)))
	}
	return false
}

// visit is a call, unless the second round does not need it.
func (p *prediction) visit(c *Configuration, w *Webhook, version string) {
	uid := c.Name + "/" + w.Name
	if p.second && !p.due[uid] {
		return
	}
	if p.second {
		p.kinds |= Reinvoked
	}
	if version != p.request.Version {
		p.kinds |= Converted
	}
	p.counts.Calls++
	changed := false
	if p.phase == admission.Mutating {
		p.outcome.Calls = append(p.outcome.Calls, callIn(p.second, uid))
	}
	if w.Effects && p.request.DryRun {
		p.kinds |= RefusedDryRuns
		p.counts.Unsent++
		p.counts.Internal++
		p.object(refusedBy(w.Name))
	} else {
		changed = p.call(w, version)
	}
	p.called(uid, changed, w.Again)
}

// called notes what is to be called again.
func (p *prediction) called(uid string, changed, again bool) {
	if changed {
		maps.Copy(p.due, p.invoked)
		clear(p.invoked)
		p.more = true
	}
	if again {
		p.invoked[uid] = true
	}
}

// call reports whether the object has changed.
func (p *prediction) call(w *Webhook, version string) (changed bool) {
	end := p.ending(w, version)
	if end != answers {
		p.counts.Faulty++
	}
	switch end {
	case answers:
		return p.answered(w, version)
	case denies:
		p.counts.Denied++
		p.object(deniedBy(w.Name))
	case spoils:
		p.counts.Internal++
		p.object(internal)
	case fails:
		if w.Ignore {
			p.counts.FailedOpen++
			p.outcome.FailedOpen = append(p.outcome.FailedOpen, w.Name)
			return false
		}
		p.counts.FailedClosed++
		p.object(failedAt(w.Name))
	}
	return false
}

// ending returns how a call of the webhook ends.
func (p *prediction) ending(w *Webhook, version string) ending {
	switch {
	case w.Fault != "":
		return endingOf(w.Fault, p.phase)
	case p.lost > 0 && !p.hasAnswered(p.answer(w, version)):
		p.lost--
		return fails
	default:
		return answers
	}
}

// hasAnswered reports whether there is one such answer more than was predicted.
func (p *prediction) hasAnswered(answer string) bool {
	count := func(list []string) (n int) {
		for _, a := range list {
			if a == answer {
				n++
			}
		}
		return n
	}
	return count(p.answers) > count(p.outcome.Revisions)
}

// answer is how an outcome shows that the webhook has answered.
func (p *prediction) answer(w *Webhook, version string) string {
	return answered(w.Name, strconv.FormatInt(w.Revision, 10), p.request.report(version))
}

// answered is a call of a webhook without a fault.
func (p *prediction) answered(w *Webhook, version string) (changed bool) {
	p.outcome.Revisions = append(p.outcome.Revisions, p.answer(w, version))
	switch verdictOn(p.phase, w.Revision, p.request) {
	case no:
		p.counts.Denied++
		p.object(deniedBy(w.Name))
	case patch:
		return p.patch(w)
	}
	return false
}

// patch applies a webhook's patch, if there is something to patch.
func (p *prediction) patch(w *Webhook) (changed bool) {
	name, count := w.Role, 1+len(p.request.labels())+len(p.labels) // and the number
	switch p.request.Operation {
	case apiadmission.Delete:
		return false
	case apiadmission.Connect:
		name, count = request.ContainerKey, 0
	}
	value := patched(w.Role, w.Revision, count)
	changed = p.labels[name] != value
	p.labels[name] = value
	return changed
}

// object is an objection to the request: the first one counts.
func (p *prediction) object(verdict string) {
	if p.outcome.Verdict == allowed {
		p.outcome.Verdict = verdict
	}
}

// done returns the outcome.
func (p *prediction) done() Outcome {
	o := p.outcome
	o.Revisions = slices.Sorted(slices.Values(o.Revisions))
	o.FailedOpen = slices.Sorted(slices.Values(o.FailedOpen))
	if p.phase == admission.Mutating {
		o.Labels = sorted(p.labels)
	}
	return o
}

func sorted(labels map[string]string) []string {
	var list []string
	for name, value := range labels {
		list = append(list, name+"="+value)
	}
	slices.SortFunc(list, strings.Compare)
	return list
}
