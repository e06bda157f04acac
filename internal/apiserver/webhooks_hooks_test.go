package apiserver

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/certs"
)

// hooks are the webhooks of the tests, by path. They do what those of
// Kubernetes' conformance tests do.
func hooks() http.Handler {
	mux := http.NewServeMux()
	for path, answer := range map[string]func(*admissionv1.AdmissionRequest, *admissionv1.AdmissionResponse){
		"/always-deny":              deny,
		"/custom-resource":          denyData,
		"/mutating-custom-resource": stage,
		"/crd":                      denyLabel,
		"/talkative":                talk,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { review(w, r, answer) })
	}
	mux.HandleFunc("/convert", convert)
	return mux
}

func review(w http.ResponseWriter, r *http.Request, answer func(*admissionv1.AdmissionRequest, *admissionv1.AdmissionResponse)) {
	var body admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body.Response = &admissionv1.AdmissionResponse{UID: body.Request.UID, Allowed: true}
	answer(body.Request, body.Response)
	body.Request = nil
	_ = json.NewEncoder(w).Encode(body)
}

// part are the parts of an object that the webhooks look at.
type part struct {
	metav1.ObjectMeta `json:"metadata"`
	Data              map[string]string `json:"data"`
}

func decode(raw []byte) part {
	var p part
	_ = json.Unmarshal(raw, &p) // what is not understood is not looked at
	return p
}

func deny(_ *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
	to.Allowed, to.Result = false, &metav1.Status{Message: "this webhook denies all requests"}
}

func denyData(r *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
	switch {
	case r.Operation == admissionv1.Delete && decode(r.OldObject.Raw).Data["webhook-e2e-test"] == "webhook-nondeletable":
		to.Allowed = false
		to.Result = &metav1.Status{Reason: "the custom resource cannot be deleted because it contains unwanted key and value"}
	case decode(r.Object.Raw).Data["webhook-e2e-test"] == "webhook-disallow":
		to.Allowed, to.Result = false, &metav1.Status{Reason: "the custom resource contains unwanted data"}
	}
}

func stage(r *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
	data := decode(r.Object.Raw).Data
	kind := admissionv1.PatchTypeJSONPatch
	switch {
	case data["mutation-stage-1"] == "yes":
		to.PatchType, to.Patch = &kind, []byte(`[{"op":"add","path":"/data/mutation-stage-2","value":"yes"}]`)
	case data["mutation-start"] == "yes":
		to.PatchType, to.Patch = &kind, []byte(`[{"op":"add","path":"/data/mutation-stage-1","value":"yes"}]`)
	}
}

func denyLabel(r *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
	if decode(r.Object.Raw).Labels["webhook-e2e-test"] == "webhook-disallow" {
		to.Allowed, to.Result = false, &metav1.Status{Message: "the crd contains unwanted label"}
	}
}

func talk(_ *admissionv1.AdmissionRequest, to *admissionv1.AdmissionResponse) {
	to.Warnings = []string{"think twice"}
	to.AuditAnnotations = map[string]string{"seen": "yes"}
}

// convert moves the size between spec.size of v1 and spec.extent of v2.
func convert(w http.ResponseWriter, r *http.Request) {
	var body apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	body.Response = &apiextensionsv1.ConversionResponse{UID: body.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, raw := range body.Request.Objects {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(raw.Raw); err != nil {
			body.Response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		from, to := "size", "extent"
		if strings.HasSuffix(body.Request.DesiredAPIVersion, "/v1") {
			from, to = to, from
		}
		if size, ok, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", from); ok {
			object.Object["spec"] = map[string]any{to: size}
		}
		object.SetAPIVersion(body.Request.DesiredAPIVersion)
		body.Response.ConvertedObjects = append(body.Response.ConvertedObjects, runtime.RawExtension{Object: object})
	}
	body.Request = nil
	_ = json.NewEncoder(w).Encode(body)
}

// remote serves the webhooks over TLS, as services with these names. It returns
// the address and what to trust.
func remote(t *testing.T, names ...string) (address string, caBundle []byte) {
	t.Helper()
	authority, err := certs.NewAuthority("webhooks")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server(names...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(hooks())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), authority.Bundle()
}
