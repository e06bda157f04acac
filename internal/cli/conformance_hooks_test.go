package cli

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// handleConformance serves webhooks that are looked at by the scripts of
// conformance: /good does nothing wrong, /sloppy echoes no uid and does not say
// why it denies, /hostile has the uid of a terminal's escape, and /gossip
// quotes what it was sent; /proxy adds a container, and adds it again, and
// /single panics at a pod with more than one. /ledger is what can be seen of their side effects.
func handleConformance(mux *http.ServeMux) {
	mux.Handle("/good", reviewtest.Answer(reviewtest.Allow))
	mux.HandleFunc("/sloppy", misnamed("sloppy", ""))
	mux.HandleFunc("/hostile", misnamed("\x1b[31mred", ""))
	mux.HandleFunc("/gossip", func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			Request struct {
				Object struct{ Data map[string][]byte }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&review)
		answer(w, "gossip", fmt.Sprintf("the password %s is weak", review.Request.Object.Data["password"]))
	})
	mux.Handle("/proxy", reviewtest.Answer(func(_ *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		return &admissionv1.AdmissionResponse{
			Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch),
			Patch: []byte(`[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"registry.example.com/proxy:1.0"}}]`),
		}
	}))
	mux.Handle("/single", reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		var pod corev1.Pod
		if json.Unmarshal(r.Object.Raw, &pod) == nil && len(pod.Spec.Containers) > 1 {
			panic(http.ErrAbortHandler) // quietly
		}
		return reviewtest.Allow(r)
	}))
	mux.HandleFunc("/ledger", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) })
}

// misnamed denies everything, as the answer to another request.
func misnamed(uid, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { answer(w, uid, message) }
}

func answer(w http.ResponseWriter, uid, message string) {
	response := &admissionv1.AdmissionResponse{UID: types.UID(uid), Result: &metav1.Status{Message: message}}
	reply(w, &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"}, Response: response,
	})
}
