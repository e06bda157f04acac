package scenarios_test

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/ptr"
)

const unwantedText = "the configmap contains unwanted key and value"

// denyMaps is a webhook that knows unwanted configmaps.
func (w *world) denyMaps(operations ...operation) validatingHook {
	return w.validating("deny-unwanted-configmap-data.k8s.io", "/configmaps", onCore("configmaps", operations...))
}

func (w *world) createPod(t *testing.T, name, container string, labels map[string]string) (*corev1.Pod, error) {
	t.Helper()
	return w.CoreV1().Pods(w.namespace).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: container, Image: "registry.example/pause"}}},
	}, metav1.CreateOptions{})
}

// testDeny is E-02.
func testDeny(t *testing.T, w *world) {
	pods := w.validating("deny-unwanted-pod-container-name-and-label.k8s.io", "/pods", onCore("pods", registrationv1.Create))
	maps := w.denyMaps(registrationv1.Create, registrationv1.Update, registrationv1.Delete)
	maps.NamespaceSelector.MatchExpressions = []metav1.LabelSelectorRequirement{
		{Key: "skip-webhook-admission", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"yes"}},
	}
	open := w.validating("fail-open.k8s.io", "/configmaps", onMaps())
	open.ClientConfig.CABundle, open.FailurePolicy = nil, ptr.To(registrationv1.Ignore)
	w.validate(t, pods, maps, open)

	w.denyPods(t)
	w.denyMapsBeing(t, "allowed-configmap")
	w.spareExempted(t)
}

// denyPods has a pod denied, and another one come to nothing because the
// webhook never answers.
func (w *world) denyPods(t *testing.T) {
	t.Helper()
	_, err := w.createPod(t, "disallowed-pod", "webhook-disallow", unwanted())
	wantError(t, err, "the pod contains unwanted container name", "the pod contains unwanted label")
	_, err = w.createPod(t, "hanging-pod", "wait-forever", map[string]string{entry: "wait-forever"})
	wantError(t, err, "webhook", "deadline")
	_, err = w.CoreV1().Pods(w.namespace).Get(t.Context(), "hanging-pod", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("getting the hanging pod: got %v, want that it is not found", err)
	}
}

// denyMapsBeing has a configmap denied, created or changed in both ways. One
// that is wanted is created under a name.
func (w *world) denyMapsBeing(t *testing.T, name string) {
	t.Helper()
	_, err := w.createMap(t, "disallowed-configmap", unwanted())
	wantError(t, err, unwantedText)
	allowed := must[*corev1.ConfigMap](t)(w.createMap(t, name, data{"admit": "this"}))
	allowed.Data = unwanted()
	_, err = w.CoreV1().ConfigMaps(w.namespace).Update(t.Context(), allowed, metav1.UpdateOptions{})
	wantError(t, err, unwantedText)
	patch := []byte(`{"data":{"webhook-e2e-test":"webhook-disallow"}}`)
	_, err = w.CoreV1().ConfigMaps(w.namespace).Patch(t.Context(), name, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	wantError(t, err, unwantedText)
}

// spareExempted creates the unwanted configmap in a namespace that webhooks
// leave alone.
func (w *world) spareExempted(t *testing.T) {
	t.Helper()
	exempted := w.namespace + "-exempted-namespace"
	w.addNamespace(t, exempted, map[string]string{w.namespace: "true", "skip-webhook-admission": "yes"})
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "disallowed-configmap"}, Data: unwanted()}
	if _, err := w.CoreV1().ConfigMaps(exempted).Create(t.Context(), configMap, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
}

// testDenyAttach is E-03. There is no kubelet to attach to, so the allowed
// request gets an error about that.
func testDenyAttach(t *testing.T, w *world) {
	w.validate(t, w.validating("deny-attaching-pod.k8s.io", "/pods/attach", onCore("pods/attach", registrationv1.Connect)))
	const name = "to-be-attached-pod"
	must[*corev1.Pod](t)(w.createPod(t, name, "container1", nil))
	attach := func(options *corev1.PodAttachOptions) error {
		request := w.CoreV1().RESTClient().Post().Namespace(w.namespace).Resource("pods").Name(name).SubResource("attach")
		return request.VersionedParams(options, scheme.ParameterCodec).Do(t.Context()).Error()
	}
	err := attach(&corev1.PodAttachOptions{Container: "container1", Stdin: true})
	wantError(t, err, "attaching to pod 'to-be-attached-pod' is not allowed")
	err = attach(&corev1.PodAttachOptions{Container: "container1", Stdout: true})
	wantError(t, err, `pods/attach of "to-be-attached-pod" was admitted`)
}

// testFailClosed is E-05: the webhook's certificate is not trusted.
func testFailClosed(t *testing.T, w *world) {
	closed := w.validating("fail-closed.k8s.io", "/configmaps", onMaps())
	closed.ClientConfig.CABundle, closed.FailurePolicy = nil, ptr.To(registrationv1.Fail)
	closed.NamespaceSelector.MatchExpressions = []metav1.LabelSelectorRequirement{
		{Key: "fail-closed-webhook", Operator: metav1.LabelSelectorOpIn, Values: []string{"yes"}},
	}
	w.validate(t, closed)
	namespace := w.namespace + "-fail-closed-namespace"
	w.addNamespace(t, namespace, map[string]string{w.namespace: "true", "fail-closed-webhook": "yes"})
	_, err := w.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "foo"}}, metav1.CreateOptions{})
	if !apierrors.IsInternalError(err) {
		t.Errorf("got %v, want an internal error", err)
	}
}
