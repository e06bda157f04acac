package equivalence

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/equivalence/draw"
	"example.com/gatehouse/internal/offline/session"
)

// Aspect is a part of an answer.
type Aspect string

// The aspects. The verdict is always compared.
const (
	Verdicts    Aspect = "verdict"
	Object      Aspect = "object"
	Message     Aspect = "message"
	Code        Aspect = "code"
	Warnings    Aspect = "warnings"
	Annotations Aspect = "annotations"
)

// Aspects are all aspects, in the order in which they are compared.
var Aspects = []Aspect{Verdicts, Object, Message, Code, Warnings, Annotations}

// Answer is the answer of a side to a request.
type Answer struct {
	*session.Result
	// object is the object without what differs by chance; nil if it was denied.
	object any
}

func newAnswer(r *session.Result) *Answer {
	a := &Answer{Result: r}
	if r.Response.Allowed {
		a.object = plain(r.Response.Object, r.Request.Name)
	}
	return a
}

// plain returns an object without uid, times, generated names and managedFields, which
// differ whenever a request is sent.
func plain(o runtime.Object, name string) any {
	text, err := json.Marshal(o)
	var of map[string]any
	if o == nil || err != nil || utiljson.Unmarshal(text, &of) != nil {
		return nil
	}
	m, _ := of["metadata"].(map[string]any)
	for _, field := range []string{"uid", "creationTimestamp", "managedFields", "resourceVersion"} {
		delete(m, field)
	}
	if m["generateName"] != nil && name == "" {
		delete(m, "name")
	}
	return of
}

// differ returns the first of the aspects in which two answers differ; empty if they are
// equal in all.
func differ(a, b *Answer, aspects []Aspect) Aspect {
	for _, aspect := range Aspects {
		if (aspect == Verdicts || slices.Contains(aspects, aspect)) && !a.equal(b, aspect) {
			return aspect
		}
	}
	return ""
}

func (a *Answer) equal(b *Answer, aspect Aspect) bool {
	x, y := a.Response, b.Response
	switch aspect {
	case Verdicts:
		return x.Allowed == y.Allowed
	case Object:
		return !x.Allowed || !y.Allowed || reflect.DeepEqual(a.object, b.object)
	case Message:
		return a.message() == b.message()
	case Code:
		return x.Allowed || y.Allowed || x.Status.Code == y.Status.Code
	case Warnings:
		return slices.Equal(x.Warnings, y.Warnings)
	case Annotations:
		return maps.Equal(a.annotations(), b.annotations())
	}
	return true
}

// denial is what an API server puts before the message of a webhook or a policy.
var denial = regexp.MustCompile(`^(admission webhook "[^"]*" denied the request: |` +
	`\S+ ".*" is forbidden: ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request: )`)

// message returns the message of a denial without the name of the webhook or policy.
func (a *Answer) message() string {
	if a.Response.Status == nil {
		return ""
	}
	return denial.ReplaceAllString(a.Response.Status.Message, "")
}

// teach passes the texts of the answer to the drawer.
func (a *Answer) teach(d *draw.Drawer) {
	d.Learn(a.message())
	for _, w := range a.Response.Warnings {
		d.Learn(w)
	}
	for i := range a.Response.Calls {
		d.Learn(string(a.Response.Calls[i].Patch))
	}
}

// annotations returns the audit annotations of webhooks and policies, without the names
// of these.
func (a *Answer) annotations() map[string]string {
	all := map[string]string{}
	for _, annotation := range a.Response.AuditAnnotations {
		_, key, found := strings.Cut(annotation.Key, "/")
		if found && !strings.Contains(annotation.Key, "webhook.admission.k8s.io") {
			all[key] = annotation.Value
		}
	}
	return all
}

// trail describes the calls and evaluations of a side. Compare varies a request with a
// new trail.
func trail(r *admission.Response) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%t;", r.Allowed)
	for i := range r.Matches {
		fmt.Fprintf(&t, "%s=%d;", r.Matches[i].Webhook.UID, r.Matches[i].Stage)
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		fmt.Fprintf(&t, "%s:%d,%d,%t,%d;", c.Webhook.UID, c.Outcome, c.Code, c.Changed, patchOperations(c.Patch))
	}
	if r.Status != nil {
		fmt.Fprintf(&t, "%d,%.40s;", r.Status.Code, digits.ReplaceAllString(r.Status.Message, "0"))
	}
	for i := range r.Policies {
		p := &r.Policies[i]
		fmt.Fprintf(&t, "%s=%d;", p.Name, p.Match.Stage)
		for j := range p.Bindings {
			trailOf(&t, &p.Bindings[j])
		}
	}
	return t.String()
}

// failed returns how many validations of policies failed. If it is not the same number on
// both sides, requests near this one may have different verdicts.
func failed(r *admission.Response) int {
	n := 0
	for i := range r.Policies {
		for _, b := range r.Policies[i].Bindings {
			for _, e := range b.Evaluations {
				for _, d := range e.Decisions {
					if d.Denied {
						n++
					}
				}
			}
		}
	}
	return n
}

var digits = regexp.MustCompile(`[0-9]+`)

func patchOperations(patch []byte) int { return strings.Count(string(patch), `"op"`) }

// trailOf describes the evaluations of a binding: which expressions were true, false or
// failed.
func trailOf(t *strings.Builder, b *admission.BindingRecord) {
	fmt.Fprintf(t, "%s=%d;", b.Name, b.Match.Stage)
	for _, e := range b.Evaluations {
		for _, x := range e.Expressions {
			value := ""
			if x.Value == "true" || x.Value == "false" {
				value = x.Value
			}
			fmt.Fprintf(t, "%s:%s%t;", x.Field, value, x.Err != nil)
		}
		fmt.Fprintf(t, "%d;", len(e.Mutations))
	}
}
