package reportsample

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// Many returns the creation of Deployments, with a webhook in three called and
// every fourth request denied.
func Many(requests, webhooks int) *explain.Document {
	var items []*explain.Explanation
	for i := range requests {
		items = append(items, deployment(i, webhooks))
	}
	return Document(items...)
}

func deployment(number, webhooks int) *explain.Explanation {
	e := &explain.Explanation{
		Request: explain.Request{
			Operation: []string{"CREATE", "UPDATE"}[number%2],
			Kind:      metav1.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
			Resource:  metav1.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
			Namespace: []string{"prod", "staging", "team-a"}[number%3],
			Name:      fmt.Sprintf("service-%d", number),
			User: explain.User{Name: "ada@example.com",
				Groups: []string{"developers", "system:authenticated"}},
		},
		Allowed: number%4 != 3,
		Rounds:  []explain.Round{{Phase: mutating}, {Phase: validating}},
		Object:  json.RawMessage(fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"service-%d"},"spec":{"replicas":3}}`, number)),
	}
	leaves(explain.Path{}, e.Object, func(path string, value json.RawMessage) {
		e.Fields = append(e.Fields, explain.Field{Path: path, Value: value, Writer: user()})
	})
	clock := 0.001
	for position := range webhooks {
		clock = meet(e, number, position, webhooks, clock)
	}
	e.Seconds = clock
	return e
}

// meet adds a webhook to the explanation: the first half of them are mutating.
// It returns the end of the call.
func meet(e *explain.Explanation, number, position, webhooks int, clock float64) float64 {
	round := &e.Rounds[2*position/webhooks]
	configuration, name := fmt.Sprintf("configuration-%d", position/5), fmt.Sprintf("hook-%d.example.com", position)
	if position%3 != 0 {
		stage := []string{"rules", "namespaceSelector", "objectSelector", "matchConditions"}[position%4]
		round.Webhooks = append(round.Webhooks, skipped(configuration, name, position, stage, "it did not match by its "+stage, "nothing comes near"))
		return clock
	}
	// Spread over three powers of ten, without chance.
	took := 0.0004 * math.Pow(10, float64((position*7+number*13)%31)/10)
	c := exchange(fmt.Sprintf("hook-%d", position), position, clock, took)
	if !e.Allowed && round.Phase == validating && !slices.ContainsFunc(round.Webhooks, isRejection) {
		c.Outcome, c.Code, c.Error = "rejected", 403, fmt.Sprintf("admission webhook %q denied the request: not today", name)
		e.Status = &metav1.Status{Message: c.Error, Reason: metav1.StatusReasonForbidden, Code: 403}
	}
	round.Webhooks = append(round.Webhooks, called(configuration, name, position, c))
	if round.Phase == validating {
		return clock // all begin at once
	}
	return clock + took
}

func isRejection(w explain.Webhook) bool { return w.Call != nil && w.Call.Outcome == "rejected" }
