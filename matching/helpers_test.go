package matching_test

import (
	"context"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// testRequest is a request; the zero value of each field but the first five is common.
type testRequest struct {
	operation   apiadmission.Operation
	kind        schema.GroupVersionKind
	resource    schema.GroupVersionResource
	namespace   string
	name        string
	subresource string
	object      runtime.Object
	old         runtime.Object
	options     runtime.Object
	dryRun      bool
	user        user.Info
}

func (a testRequest) attributes() apiadmission.Attributes {
	return apiadmission.NewAttributesRecord(a.object, a.old, a.kind, a.namespace, a.name,
		a.resource, a.subresource, a.operation, a.options, a.dryRun, a.user)
}

var (
	podKind     = corev1.SchemeGroupVersion.WithKind("Pod")
	pods        = corev1.SchemeGroupVersion.WithResource("pods")
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

// creating is the creation of the pod "n" in the namespace "ns".
func creating(edits ...func(*testRequest)) testRequest {
	a := testRequest{
		operation: apiadmission.Create,
		kind:      podKind,
		resource:  pods,
		namespace: "ns",
		name:      "n",
		object:    pod(nil),
		user:      &user.DefaultInfo{Name: "alice"},
	}
	for _, edit := range edits {
		edit(&a)
	}
	return a
}

func pod(labels map[string]string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "n", Namespace: "ns", Labels: labels},
	}
}

// asking is a webhook that matches everything.
func asking(edits ...func(*admission.Webhook)) *admission.Webhook {
	w := &admission.Webhook{
		Phase:             admission.Mutating,
		Name:              "hook.example.com",
		Rules:             []registrationv1.RuleWithOperations{rule("*", "*", "*/*")},
		NamespaceSelector: &metav1.LabelSelector{},
		ObjectSelector:    &metav1.LabelSelector{},
	}
	for _, edit := range edits {
		edit(w)
	}
	return w
}

// rule matches all operations on resources of a group and version.
func rule(group, version string, resources ...string) registrationv1.RuleWithOperations {
	return registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{registrationv1.OperationAll},
		Rule: registrationv1.Rule{
			APIGroups:   []string{group},
			APIVersions: []string{version},
			Resources:   resources,
		},
	}
}

func rules(rules ...registrationv1.RuleWithOperations) func(*admission.Webhook) {
	return func(w *admission.Webhook) { w.Rules = rules }
}

func equivalent(w *admission.Webhook) {
	policy := registrationv1.Equivalent
	w.MatchPolicy = &policy
}

// labelled selects objects of a label app=web.
func labelled() *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
}

// broken is a selector that cannot be parsed; its label distinguishes two of
// them.
func broken(operator metav1.LabelSelectorOperator) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: operator}}}
}

// namespaces is the look-up of a namespace's labels.
type namespaces func(name string) (map[string]string, error)

func (n namespaces) Labels(_ context.Context, name string) (map[string]string, error) { return n(name) }

// knows answers every look-up with the same labels.
func knows(labels map[string]string) namespaces {
	return func(string) (map[string]string, error) { return labels, nil }
}

// authorize answers an authorizer check.
type authorize func(authorizer.Attributes) (authorizer.Decision, string, error)

func (f authorize) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	return f(a)
}

// objects are the interfaces of which matching uses only the mapper.
type objects struct {
	apiadmission.ObjectInterfaces
	mapper runtime.EquivalentResourceMapper
}

func (o objects) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper { return o.mapper }

// input is what a view is made of, and how the engine converts its objects.
type input struct {
	matching.Input
	versioned func(schema.GroupVersionKind) *apiadmission.VersionedAttributes
}

// view is a view with the conversions of the engine.
type view struct {
	*matching.View
	versioned func(schema.GroupVersionKind) *apiadmission.VersionedAttributes
}

// request makes the view of a request. Its objects stay as they are whatever
// the kind; edits replace what a row needs different.
func request(a testRequest, edits ...func(*input)) *view {
	attributes := a.attributes()
	in := input{
		Input: matching.Input{
			Attributes: attributes,
			Objects:    objects{mapper: runtime.NewEquivalentResourceRegistry()},
			Namespaces: knows(nil),
			Record:     true,
		},
		versioned: func(kind schema.GroupVersionKind) *apiadmission.VersionedAttributes {
			return versioned(attributes, kind)
		},
	}
	for _, edit := range edits {
		edit(&in)
	}
	return &view{matching.NewView(in.Input), in.versioned}
}

// match takes both steps of matching, as the engine does.
func match(ctx context.Context, w *matching.Webhook, v *view) admission.Match {
	m := w.MatchRules(ctx, v.View)
	if m.Matched() && len(w.Webhook.MatchConditions) > 0 {
		w.MatchConditions(ctx, v.View, v.versioned(m.Target.Kind), &m)
	}
	return m
}

func versioned(a apiadmission.Attributes, kind schema.GroupVersionKind) *apiadmission.VersionedAttributes {
	return &apiadmission.VersionedAttributes{
		Attributes:         a,
		VersionedKind:      kind,
		VersionedObject:    apiadmission.NewLazyObject(a.GetObject()),
		VersionedOldObject: apiadmission.NewLazyObject(a.GetOldObject()),
	}
}

func compile(w *admission.Webhook) *matching.Webhook {
	return matching.NewCompiler().Compile([]*admission.Webhook{w})[0]
}
