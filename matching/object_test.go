package matching_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// byObject is a webhook that selects objects with the label app=web.
func byObject(w *admission.Webhook) { w.ObjectSelector = labelled() }

// changing is an update of a pod from one object to another.
func changing(from, to runtime.Object) testRequest {
	return creating(func(a *testRequest) { a.operation, a.old, a.object = apiadmission.Update, from, to })
}

func TestObjectSelector(t *testing.T) {
	t.Parallel()
	no := stoppedAt(admission.StageObjectSelector)
	absent := func(w *admission.Webhook) { w.ObjectSelector = nil }
	unlabelled := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "app", Operator: metav1.LabelSelectorOpDoesNotExist}}}
	runStages(t, []stageCase{{
		row:     row{"new object", "S-100: the labels of the new object are compared"},
		webhook: asking(byObject), ask: changing(pod(other), pod(web)), want: passed,
	}, {
		row:     row{"old object", "S-100: one of the two is enough, so that a label cannot be dropped unseen"},
		webhook: asking(byObject), ask: changing(pod(web), pod(other)), want: passed,
	}, {
		row:     row{"both", "S-100: or both"},
		webhook: asking(byObject), ask: changing(pod(web), pod(web)), want: passed,
	}, {
		row:     row{"neither", "S-080: a definite no ends the matter"},
		webhook: asking(byObject), ask: changing(pod(other), pod(nil)), want: no,
	}, {
		row:     row{"delete", "S-100: no object never matches, but the old one can"},
		webhook: asking(byObject), ask: changing(pod(web), nil), want: passed,
	}, {
		row:     row{"no objects", "S-100: with no object at all there is nothing to select"},
		webhook: asking(byObject), ask: changing(nil, nil), want: no,
	}, {
		row:     row{"no objects, selector for the unlabelled", "S-100: no object is not an object without labels"},
		webhook: asking(func(w *admission.Webhook) { w.ObjectSelector = unlabelled }), ask: changing(nil, nil), want: no,
	}, {
		row:     row{"unlabelled", "an object without labels is one that lacks the label"},
		webhook: asking(func(w *admission.Webhook) { w.ObjectSelector = unlabelled }), ask: changing(nil, pod(nil)), want: passed,
	}, {
		row:     row{"no metadata", "S-100: what has no metadata never matches, and is no error"},
		webhook: asking(func(w *admission.Webhook) { w.ObjectSelector = unlabelled }), ask: changing(nil, &metav1.Status{}), want: no,
	}, {
		row:     row{"unstructured", "S-100: custom resources have labels as well"},
		webhook: asking(byObject), ask: changing(nil, custom(web)), want: passed,
	}, {
		row:     row{"empty selector", "S-100: an empty selector matches whatever the object"},
		webhook: asking(), ask: changing(nil, nil), want: passed,
	}, {
		row:     row{"absent selector", "S-068: an absent selector selects nothing"},
		webhook: asking(absent), ask: changing(pod(web), pod(web)), want: no,
	}, {
		row:     row{"broken selector", "S-100: a selector that cannot be parsed is an internal error"},
		webhook: asking(func(w *admission.Webhook) { w.ObjectSelector = broken("Bogus") }), ask: creating(),
		want: verdict{admission.StageObjectSelector, 500, `Internal error occurred: "Bogus" is not a valid label selector operator`},
	}, {
		row:     row{"broken selector without objects", "S-100: the selector is parsed before an object is looked at"},
		webhook: asking(func(w *admission.Webhook) { w.ObjectSelector = broken("Bogus") }), ask: changing(nil, nil),
		want: verdict{admission.StageObjectSelector, 500, `Internal error occurred: "Bogus" is not a valid label selector operator`},
	}})
}

func custom(labels map[string]string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "acme.example.com/v1", "kind": "Widget"}}
	u.SetLabels(labels)
	return u
}

func TestObjectSelectorSeesTheChangedObject(t *testing.T) {
	t.Parallel()
	type update struct {
		row
		from, to map[string]string
		want     admission.Stage
	}
	testtable.Run(t, []update{{
		row:  row{"becomes selected", "S-101: an earlier webhook can make a later one match"},
		from: other, to: web, want: admission.StagePassed,
	}, {
		row:  row{"is not selected any more", "S-101: and can make it not match"},
		from: web, to: other, want: admission.StageObjectSelector,
	}}, func(t *testing.T, tc update) {
		w := compile(asking(byObject))
		r := request(creating(func(a *testRequest) { a.object = pod(tc.from) }))
		before := match(t.Context(), w, r)
		r.Update(creating(func(a *testRequest) { a.object = pod(tc.to) }).attributes())
		after := match(t.Context(), w, r)
		if before.Stage == tc.want || after.Stage != tc.want {
			t.Errorf("stage was %v and is %v, want a change to %v", before.Stage, after.Stage, tc.want)
		}
	})
}
