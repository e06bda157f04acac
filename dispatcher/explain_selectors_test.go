package dispatcher_test

import (
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/admission"
)

// labelled selects by one label.
func labelled(key, value string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
}

// requiring selects by one expression.
func requiring(key string, operator metav1.LabelSelectorOperator, values ...string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
}

func inNamespaces(s *metav1.LabelSelector) func(*admission.Webhook) {
	return func(w *admission.Webhook) { w.NamespaceSelector = s }
}

func ofObjects(s *metav1.LabelSelector) func(*admission.Webhook) {
	return func(w *admission.Webhook) { w.ObjectSelector = s }
}

// everywhere is a selector that does not select.
func everywhere() *metav1.LabelSelector { return &metav1.LabelSelector{} }

// all makes one edit of several.
func all(edits ...func(*admission.Webhook)) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		for _, edit := range edits {
			edit(w)
		}
	}
}

func anything(w *admission.Webhook) { asksFor("*", "*", "*", "*/*")(w) }

func missedNamespaceRows() []missRow {
	const field = "namespaceSelector"
	return []missRow{{
		row:  row{"namespace lacks a label", "the miss that the issue gives as its example"},
		hook: inNamespaces(labelled("team", "blue")), stage: field,
		hint:  "namespace shop lacks the label team=blue",
		helps: fixes(inNamespaces(everywhere())),
	}, {
		row:  row{"namespace has another value", "both values are needed to see what to do"},
		hook: inNamespaces(labelled("env", "prod")), stage: field,
		hint:  "namespace shop has env=test, the namespaceSelector wants env=prod",
		helps: fixes(inNamespaces(labelled("env", "test"))),
	}, {
		row:  row{"key in another case", "it is easily overlooked in a list of labels"},
		hook: inNamespaces(labelled("injection", "enabled")), stage: field,
		hint:  "namespace shop lacks the label injection=enabled (it has Injection=enabled, and keys must match exactly)",
		helps: fixes(inNamespaces(labelled("Injection", "enabled"))),
	}, {
		row:  row{"value in another case", "it is easily overlooked in a list of labels"},
		hook: inNamespaces(labelled("env", "Test")), stage: field,
		hint:  "namespace shop has env=test, the namespaceSelector wants env=Test (values must match exactly)",
		helps: fixes(inNamespaces(labelled("env", "test"))),
	}, {
		row:  row{"namespace In", "all values would do"},
		hook: inNamespaces(requiring("env", metav1.LabelSelectorOpIn, "prod", "stage")), stage: field,
		hint:  "namespace shop has env=test, the namespaceSelector wants env with one of the values prod, stage",
		helps: fixes(inNamespaces(requiring("env", metav1.LabelSelectorOpIn, "prod", "test"))),
	}, {
		row:  row{"namespace NotIn", "the value is the obstacle"},
		hook: inNamespaces(requiring("env", metav1.LabelSelectorOpNotIn, "test", "dev")), stage: field,
		hint:  "namespace shop has env=test, which the namespaceSelector excludes",
		helps: fixes(inNamespaces(requiring("env", metav1.LabelSelectorOpNotIn, "dev"))),
	}, {
		row:  row{"two labels of a namespace", "one without the other would not help"},
		hook: inNamespaces(&metav1.LabelSelector{MatchLabels: map[string]string{"b": "2", "a": "1", "env": "test"}}), stage: field,
		hint:  "namespace shop lacks the label a=1, and lacks the label b=2",
		helps: fixes(inNamespaces(labelled("env", "test"))),
	}, {
		row:  row{"absent namespaceSelector", "S-068: it is not the same as an empty one"},
		hook: inNamespaces(nil), stage: field,
		hint:  "an absent namespaceSelector selects nothing: write {}, which selects everything, as the API server does by default",
		helps: fixes(inNamespaces(everywhere())),
	}, {
		row:  row{"new namespace", "S-092: its own labels count, which are not stored yet"},
		hook: all(anything, inNamespaces(labelled("team", "blue"))), ask: founding(nil), stage: field,
		hint:  "for a request that writes a namespace, its new labels count: web lacks the label team=blue",
		helps: func(_ *admission.Webhook, r *admission.Request) { founding(map[string]any{"team": "blue"})(r) },
	}, {
		row:  row{"deleted namespace", "S-093: the stored labels count"},
		hook: all(anything, inNamespaces(labelled("team", "blue"))), ask: closing, stage: field,
		hint:  "namespace shop, as it is stored, lacks the label team=blue",
		helps: fixes(inNamespaces(labelled("env", "test"))),
	}, {
		row:  row{"unknown namespace", "S-094: the request is over, whatever the failurePolicy"},
		hook: inNamespaces(labelled("team", "blue")), ask: func(r *admission.Request) { r.Namespace = "nowhere" }, stage: field,
		hint:  "create namespace nowhere first; a webhook with an empty namespaceSelector does not look for it",
		helps: fixes(inNamespaces(everywhere())),
	}, {
		row:  row{"unknown operator", "S-091: such a selector is an error, whatever the failurePolicy"},
		hook: inNamespaces(requiring("env", "Is", "test")), stage: field,
		hint: `its namespaceSelector cannot be used: "Is" is not a valid label selector operator; ` +
			"the operators are In and NotIn with values, Exists and DoesNotExist without",
		helps: fixes(inNamespaces(requiring("env", metav1.LabelSelectorOpIn, "test"))),
	}}
}

func missedObjectRows() []missRow {
	const field = "objectSelector"
	return []missRow{{
		row:  row{"object lacks a label", "the most common of all misses by labels"},
		hook: ofObjects(labelled("tier", "front")), stage: field,
		hint:  "the object lacks the label tier=front",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.Object = pod("tier", "front") },
	}, {
		row:  row{"Exists", "any value would do"},
		hook: ofObjects(requiring("tier", metav1.LabelSelectorOpExists)), stage: field,
		hint:  "the object lacks the label tier",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.Object = pod("tier", "any") },
	}, {
		row:  row{"DoesNotExist", "the label is there to opt out"},
		hook: ofObjects(requiring("app", metav1.LabelSelectorOpDoesNotExist)), stage: field,
		hint:  "the object has app=web, and the objectSelector excludes the label app",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.Object = pod() },
	}, {
		row:  row{"absent objectSelector", "S-068: it is not the same as an empty one"},
		hook: ofObjects(nil), stage: field,
		hint:  "an absent objectSelector selects nothing: write {}, which selects everything, as the API server does by default",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"options", "S-100: the object of a CONNECT is its options, which have no metadata"},
		hook: all(anything, ofObjects(labelled("app", "web"))), ask: executing, stage: field,
		hint:  "pods/exec has no labels, so this objectSelector never matches: only {} does",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"options and DoesNotExist", "S-100: a selector that wants no labels does not match either"},
		hook: all(anything, ofObjects(requiring("app", metav1.LabelSelectorOpDoesNotExist))), ask: executing, stage: field,
		hint:  "pods/exec has no labels, so this objectSelector never matches: only {} does",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"deleted object", "S-100: there is no new object"},
		hook: all(anything, ofObjects(labelled("tier", "front"))), ask: deleting, stage: field,
		hint:  "a DELETE has no object but the stored one, which lacks the label tier=front",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.OldObject = pod("tier", "front") },
	}, {
		row:  row{"updated object", "S-100: either object would do"},
		hook: all(anything, ofObjects(labelled("tier", "front"))), stage: field,
		ask:   func(r *admission.Request) { updating(r); r.OldObject = pod() },
		hint:  "neither the new nor the stored object matches: the new one lacks the label tier=front",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.OldObject = pod("tier", "front") },
	}, {
		row:  row{"labels of a scale", "it is an object of its own"},
		hook: all(anything, ofObjects(labelled("app", "web"))), ask: deploying(admissionv1.Update, "scale"), stage: field,
		hint:  "for deployments/scale the labels of the Scale count, not those of the parent object, and it lacks the label app=web",
		helps: fixes(ofObjects(everywhere())),
	}, {
		row:  row{"labels of the template", "the pods have them, but the request is for what makes them"},
		hook: all(anything, ofObjects(labelled("app", "web"))), ask: templated, stage: field,
		hint: "the object lacks the label app=web; spec.template has the right labels, but only the object's own labels count",
		helps: func(_ *admission.Webhook, r *admission.Request) {
			r.Object = custom(r.Kind, map[string]any{"app": "web"})
		},
	}, {
		row:  row{"annotation", "selectors do not look at annotations"},
		hook: ofObjects(labelled("inject", "yes")), ask: annotated, stage: field,
		hint:  "the object lacks the label inject=yes; it has the right annotations, but only labels count",
		helps: func(_ *admission.Webhook, r *admission.Request) { r.Object = pod("inject", "yes") },
	}, {
		row:  row{"too early for a label", "S-101: selectors see the object as it is when it is their turn"},
		hook: mutatingWith(ofObjects(labelled("by", "later"))), more: followed, stage: field,
		hint:  "the object lacks the label by=later; later.example.com changes the labels later: to match the new labels, the webhook must come after it",
		helps: fixes(ofObjects(everywhere())),
	}}
}

// firstStageRows has webhooks that more than one stage excludes. Hints cover
// the first.
func firstStageRows() []missRow {
	return []missRow{{
		row:  row{"namespace, object and rules", "matching stops at the first stage"},
		hook: all(asksFor("DELETE", "", "v1", "pods"), inNamespaces(labelled("team", "blue")), ofObjects(labelled("tier", "front"))), stage: "namespaceSelector",
		hint:  "namespace shop lacks the label team=blue",
		helps: fixes(anything, inNamespaces(everywhere()), ofObjects(everywhere())),
	}, {
		row:  row{"namespace and absent objectSelector", "S-068: an absent selector selects nothing"},
		hook: all(inNamespaces(nil), ofObjects(nil)), stage: "namespaceSelector",
		hint:  "an absent namespaceSelector selects nothing: write {}, which selects everything, as the API server does by default",
		helps: fixes(inNamespaces(everywhere()), ofObjects(everywhere())),
	}, {
		row:  row{"object and rules", "matching stops at the first stage"},
		hook: all(asksFor("CREATE", "", "v2", "pods"), equivalently, ofObjects(labelled("tier", "front"))), stage: "objectSelector",
		hint:  "the object lacks the label tier=front",
		helps: fixes(anything, ofObjects(everywhere())),
	}}
}

func equivalently(w *admission.Webhook) { w.MatchPolicy = new(registrationv1.Equivalent) }

// mutatingWith makes the webhook a mutating one.
func mutatingWith(edits ...func(*admission.Webhook)) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		w.Phase = admission.Mutating
		all(edits...)(w)
	}
}

// followed adds a webhook that adds a label after the one of the test, and
// preceded one that does so before it.
func followed(s *testRequest) {
	s.webhooks = append(s.webhooks, hook(admission.Mutating, "later.example.com"))
	s.backends["later.example.com"] = patches(`[` + addLabel("by", "later") + `]`)
}

func preceded(s *testRequest) {
	followed(s)
	s.webhooks[0], s.webhooks[1] = s.webhooks[1], s.webhooks[0]
}

// closing is the deletion of the namespace "shop".
func closing(r *admission.Request) {
	founding(nil)(r)
	r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, r.Object
	r.Namespace, r.Name = "shop", "shop"
}

// templated is a deployment whose pods have a label.
func templated(r *admission.Request) {
	deploying(admissionv1.Create, "")(r)
	err := unstructured.SetNestedStringMap(r.Object.(*unstructured.Unstructured).Object, map[string]string{"app": "web"}, "spec", "template", "metadata", "labels")
	if err != nil {
		panic(err)
	}
}

func annotated(r *admission.Request) {
	metav1.SetMetaDataAnnotation(&r.Object.(*corev1.Pod).ObjectMeta, "inject", "yes")
}
