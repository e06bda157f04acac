package webhookserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

// handler responds to a request. It returns nil if the client has disconnected.
type handler func(r *http.Request, asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

const (
	delayed = "/always-allow-delay-"
	sidecar = "/mutating-pods-sidecar"
)

// named returns the handler of a path, nil if there is none.
func named(path string) handler {
	if d, err := time.ParseDuration(
		strings.TrimPrefix(path, delayed),
	); err == nil &&
		strings.HasPrefix(path, delayed) {
		return allowAfter(d)
	}
	if path == sidecar || strings.HasPrefix(path, sidecar+"/") {
		return addSidecar(strings.TrimPrefix(strings.TrimPrefix(path, sidecar), "/"))
	}
	switch path {
	case "/always-deny":
		return denyAll
	case "/add-label":
		return addLabel
	case "/pods":
		return denyPods
	case "/pods/attach":
		return denyAttaching
	case "/mutating-pods":
		return addInitContainer
	case "/configmaps":
		return checkData(configMaps())
	case "/mutating-configmaps":
		return mutateData(configMaps())
	case "/custom-resource":
		return checkData(customResources())
	case "/mutating-custom-resource":
		return mutateData(customResources())
	case "/crd":
		return denyDefinitions
	}
	return nil
}

// serveNamed has a handler answer a review of either version. Both versions
// look alike in JSON, but for their name.
func (s *Server) serveNamed(w http.ResponseWriter, r *http.Request, body []byte, handle handler) {
	if r.Header.Get("Content-Type") != "application/json" {
		return
	}
	asked, complaint := s.decodeReview(body)
	if complaint != "" {
		http.Error(w, complaint, http.StatusBadRequest)
		return
	}
	response := handle(r, asked.Request)
	if response == nil {
		leave()
	}
	response.UID = asked.Request.UID
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(
		w).Encode(admissionv1.AdmissionReview{TypeMeta: asked.TypeMeta, Response: response})
}

// newDecoder knows the reviews of both versions.
func newDecoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{admissionv1.AddToScheme, admissionv1beta1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return serializer.NewCodecFactory(scheme).UniversalDeserializer(), nil
}

// decodeReview decodes a review with its version's own type, and returns it as
// v1, or the message for the client.
func (s *Server) decodeReview(body []byte) (asked *admissionv1.AdmissionReview, complaint string) {
	_, kind, err := s.decoder.Decode(body, nil, nil)
	if err == nil {
		asked = &admissionv1.AdmissionReview{}
		err = json.Unmarshal(body, asked)
	}
	if err != nil {
		return nil, fmt.Sprintf("Request could not be decoded: %v", err)
	}
	if kind.Kind != "AdmissionReview" || asked.Request == nil {
		return nil, fmt.Sprintf("Unsupported group version kind: %v", kind)
	}
	return asked, ""
}

func allowed() *admissionv1.AdmissionResponse { return &admissionv1.AdmissionResponse{Allowed: true} }

func denied(message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message}}
}

// patched allows with a JSON patch, or without one if it is empty.
func patched(patch string) *admissionv1.AdmissionResponse {
	response := allowed()
	if patch != "" {
		jsonPatch := admissionv1.PatchTypeJSONPatch
		response.Patch, response.PatchType = []byte(patch), &jsonPatch
	}
	return response
}

// object returns the object of a request, or the old one of a deletion.
func object(asked *admissionv1.AdmissionRequest) []byte {
	if asked.Operation == admissionv1.Delete {
		return asked.OldObject.Raw
	}
	return asked.Object.Raw
}
