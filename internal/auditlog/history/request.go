package history

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
)

// request explains an event.
type request struct {
	event       *auditlog.Event
	stored      stored
	known       *known
	explanation *explain.Explanation
	states      []explain.State
}

var operations = map[string]string{
	"create": "CREATE", "update": "UPDATE", "patch": "UPDATE", "delete": "DELETE",
	"deletecollection": "DELETE",
}

func (r *request) explain(options ...explain.Option) {
	e := r.event
	r.explanation = &explain.Explanation{
		Request: explain.Request{
			Operation: operations[e.Verb],
			Kind:      requestKind(e, r.stored),
			Resource: metav1.GroupVersionResource{
				Group: e.Ref.APIGroup, Version: e.Ref.APIVersion, Resource: e.Ref.Resource},
			Subresource: e.Ref.Subresource, Namespace: e.Ref.Namespace, Name: e.Name(),
			DryRun: e.DryRun(), User: explain.User{Name: e.User.Name, Groups: e.User.Groups},
			OldObject: clone(r.stored.object),
		},
		Allowed: !e.Failed(),
	}
	if r.explanation.Request.Operation == "" {
		r.explanation.Request.Operation = "CONNECT"
	}
	if e.Failed() {
		r.explanation.Status = &metav1.Status{Status: metav1.StatusFailure,
			Code: int32(e.Code), Message: r.message()}
	}
	if e.Verb == "create" || e.Verb == "update" {
		r.explanation.Request.Object = clone(e.RequestObject)
	}
	r.addRounds()
	r.addLevel()
	if r.hidesAll() {
		r.hide()
	} else {
		r.addStates()
	}
	if len(r.states) > 0 {
		r.explanation.Object = clone(r.states[len(r.states)-1].Object)
	}
	explain.Complete(r.explanation, r.states, options...)
}

// clone copies a body, because explain modifies its input.
func clone(body json.RawMessage) json.RawMessage {
	return append(json.RawMessage(nil), body...)
}

func (r *request) problem(format string, args ...any) {
	r.explanation.Problems = append(r.explanation.Problems, fmt.Sprintf(format, args...))
}

// addLevel adds the problem that the level of the event leaves data out.
func (r *request) addLevel() {
	switch e := r.event; {
	case e.Truncated:
		r.problem("the log's backend dropped the bodies of this event, because it was too large")
	case e.Level == auditv1.LevelMetadata:
		r.problem("the event is at the level Metadata: without patches and bodies")
	case e.Level == auditv1.LevelRequest:
		r.problem("the event is at the level Request: what was stored is not in the log")
	}
}

// addRounds adds the webhooks that have an annotation, and the one that the message names.
func (r *request) addRounds() {
	e := r.event
	denied := deniedBy(e)
	for i := range e.Calls {
		c := &e.Calls[i]
		call := &explain.Call{Index: c.Index, Mutated: c.Changed, Outcome: "allowed"}
		switch {
		case c.FailedOpen:
			call.Outcome = "failed open"
		case denied != "" && c.Mutating && c.Webhook == denied:
			call.Outcome, call.Error, call.Code = "rejected", r.message(), e.Code
			denied = ""
		}
		if json.Unmarshal(c.Patch, &call.Patch) != nil && c.Patch != nil {
			r.problem("the patch of %s in round %d cannot be read", c.Webhook, c.Round)
		}
		r.addWebhook(c, call)
	}
	if denied != "" {
		r.addWebhook(&auditlog.Call{Webhook: denied},
			&explain.Call{Outcome: "rejected", Error: r.message(), Code: e.Code})
	}
}

// message returns the error of the request. One about a Secret may quote data that is not in
// the log, so that it cannot be found and hidden.
func (r *request) message() string {
	if !r.event.IsSecret() {
		return r.event.Message
	}
	if name := deniedBy(r.event); name != "" {
		return fmt.Sprintf("admission webhook %q denied the request: [redacted]", name)
	}
	return "[redacted]"
}

// hide removes all written values and keys.
func (r *request) hide() {
	r.explanation.Request.Object, r.explanation.Request.OldObject = nil, nil
	for i := range r.explanation.Rounds {
		for j := range r.explanation.Rounds[i].Webhooks {
			r.explanation.Rounds[i].Webhooks[j].Call.Patch = nil
		}
	}
	r.problem("the log does not have all data of the Secret, and webhooks may have copied some:" +
		" what was written is not shown")
}

// hidesAll reports whether to hide all written values: the object is a Secret, and the log
// does not have all of its data, which a webhook may have copied to other fields.
func (r *request) hidesAll() bool {
	e := r.event
	known := r.stored.object != nil || e.Verb == "create"
	return e.IsSecret() && !(known && (e.RequestObject != nil || e.ResponseObject != nil))
}

// deniedBy returns the webhook that denied the request; empty if none did.
func deniedBy(e *auditlog.Event) string {
	_, rest, ok := strings.Cut(e.Message, `admission webhook "`)
	name, rest, quoted := strings.Cut(rest, `"`)
	if !e.Failed() || !ok || !quoted || !strings.HasPrefix(rest, " denied the request") {
		return ""
	}
	return name
}

func (r *request) addWebhook(c *auditlog.Call, call *explain.Call) {
	phase := "validating"
	if c.Mutating {
		phase = "mutating"
	}
	rounds := r.explanation.Rounds
	if n := len(rounds); n == 0 || rounds[n-1].Phase != phase || rounds[n-1].Round != c.Round {
		rounds = append(rounds, explain.Round{Phase: phase, Round: c.Round})
	}
	last := &rounds[len(rounds)-1]
	last.Webhooks = append(last.Webhooks, explain.Webhook{
		Configuration: c.Configuration, Name: c.Webhook, UID: c.Configuration + "/" + c.Webhook,
		Position: c.Index, Called: true, Stage: "matched", Match: explain.Match{Rule: -1}, Call: call,
	})
	r.explanation.Rounds = rounds
}
