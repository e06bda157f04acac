package matching_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
)

// byNamespace is a webhook that selects namespaces with the label app=web.
func byNamespace(w *admission.Webhook) { w.NamespaceSelector = labelled() }

// writing is a request for the namespace object "ns", whose labels differ from
// those of a look-up.
func writing(op apiadmission.Operation, labels map[string]string, edits ...func(*testRequest)) testRequest {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns", Labels: labels}}
	a := testRequest{
		operation: op,
		kind:      corev1.SchemeGroupVersion.WithKind("Namespace"),
		resource:  corev1.SchemeGroupVersion.WithResource("namespaces"),
		namespace: "ns",
		name:      "ns",
	}
	if op != apiadmission.Create {
		a.old = object
	}
	if op != apiadmission.Delete {
		a.object = object
	}
	for _, edit := range edits {
		edit(&a)
	}
	return a
}

func found(labels map[string]string) func(*input) {
	return func(in *input) { in.Namespaces = knows(labels) }
}

func failing(err error) func(*input) {
	return func(in *input) {
		in.Namespaces = namespaces(func(string) (map[string]string, error) { return nil, err })
	}
}

// unasked fails the test when a namespace is looked up.
func unasked(t *testing.T) func(*input) {
	return func(in *input) {
		in.Namespaces = namespaces(func(name string) (map[string]string, error) {
			t.Errorf("namespace %q was looked up", name)
			return nil, nil
		})
	}
}

var (
	web   = map[string]string{"app": "web"}
	other = map[string]string{"app": "db"}
)

func TestNamespaceSelector(t *testing.T) {
	t.Parallel()
	no := stoppedAt(admission.StageNamespaceSelector)
	clusterScoped := func(a *testRequest) { a.namespace, a.resource.Resource = "", "nodes" }
	runStages(t, []stageCase{{
		row:     row{"selected", "S-093: the labels of the request's namespace are compared"},
		webhook: asking(byNamespace), ask: creating(), input: found(web), want: passed,
	}, {
		row:     row{"not selected", "S-080: a definite no ends the matter"},
		webhook: asking(byNamespace), ask: creating(), input: found(other), want: no,
	}, {
		row:     row{"no labels", "a namespace without labels is not selected by a label"},
		webhook: asking(byNamespace), ask: creating(), input: found(nil), want: no,
	}, {
		row:     row{"empty selector", "S-091: an empty selector matches without any look-up"},
		webhook: asking(), ask: creating(), input: unasked(t), want: passed,
	}, {
		row:     row{"absent selector", "S-068: an absent selector selects nothing, which takes a look-up to say"},
		webhook: asking(func(w *admission.Webhook) { w.NamespaceSelector = nil }), ask: creating(), input: found(web), want: no,
	}, {
		row:     row{"cluster-scoped", "S-090: without a namespace nothing is compared"},
		webhook: asking(byNamespace), ask: creating(clusterScoped), input: unasked(t), want: passed,
	}, {
		row:     row{"cluster-scoped, absent selector", "S-090 comes before S-068"},
		webhook: asking(func(w *admission.Webhook) { w.NamespaceSelector = nil }), ask: creating(clusterScoped), input: unasked(t), want: passed,
	}, {
		row:     row{"cluster-scoped, broken selector", "S-090: the selector is not even looked at"},
		webhook: asking(func(w *admission.Webhook) { w.NamespaceSelector = broken("Bogus") }), ask: creating(clusterScoped), input: unasked(t), want: passed,
	}, {
		row:     row{"broken selector", "S-091: a selector that cannot be parsed is an internal error"},
		webhook: asking(func(w *admission.Webhook) { w.NamespaceSelector = broken("Bogus") }), ask: creating(), input: unasked(t),
		want: verdict{admission.StageNamespaceSelector, 500, `Internal error occurred: "Bogus" is not a valid label selector operator`},
	}})
}

func TestNamespaceSelectorOfNamespaces(t *testing.T) {
	t.Parallel()
	no := stoppedAt(admission.StageNamespaceSelector)
	group := func(a *testRequest) { a.resource.Group, a.resource.Version = "acme.example.com", "v7" }
	runStages(t, []stageCase{{
		row:     row{"create", "S-092: a namespace that is being created cannot be looked up"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Create, web), input: unasked(t), want: passed,
	}, {
		row:     row{"create, not selected", "S-092: its own labels can also say no"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Create, other), input: unasked(t), want: no,
	}, {
		row:     row{"create without a namespace", "S-090: the resource's name is enough to compare"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Create, other, func(a *testRequest) { a.namespace = "" }), input: unasked(t), want: no,
	}, {
		row:     row{"update", "S-092: the new labels count, not those in force"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Update, web), input: unasked(t), want: passed,
	}, {
		row:     row{"delete", "S-093: there is no new object, so the labels in force count"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Delete, other), input: found(web), want: passed,
	}, {
		row:     row{"subresource", "S-093: namespaces/finalize is not the namespace itself"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Update, other, func(a *testRequest) { a.subresource = "finalize" }), input: found(web), want: passed,
	}, {
		row:     row{"namespaces of another group", "S-092: only the resource's name is compared, whatever the group"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Create, web, group), input: unasked(t), want: passed,
	}, {
		row:     row{"no metadata", "S-092: an object whose labels cannot be read is an internal error"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Create, nil, func(a *testRequest) { a.object = &metav1.Status{} }), input: unasked(t),
		want: verdict{admission.StageNamespaceSelector, 500, "Internal error occurred: object does not implement the Object interfaces"},
	}, {
		row:     row{"no object", "S-092: nor can those of no object"},
		webhook: asking(byNamespace), ask: writing(apiadmission.Update, nil, func(a *testRequest) { a.object = nil }), input: unasked(t),
		want: verdict{admission.StageNamespaceSelector, 500, "Internal error occurred: object does not implement the Object interfaces"},
	}})
}

func TestNamespaceLookupErrors(t *testing.T) {
	t.Parallel()
	notFound := apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "nope")
	deaf := func(w *admission.Webhook) { w.Rules = nil }
	runStages(t, []stageCase{{
		row:     row{"not found", "S-094: a missing namespace is the answer itself"},
		webhook: asking(byNamespace), ask: creating(), input: failing(notFound),
		want: verdict{admission.StageNamespaceSelector, 404, `namespaces "nope" not found`},
	}, {
		row:     row{"wrapped not found", "S-094: a 404 that is wrapped cannot be handed on as a status"},
		webhook: asking(byNamespace), ask: creating(), input: failing(errors.Join(notFound)),
		want: verdict{admission.StageNamespaceSelector, 500, `Internal error occurred: namespaces "nope" not found`},
	}, {
		row:     row{"other status", "S-094: any other status is wrapped"},
		webhook: asking(byNamespace), ask: creating(), input: failing(apierrors.NewTooManyRequests("later", 1)),
		want: verdict{admission.StageNamespaceSelector, 500, "Internal error occurred: later"},
	}, {
		row:     row{"plain error", "S-094: and so is any other error"},
		webhook: asking(byNamespace), ask: creating(), input: failing(errors.New("cache is cold")),
		want: verdict{admission.StageNamespaceSelector, 500, "Internal error occurred: cache is cold"},
	}, {
		row:     row{"no rule", "S-081: a missing namespace does not matter to a webhook without a matching rule"},
		webhook: asking(byNamespace, deaf), ask: creating(), input: failing(notFound), want: stoppedAt(admission.StageRules),
	}, {
		row:     row{"broken, no rule", "S-081: nor does a broken selector"},
		webhook: asking(deaf, func(w *admission.Webhook) { w.NamespaceSelector = broken("Bogus") }), ask: creating(), want: stoppedAt(admission.StageRules),
	}})
}
