package corpus_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
)

// TestFromResponse looks at the entry of one request.
func TestFromResponse(t *testing.T) {
	t.Parallel()
	d := server(t, func(r *admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		answer := allow(`[{"op":"add","path":"/metadata/labels","value":{"by":"w"}}]`)
		answer.Warnings = []string{"careful"}
		answer.AuditAnnotations = map[string]string{"k": "v"}
		return answer, nil
	})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	r := admit(t, d, podRequest(pod))
	r.NamespaceLabels = map[string]string{"team": "a"}
	e, err := corpus.FromResponse(r, corpus.Options{Source: corpus.FromRun, ID: "1", Origin: "pods.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if e.Time == nil || !e.Time.Time.Equal(r.Began) {
		t.Errorf("the time is %v, want %v", e.Time, r.Began)
	}
	if len(e.Answers) != 1 || len(e.Answers[0].Asked) != 32 {
		t.Fatalf("the answers are %+v", e.Answers)
	}
	asked, err := corpus.Asked(r.Calls[0].Trace.Request())
	if err != nil || asked != e.Answers[0].Asked {
		t.Errorf("asked is %s, want %s (%v)", e.Answers[0].Asked, asked, err)
	}
	e.Time, e.Answers[0].Asked, e.Review = nil, "", nil
	const want = `{"apiVersion":"gatehouse/v1alpha1","kind":"RecordedRequest","id":"1","source":"run","origin":"pods.yaml","review":null,
"namespaceLabels":{"team":"a"},
"answers":[{"phase":"mutating","configuration":"c","webhook":"w.example.com","url":"https://w.example.com/","outcome":"allowed",
"response":{"allowed":true,"auditAnnotations":{"k":"v"},"patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL21ldGFkYXRhL2xhYmVscyIsInZhbHVlIjp7ImJ5IjoidyJ9fV0=","patchType":"JSONPatch","warnings":["careful"]}}],
"verdict":{"allowed":true,
"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","labels":{"by":"w"}},"spec":{"containers":null},"status":{}},
"warnings":["careful"],
"auditAnnotations":{"mutation.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"w.example.com\",\"mutated\":true}",` +
		`"patch.webhook.admission.k8s.io/round_0_index_0":"{\"configuration\":\"c\",\"webhook\":\"w.example.com\",\"patch\":[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"by\":\"w\"}}],\"patchType\":\"JSONPatch\"}",` +
		`"w.example.com/k":"v"}}}`
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(want, "\n", ""), string(text)); diff != "" {
		t.Errorf("the entry (-want +got):\n%s", diff)
	}
}

// TestFailedAnswers looks at the answers and verdicts of calls that failed.
func TestFailedAnswers(t *testing.T) {
	t.Parallel()
	pod := podRequest(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}})
	for answer, want := range map[string]string{
		"rejected": `rejected {"allowed":false,"status":{"metadata":{},"message":"no"}} "" admission webhook "w.example.com" denied the request: no`,
		"failed":   `failed closed  "failed calling webhook \"w.example.com\": failed to call webhook: an error on the server (\"boom\") has prevented the request from succeeding" Internal error occurred: failed calling webhook "w.example.com": failed to call webhook: an error on the server ("boom") has prevented the request from succeeding`,
		"patch":    `internal error {"allowed":true,"patch":"W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL25vbmUifV0=","patchType":"JSONPatch"} "Internal error occurred: error in remove for path: '/none': Unable to remove nonexistent key: none: missing value" Internal error occurred: error in remove for path: '/none': Unable to remove nonexistent key: none: missing value`,
	} {
		d := server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
			switch answer {
			case "rejected":
				return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: "no"}}, nil
			case "failed":
				return nil, errors.New("boom")
			}
			return allow(`[{"op":"remove","path":"/none"}]`), nil
		})
		e, err := corpus.FromResponse(admit(t, d, pod), corpus.Options{Source: corpus.FromRun})
		if err != nil {
			t.Fatal(err)
		}
		a := e.Answers[0]
		quoted, _ := json.Marshal(a.Error)
		got := a.Outcome + " " + string(a.Response) + " " + string(quoted) + " " + e.Verdict.Status.Message
		if diff := cmp.Diff(want, got); diff != "" || e.Verdict.Allowed {
			t.Errorf("%s (-want +got):\n%s", answer, diff)
		}
	}
}

// TestNoVerdict requires that what is not known is not recorded.
func TestNoVerdict(t *testing.T) {
	t.Parallel()
	pod := podRequest(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}})
	d := server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) {
		return nil, errors.New("boom")
	})
	r := admit(t, d, pod)
	all := func(error) bool { return true }
	e, err := corpus.FromResponse(r, corpus.Options{Source: corpus.FromRun, NotReached: all})
	if err != nil || e.Verdict != nil || e.Answers != nil {
		t.Errorf("a webhook was not reached: %v, %+v", err, e)
	}
	r.Status = nil
	e, err = corpus.FromResponse(r, corpus.Options{Source: corpus.FromServe})
	if err != nil || e.Verdict != nil || len(e.Answers) != 1 {
		t.Errorf("the request ended between the phases: %v, %+v", err, e)
	}
	if _, err := corpus.FromResponse(&admission.Response{}, corpus.Options{}); err == nil {
		t.Error("a response without a request has an entry")
	}
}

// TestReviewIsTheRequest makes the request of the entry's review again.
func TestReviewIsTheRequest(t *testing.T) {
	t.Parallel()
	d := server(t, func(*admissionv1.AdmissionRequest) (*admissionv1.AdmissionResponse, error) { return allow(""), nil })
	rapid.Check(t, func(t *rapid.T) {
		want := anyRequest(t)
		e, err := corpus.FromResponse(admit(t, d, want), corpus.Options{Source: corpus.FromRun})
		if err != nil {
			t.Fatal(err)
		}
		e.APIVersion = corpus.APIVersion
		if err := e.Validate(); err != nil {
			t.Fatal(err)
		}
		got, err := request.FromReview(e.Review, builtIn())
		if err != nil {
			t.Fatalf("%v\n%s", err, e.Review)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if e.Redacted != nil {
			t.Fatalf("nothing is secret, but %q is redacted", e.Redacted)
		}
		if e.Verdict.Object != nil {
			t.Fatalf("the object did not change, but there is one: %s", e.Verdict.Object)
		}
	})
}

func podRequest(pod *corev1.Pod) *admission.Request {
	pod.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	return &admission.Request{
		Operation: admissionv1.Create, Kind: pod.GroupVersionKind(), Resource: corev1.SchemeGroupVersion.WithResource("pods"),
		Name: pod.Name, Namespace: pod.Namespace, Object: pod,
		Options: &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}},
	}
}

// anyRequest is a request for a pod or a custom object.
func anyRequest(t *rapid.T) *admission.Request {
	r := podRequest(anyPod(t))
	switch rapid.SampledFrom([]string{"create", "update", "delete", "exec", "custom", "dry run"}).Draw(t, "request") {
	case "update":
		r.Operation, r.OldObject = admissionv1.Update, podRequest(anyPod(t)).Object
		r.Options = &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}, FieldManager: "<m>"}
		r.Subresource = rapid.SampledFrom([]string{"", "status"}).Draw(t, "subresource")
	case "delete":
		r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, r.Object
		r.Options = &metav1.DeleteOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "DeleteOptions"}, GracePeriodSeconds: new(int64(3))}
	case "exec":
		r.Operation, r.Subresource, r.Options = admissionv1.Connect, "exec", nil
		r.Kind = corev1.SchemeGroupVersion.WithKind("PodExecOptions")
		r.Object = &corev1.PodExecOptions{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodExecOptions"}, Command: []string{anyText(t)}}
	case "custom":
		r.Kind = schema.GroupVersionKind{Group: "acme.example.com", Version: "v1", Kind: "Widget"}
		r.Resource = r.Kind.GroupVersion().WithResource("widgets")
		r.Object = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "acme.example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "web", "namespace": "shop"},
			"spec": map[string]any{anyText(t): anyText(t), "n": rapid.Int64().Draw(t, "n"), "f": 0.5, "l": []any{true, nil, anyText(t)}},
		}}
	case "dry run":
		r.DryRun = true
		r.Options.(*metav1.CreateOptions).DryRun = []string{metav1.DryRunAll}
	}
	return r
}

func anyPod(t *rapid.T) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Annotations: map[string]string{anyText(t): anyText(t)}},
		Spec: corev1.PodSpec{
			ActiveDeadlineSeconds: rapid.Ptr(rapid.Int64(), true).Draw(t, "deadline"),
			Containers: []corev1.Container{{
				Name: anyText(t), Image: anyText(t), Env: []corev1.EnvVar{{Name: anyText(t), Value: anyText(t)}},
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("100m")}},
			}},
		},
	}
}

// anyText is a text that JSON must escape now and then.
func anyText(t *rapid.T) string {
	return rapid.StringMatching(`[a-zé<>&"\\\n/~.\x{2028}-]{1,12}`).Draw(t, "text")
}
