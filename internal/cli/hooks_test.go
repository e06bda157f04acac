package cli

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// hookServer serves the webhooks that scripts need beside those of the
// quickstart, as hooks.webhooks.svc and, as projects of kubebuilder name it,
// webhook-service.system.svc: /shrink, /told, /convert, and those of
// handleConformance and suiteHooks.
type hookServer struct {
	*httptest.Server
	caBundle []byte
}

func serveHooks(t *testing.T) *hookServer {
	t.Helper()
	authority, err := certs.NewAuthority("scripts")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("hooks.webhooks.svc", "webhook-service.system.svc")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/shrink", reviewtest.Answer(shrink))
	mux.Handle("/told", reviewtest.Answer(told))
	mux.Handle("/jobset", reviewtest.Answer(grouped))
	mux.HandleFunc("/convert", convert)
	handleConformance(mux)
	mux.Handle("/", suiteHooks())
	server := httptest.NewUnstartedServer(mux)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	return &hookServer{Server: server, caBundle: authority.Bundle()}
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // the client would fail
}

// shrink is a transition rule: it compares the new object with the stored one.
func shrink(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	replicas := func(raw []byte) (n struct{ Spec struct{ Replicas int } }) {
		_ = json.Unmarshal(raw, &n)
		return n
	}
	before, after := replicas(r.OldObject.Raw).Spec.Replicas, replicas(r.Object.Raw).Spec.Replicas
	if after >= before {
		return &admissionv1.AdmissionResponse{Allowed: true}
	}
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{
		Code: http.StatusUnprocessableEntity, Message: fmt.Sprintf("replicas must not go down from %d to %d", before, after),
	}}
}

// grouped wants what the schema of JobSets sets by default.
func grouped(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var set struct {
		Spec struct {
			ReplicatedJobs []struct {
				GroupName string
				Replicas  int
			}
		}
	}
	_ = json.Unmarshal(r.Object.Raw, &set)
	for i, job := range set.Spec.ReplicatedJobs {
		if job.GroupName == "" || job.Replicas < 1 {
			return denial(http.StatusForbidden, metav1.StatusReasonForbidden,
				fmt.Sprintf("spec.replicatedJobs[%d] needs a groupName and replicas", i))
		}
	}
	return &admissionv1.AdmissionResponse{Allowed: true}
}

// told returns the request as a warning.
func told(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	object := &unstructured.Unstructured{}
	if len(r.Object.Raw) > 0 {
		_ = object.UnmarshalJSON(r.Object.Raw)
	}
	at := func(k *metav1.GroupVersionKind, r *metav1.GroupVersionResource) string {
		return fmt.Sprintf("%s %s of %s", metav1.GroupVersion{Group: k.Group, Version: k.Version}, k.Kind, r.Resource)
	}
	return &admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{
		fmt.Sprintf("%s %s, asked as %s, object %s", r.Operation, at(&r.Kind, &r.Resource), at(r.RequestKind, r.RequestResource),
			object.GroupVersionKind().GroupVersion()),
		fmt.Sprintf("spec %v", numbers(object.Object["spec"])),
	}}
}

// numbers returns the numbers among some fields, which is enough to distinguish
// them.
func numbers(fields any) map[string]any {
	found := map[string]any{}
	all, _ := fields.(map[string]any)
	for name, value := range all {
		switch value.(type) {
		case int64, float64:
			found[name] = value
		}
	}
	return found
}

// convert is a conversion webhook for gizmos: their size is in a field of
// another name in each version.
func convert(w http.ResponseWriter, r *http.Request) {
	var review struct {
		metav1.TypeMeta `json:",inline"`
		Request         struct {
			UID               string
			DesiredAPIVersion string
			Objects           []runtime.RawExtension
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	field := map[string]string{"example.com/v1": "size", "example.com/v2": "length", "example.com/v3": "extent"}
	converted := make([]runtime.RawExtension, 0, len(review.Request.Objects))
	for _, raw := range review.Request.Objects {
		object := &unstructured.Unstructured{}
		_ = object.UnmarshalJSON(raw.Raw)
		size, _, _ := unstructured.NestedFieldCopy(object.Object, "spec", field[object.GetAPIVersion()])
		object.SetAPIVersion(review.Request.DesiredAPIVersion)
		object.Object["spec"] = map[string]any{field[review.Request.DesiredAPIVersion]: size}
		converted = append(converted, runtime.RawExtension{Object: object})
	}
	reply(w, map[string]any{
		"apiVersion": review.APIVersion, "kind": review.Kind,
		"response": map[string]any{
			"uid": review.Request.UID, "convertedObjects": converted, "result": map[string]any{"status": "Success"},
		},
	})
}
