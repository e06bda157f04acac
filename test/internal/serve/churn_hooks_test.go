package serve_test

import (
	"fmt"
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// denial is the message for objects with "bad" in their names, without the
// revision.
const denial = "denied by revision "

// churnHooks does what the path of a revision names, such as /labels/3.
func churnHooks() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/labels/{revision}", func(w http.ResponseWriter, r *http.Request) {
		kind := admissionv1.PatchTypeJSONPatch
		patch := fmt.Appendf(nil, `[{"op": "add", "path": "/metadata/labels", "value": {"revision": %q}}]`, r.PathValue("revision"))
		reviewtest.Answer(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			return &admissionv1.AdmissionResponse{Allowed: true, PatchType: &kind, Patch: patch}
		}).ServeHTTP(w, r)
	})
	mux.HandleFunc("/denies/{revision}", func(w http.ResponseWriter, r *http.Request) {
		reviewtest.Answer(func(request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			return &admissionv1.AdmissionResponse{
				Allowed: !strings.Contains(request.Name, "bad"),
				Result:  &metav1.Status{Message: denial + r.PathValue("revision"), Code: http.StatusForbidden},
			}
		}).ServeHTTP(w, r)
	})
	mux.HandleFunc("/fails/{revision}", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "out of order", http.StatusInternalServerError)
	})
	return mux
}
