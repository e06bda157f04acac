package behaviour

import (
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

func isMirror(r probe.Review) bool {
	return at(r, "metadata", "annotations", "kubernetes.io/config.mirror") != nil
}

// unlessMirror is a hook that leaves mirror pods alone.
func unlessMirror(h hook) hook {
	return func(r probe.Review) []op {
		if isMirror(r) {
			return nil
		}
		return h(r)
	}
}

// ifMirror is a hook that does something to mirror pods, and to no others.
func ifMirror(do op) hook {
	return func(r probe.Review) []op {
		if isMirror(r) {
			return []op{do}
		}
		return nil
	}
}

// annotating is a webhook that adds or removes an annotation of mirror pods.
func annotating(what, key string) http.Handler {
	do := op{"op": what, "path": "/metadata/annotations/" + strings.ReplaceAll(key, "/", "~1")}
	if what == "add" {
		do["value"] = "x"
	}
	return patching(ifMirror(do))
}

// hangingUp is a webhook that ends the connection at some reviews.
func hangingUp(which func(probe.Review) bool) http.Handler {
	return probetest.Handler(func(r probe.Review, _ map[string]any) {
		if which(r) {
			panic(http.ErrAbortHandler)
		}
	})
}

// outside leaves a namespace out.
func outside(namespace string) func(*registrationv1.MutatingWebhook) {
	return func(w *registrationv1.MutatingWebhook) {
		w.NamespaceSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{namespace}},
		}}
	}
}

// labelled leaves out pods without the label of the sample.
func labelled(w *registrationv1.MutatingWebhook) {
	w.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
}

func TestMirrorPods(t *testing.T) {
	t.Parallel()
	const missing = "skip: the webhook has no good answer to a pod that is created or updated"
	unmatched := func(w *registrationv1.MutatingWebhook) {
		w.MatchConditions = []registrationv1.MatchCondition{{
			Name:       "no-mirrors",
			Expression: "!has(object.metadata.annotations) || !('kubernetes.io/config.mirror' in object.metadata.annotations)",
		}}
	}
	widgets := []runtime.Object{probetest.Widgets(), probetest.Mutating("a", "/a")}
	runLooks(t, "C-MIRROR-PODS", []look{
		{row{"spared by the webhook", "it looks for the annotation"}, mutating(1), patching(unlessMirror(sidecar("x"))), created(), []string{"pass"}},
		{row{"spared by the configuration", "the webhook never sees them"}, mutating(1, unmatched), patching(sidecar("x")), created(), []string{"pass"}},
		{row{"other namespaces", "most static pods are in kube-system"}, mutating(1, outside("kube-system")), patching(sidecar("x")), created(),
			[]string{"fail (should): CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod; those in kube-system without labels of its own are not sent to it [spec.containers[1]]"}},
		{row{"labels", "static pods have none that ask for a webhook"}, mutating(1, labelled), patching(sidecar("x")), created(),
			[]string{"fail (should): CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod; those in kube-system without labels of its own are not sent to it [spec.containers[1]]"}},
		{row{"sidecar", "no kubelet runs it"}, mutating(1), patching(sidecar("x")), created(),
			[]string{"fail: CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod [spec.containers[1]]"}},
		{row{"update", "it is a mirror pod before and after"}, mutating(1), patching(sidecar("x")), one(admissionv1.Update),
			[]string{"fail: UPDATE pods/web in shop: the webhook changes the pod although it is a mirror pod [spec.containers[1]]"}},
		{row{"label", "the kubelet does not look at labels"}, mutating(1), patching(always("team", "a")), created(), []string{"pass"}},
		{row{"annotation", "most are no concern of the kubelet"}, mutating(1), annotating("add", "example.com/team"), created(), []string{"pass"}},
		{row{"hash", "the kubelet would delete the mirror, and make it again"}, mutating(1), annotating("add", "kubernetes.io/config.hash"), created(),
			[]string{`fail: CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod [metadata.annotations['kubernetes.io/config.hash']]`}},
		{row{"mirror", "it is none any more"}, mutating(1), annotating("remove", "kubernetes.io/config.mirror"), created(),
			[]string{`fail: CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod [metadata.annotations['kubernetes.io/config.mirror']]`}},
		{row{"all annotations", "the kubelet's are among them"}, mutating(1), patching(ifMirror(op{"op": "remove", "path": "/metadata/annotations"})), created(),
			[]string{"fail: CREATE pods/web in shop: the webhook changes the pod although it is a mirror pod [metadata.annotations]"}},
		{row{"denied", "it is not changed, only denied"}, mutating(1), denying(isMirror, nothing), created(), []string{"pass"}},
		{row{"silent", "a kubelet gets no answer"}, mutating(1), silent(isMirror, nothing), created(),
			[]string{"fail: CREATE pods/web in shop: there is no answer if the pod is a mirror pod: HTTP 500 without an AdmissionReview that has a response"}},
		{row{"hangs up", "there is no status to speak of"}, mutating(1), hangingUp(isMirror), created(),
			[]string{"fail: CREATE pods/web in shop: there is no answer if the pod is a mirror pod: the webhook's handler panicked: net/http: abort Handler: EOF"}},
		{row{"other kinds", "only pods are mirrored"}, widgets, patching(nothing), []*admission.Request{probetest.Widget(admissionv1.Create)}, []string{missing}},
		{row{"exec", "it is for a pod, but none itself"}, mutating(1), patching(nothing), one(admissionv1.Connect), []string{missing}},
		{row{"deletion", "there is no object to change"}, mutating(1), patching(nothing), one(admissionv1.Delete), []string{missing}},
		{row{"validating", "it has no way to change anything"}, validating(), patching(nothing), created(), []string{"skip: it is a validating webhook"}},
	})
}
