package plan

import (
	"cmp"
	"slices"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/session"
)

// stageEnded is the NotVisited.Stage of webhooks after the end of a request.
const stageEnded = "ended"

// itemOf returns the plan of a request. The webhooks are all that there are.
func itemOf(v *session.Result, webhooks []*admission.Webhook) Item {
	r := v.Request
	item := Item{
		Operation: string(r.Operation), APIVersion: r.Kind.GroupVersion().String(), Kind: r.Kind.Kind,
		Resource: r.Resource.GroupResource().String(), Subresource: r.Subresource,
		Namespace: r.Namespace, Name: v.Name(), Allowed: v.Response.Allowed,
		Visits: []Visit{}, NotVisited: []NotVisited{},
	}
	if r.User != nil {
		item.User = r.User.Username
	}
	e := v.Explain(explain.ReasonsOnly())
	if e.Status != nil {
		item.Message = e.Status.Message
	}
	considered := map[Name]bool{}
	for i := range e.Rounds {
		for j := range e.Rounds[i].Webhooks {
			w := &e.Rounds[i].Webhooks[j]
			considered[item.add(&e.Rounds[i], w)] = true
		}
	}
	item.limitAgain()
	for _, w := range webhooks {
		name := Name{w.Phase.String(), w.Configuration, w.Name}
		if !considered[name] {
			item.NotVisited = append(item.NotVisited,
				NotVisited{Name: name, Stage: stageEnded, Reason: "the request ends before it"})
		}
	}
	slices.SortStableFunc(item.NotVisited, // "mutating" before "validating"
		func(a, b NotVisited) int { return cmp.Compare(a.Phase, b.Phase) })
	return item
}

// add adds a webhook in a round, and returns its name. Only round 0 has reasons:
// round 1 is for webhooks that were called before.
func (item *Item) add(r *explain.Round, w *explain.Webhook) Name {
	name := Name{r.Phase, w.Configuration, w.Name}
	switch {
	case w.Call != nil:
		visit := Visit{
			Name: name, Round: r.Round, Order: item.nextOrder(name.Phase),
			TimeoutSeconds: w.Spec.TimeoutSeconds, FailurePolicy: w.Spec.FailurePolicy, Fault: w.Call.Fault,
			Again: w.Spec.ReinvocationPolicy == "IfNeeded",
		}
		if visit.Fault != "" {
			visit.Outcome = w.Call.Outcome
		}
		item.Visits = append(item.Visits, visit)
	case r.Round == 0:
		item.NotVisited = append(item.NotVisited, NotVisited{
			Name: name, Stage: w.Stage, Reason: cmp.Or(w.Error, w.Reason), Hint: w.Hint,
		})
	}
	return name
}

// nextOrder returns the Order of the next call. Validating webhooks are called
// at the same time.
func (item *Item) nextOrder(phase string) int {
	if len(item.Visits) == 0 {
		return 1
	}
	last := &item.Visits[len(item.Visits)-1]
	if phase == admission.Validating.String() && last.Phase == phase {
		return last.Order
	}
	return last.Order + 1
}

// limitAgain keeps Again for the webhooks of round 0, except for the last one,
// after which nothing changes the object.
func (item *Item) limitAgain() {
	for i := range item.Visits {
		var next Visit
		if i+1 < len(item.Visits) {
			next = item.Visits[i+1]
		}
		item.Visits[i].Again = item.Visits[i].Again && next.Round == 0 &&
			next.Phase == admission.Mutating.String()
	}
}
