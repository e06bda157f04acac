package policies

import (
	"encoding/json"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// connected returns copies of configurations, with defaults and the address of
// the server.
func (s *Shared) connected(configurations []runtime.Object) (all []runtime.Object) {
	for _, c := range configurations {
		c = c.DeepCopyObject()
		switch c := c.(type) {
		case *registrationv1.MutatingWebhookConfiguration:
			registration.Default(c)
			for i := range c.Webhooks {
				harness.Connect(&c.Webhooks[i].ClientConfig, s.server)
			}
		case *registrationv1.ValidatingWebhookConfiguration:
			registration.Default(c)
			for i := range c.Webhooks {
				harness.Connect(&c.Webhooks[i].ClientConfig, s.server)
			}
		}
		all = append(all, c)
	}
	return all
}

// addWebhooks adds up to three mutating webhooks and two validating ones. Of the
// validating ones, which are called at the same time, only the first denies and
// only the second warns, so that their order does not show.
func (d drawn) addWebhooks(w *World) {
	w.Responses = map[string][]scenario.Answer{}
	mutating := &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "mutating"}}
	for n := range d.IntN(4) {
		name := fmt.Sprint("mutate-", n)
		mutating.Webhooks = append(mutating.Webhooks, d.webhook(name))
		w.Responses["/"+name] = one(d, mutatingResponses...)
	}
	validating := &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "validating"}}
	for n, responses := range [][][]scenario.Answer{denyingResponses, warningResponses} {
		if d.chance(30) {
			continue
		}
		name := fmt.Sprint("validate-", n)
		webhook := validatingWebhook(d.webhook(name))
		if n == 1 { // it does not deny a dry run either
			webhook.SideEffects = new(registrationv1.SideEffectClassNone)
		}
		validating.Webhooks = append(validating.Webhooks, webhook)
		w.Responses["/"+name] = one(d, responses...)
	}
	w.Webhooks = []runtime.Object{mutating, validating}
}

func (d drawn) webhook(name string) registrationv1.MutatingWebhook {
	w := registrationv1.MutatingWebhook{
		Name: name + ".example.com",
		ClientConfig: registrationv1.WebhookClientConfig{
			URL: new("https://webhook/" + name), CABundle: []byte("CA")},
		Rules: []registrationv1.RuleWithOperations{
			one(d, rule("*", "*", "*", "*"), rule("*", "*", "*", "*"), rule("*", "", "v1", "pods"),
				rule("*", "apps", "v1", "deployments"),
				rule("*", "autoscaling", one(d, "v1", "v2"), "horizontalpodautoscalers"), d.rule()).
				RuleWithOperations},
		MatchPolicy:       one(d, nil, new(registrationv1.Exact)),
		NamespaceSelector: d.selector("team", "a", "b"), ObjectSelector: d.selector("app", "web", "db"),
		FailurePolicy: d.failurePolicy(),
		SideEffects: one(d, new(registrationv1.SideEffectClassNone),
			new(registrationv1.SideEffectClassSome)),
		AdmissionReviewVersions: []string{"v1"},
		ReinvocationPolicy: one(d, new(registrationv1.NeverReinvocationPolicy),
			new(registrationv1.IfNeededReinvocationPolicy)),
	}
	if d.chance(20) {
		w.MatchConditions = []registrationv1.MatchCondition{
			{Name: "condition", Expression: one(d, webhookConditions...)}}
	}
	return w
}

// validatingWebhook returns a validating webhook with the fields of a mutating
// one.
func validatingWebhook(w registrationv1.MutatingWebhook) registrationv1.ValidatingWebhook {
	return registrationv1.ValidatingWebhook{
		Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, MatchPolicy: w.MatchPolicy,
		NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
		FailurePolicy: w.FailurePolicy, SideEffects: w.SideEffects,
		AdmissionReviewVersions: w.AdmissionReviewVersions, MatchConditions: w.MatchConditions,
	}
}

var webhookConditions = []string{
	"true", "object != null", "'app' in object.metadata.labels",
	"!('patched' in object.metadata.labels)", "1 / 0 == 1",
}

var allowed = scenario.Answer{Allowed: true}

// patching allows, and patches objects that have a field.
func patching(field, patch string) []scenario.Answer {
	return []scenario.Answer{
		{When: &scenario.When{Path: field}, Allowed: true, Patch: patch}, allowed}
}

// labelled is the condition of a label.
func labelled(key, value string) *scenario.When {
	return &scenario.When{Path: "/metadata/labels/" + key, Is: json.RawMessage(`"` + value + `"`)}
}

// mutatingResponses are what mutating webhooks respond with.
var mutatingResponses = [][]scenario.Answer{
	{allowed},
	patching("/metadata/labels",
		`[{"op":"add","path":"/metadata/labels/webhook","value":"yes"}]`),
	patching("/metadata/labels/patched", `[{"op":"remove","path":"/metadata/labels/patched"}]`),
	patching("/metadata/labels/app",
		`[{"op":"replace","path":"/metadata/labels/app","value":"db"}]`),
	patching("/spec/containers", `[{"op":"add","path":"/spec/containers/-","value":
		{"name":"webhook","image":"registry.example.com/webhook"}}]`),
	patching("/spec/replicas", `[{"op":"replace","path":"/spec/replicas","value":5}]`),
	patching("/spec/maxReplicas", `[{"op":"replace","path":"/spec/maxReplicas","value":9}]`),
	patching("/metadata/labels/app", `[{"op":"remove","path":"/missing"}]`),
	{{When: labelled("app", "db"),
		Result: &metav1.Status{Message: "no databases", Code: 409}}, allowed},
	{{When: labelled("app", "web"), Status: 500}, allowed},
	{{Allowed: true, Warnings: []string{"a warning"},
		AuditAnnotations: map[string]string{"key": "value"}}},
}

// denyingResponses are what the validating webhook that may deny responds with.
var denyingResponses = [][]scenario.Answer{
	{allowed},
	{{When: labelled("webhook", "yes"), Result: &metav1.Status{Message: "no webhooks"}}, allowed},
	{{When: labelled("app", "db"), Status: 500}, allowed},
	{{When: labelled("patched", "yes"),
		Result: &metav1.Status{Reason: "NotFound", Code: 404}}, allowed},
}

// warningResponses are what the other validating webhook responds with.
var warningResponses = [][]scenario.Answer{
	{allowed},
	{{When: labelled("app", "web"), Allowed: true, Warnings: []string{"the web"}}, allowed},
	{{Allowed: true, Warnings: []string{"first", "second"},
		AuditAnnotations: map[string]string{"key": "validated"}}},
}
