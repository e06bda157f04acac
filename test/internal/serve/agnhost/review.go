package agnhost

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// answer returns a webhook's response to a request. The context ends when the
// client disconnects. The caller owns request and response; neither is nil.
type answer func(context.Context, *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// endpoint serves an answer over HTTP.
type endpoint struct {
	reviews runtime.Decoder
	answer  answer
}

// newDecoder decodes reviews, and some other kinds, so that these get another
// error than an undecodable body.
func newDecoder() runtime.Decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionv1.AddToScheme, admissionv1beta1.AddToScheme,
		registrationv1.AddToScheme, registrationv1beta1.AddToScheme, corev1.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	return serializer.NewCodecFactory(scheme).UniversalDeserializer()
}

// ServeHTTP implements http.Handler, A-00.
//
// Compat: A-00, another content type is answered with nothing and 200.
func (e endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Content-Type") != "application/json" {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	review, kind, err := e.reviews.Decode(body, nil, nil)
	if err != nil {
		http.Error(w, fmt.Sprintf("Request could not be decoded: %v", err), http.StatusBadRequest)
		return
	}
	answered := e.review(r.Context(), review)
	if answered == nil {
		http.Error(w, fmt.Sprintf("Unsupported group version kind: %v", kind), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answered) // the caller may have gone
}

// review returns a review in the version of the one that was received, or nil
// if that version is unknown.
func (e endpoint) review(ctx context.Context, asked runtime.Object) any {
	switch asked := asked.(type) {
	case *admissionv1.AdmissionReview:
		return admissionv1.AdmissionReview{TypeMeta: asked.TypeMeta,
			Response: e.respond(ctx, asked.Request)}
	case *admissionv1beta1.AdmissionReview:
		response := e.respond(ctx, fromBeta(asked.Request))
		return admissionv1beta1.AdmissionReview{TypeMeta: asked.TypeMeta, Response: toBeta(response)}
	}
	return nil
}

// respond panics, which ends the connection, if there is no request.
func (e endpoint) respond(
	ctx context.Context, request *admissionv1.AdmissionRequest,
) *admissionv1.AdmissionResponse {
	uid := request.UID
	response := e.answer(ctx, request)
	response.UID = uid
	return response
}
