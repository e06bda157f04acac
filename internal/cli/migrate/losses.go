package migrate

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// Loss is something that a policy does not take over from a webhook.
type Loss struct {
	// Field is the field of the webhook, such as rules[0].operations; absent for
	// what its responses say.
	Field string `json:"field,omitempty"`
	// Reason says what is different for the policy.
	Reason string `json:"reason"`
}

// losses collects them for a webhook.
type losses struct {
	webhook *admission.Webhook
	all     []Loss
}

func (l *losses) add(field, reason string, values ...any) {
	l.all = append(l.all, Loss{field, fmt.Sprintf(reason, values...)})
}

// lossesOf returns what a policy of this name does not take over; why there is none
// if no policy can see what the webhook does.
func lossesOf(w *admission.Webhook, name string) []Loss {
	l := &losses{webhook: w}
	if name != w.Name {
		l.add("name", "The policy is named %s, because the name is taken or reserved.", name)
	}
	l.rules()
	if len(constraints(w).ResourceRules) == 0 {
		return l.all
	}
	l.conditions()
	l.calls()
	if w.Phase == admission.Mutating {
		l.mutations()
	} else {
		l.add("", "A validating policy runs before all validating webhooks: they do not receive what it"+
			" denies.")
		l.add("", "A denial names the policy and the binding. Its code is 403 with the reason Forbidden,"+
			" like the webhook's, and 422 without a reason.")
		l.add("", "Audit annotations come from spec.auditAnnotations, and warnings from a binding"+
			" with the action Warn.")
	}
	return l.all
}

func (l *losses) rules() {
	if len(l.webhook.Rules) == 0 {
		l.add("rules", "The webhook has no rules and is never called.")
	}
	for i := range l.webhook.Rules {
		r, at := &l.webhook.Rules[i], fmt.Sprintf("rules[%d]", i)
		if l.webhook.Phase == admission.Mutating {
			l.deletions(r, at+".operations")
		}
		if seesConfigurations(*r) {
			l.add(at+".resources", "Policies receive webhook configurations, and webhooks do not:"+
				" excludeResourceRules excludes them.")
		}
		if mixes(r.Resources) {
			l.add(at+".resources", "Resources and subresources have objects of different kinds. An"+
				" expression must fit all of them: test request.subResource, or write several policies.")
		}
	}
}

// deletions says what becomes of DELETE, which no mutating policy sees.
func (l *losses) deletions(r *registrationv1.RuleWithOperations, at string) {
	switch {
	case slices.Contains(r.Operations, registrationv1.OperationAll):
		l.add(at, "For a mutating policy, * does not include DELETE.")
	case !slices.ContainsFunc(r.Operations, isDelete):
	case slices.ContainsFunc(r.Operations, func(o registrationv1.OperationType) bool {
		return !isDelete(o)
	}):
		l.add(at, "A mutating policy never receives DELETE, which is left out.")
	default:
		l.add(at, "A mutating policy never receives DELETE: the rule is left out.")
	}
}

// mixes reports whether a rule is for resources and for subresources, or for
// several subresources.
func mixes(resources []string) bool {
	subresources := map[string]bool{}
	for _, r := range resources {
		_, sub, _ := strings.Cut(r, "/")
		subresources[sub] = true
	}
	return len(subresources) > 1 || subresources["*"]
}

// conditions says which conditions mean something else. The expressions have the
// same variables, but namespaceObject is null for webhooks (S-140).
func (l *losses) conditions() {
	for i, c := range l.webhook.MatchConditions {
		if strings.Contains(c.Expression, "namespaceObject") {
			l.add(fmt.Sprintf("matchConditions[%d].expression", i),
				"namespaceObject is null for webhooks, and the namespace for policies.")
		}
	}
}

// calls says what there is no longer because nothing is called.
func (l *losses) calls() {
	w := l.webhook
	l.add("clientConfig", "Write the logic of the webhook as expressions. They can read"+
		" the object, the namespace and params, and query the authorizer; they cannot call servers and"+
		" need no caBundle.")
	if w.TimeoutSeconds != nil {
		l.add("timeoutSeconds", "%d s: an expression has a cost limit in place of a timeout.",
			*w.TimeoutSeconds)
	}
	if s := w.SideEffects; s != nil && *s != registrationv1.SideEffectClassNone {
		l.add("sideEffects", "%s: expressions have no side effects. Move what the webhook does"+
			" besides its response to a controller.", *s)
	}
	if w.IgnoresFailures() {
		l.add("failurePolicy", "Ignore: it admits a request if an expression has an error, not if a"+
			" webhook does not respond.")
	} else {
		l.add("failurePolicy", "Fail: it denies a request if an expression has an error, not if a"+
			" webhook does not respond.")
	}
}

// mutations says what is different for mutating policies.
func (l *losses) mutations() {
	l.add("", "A mutating policy runs before all mutating webhooks, and policies run in an undefined"+
		" order: it receives the changes of the others only if it is applied again.")
	if l.webhook.Reinvocable() {
		l.add("reinvocationPolicy", "IfNeeded: a policy is applied twice even if nothing else changes"+
			" the object. The mutation must not repeat what it did.")
	}
	l.add("", "A mutating policy cannot deny, and has no warnings and no audit annotations. To deny"+
		" what the webhook denies, write a ValidatingAdmissionPolicy.")
}
