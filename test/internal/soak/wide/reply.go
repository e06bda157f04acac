package wide

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reply writes the response that the plan prescribes.
func reply(w http.ResponseWriter, what act, uid string, index, number int) {
	answer := &admissionv1.AdmissionResponse{UID: types.UID(uid), Allowed: true}
	switch what {
	case agree:
	case alter:
		key, value := label(index, number)
		answer.Patch = fmt.Appendf(nil,
			`[{"op":"add","path":"/metadata/labels/%s","value":%q}]`, key, value)
		answer.PatchType = new(admissionv1.PatchTypeJSONPatch)
	case refuse:
		answer.Allowed = false
		answer.Result = &metav1.Status{Code: http.StatusForbidden, Message: refusal(index, number)}
	case fault:
		if failing(w, number, answer) {
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	// A client that is gone is no concern of the webhook's.
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Response: answer,
	})
}

// failing fails in a way that the number selects, and reports whether the
// response is complete. All ways are quick.
func failing(w http.ResponseWriter, number int, answer *admissionv1.AdmissionResponse) bool {
	const ways = 4
	switch number / 3 % ways {
	case 0:
		http.Error(w, "out of order", http.StatusInternalServerError)
	case 1:
		fmt.Fprint(w, "<html>this is no review</html>")
	case 2:
		panic(http.ErrAbortHandler) // which closes the connection, or resets the stream
	case 3:
		answer.UID = "another-request"
		return false
	}
	return true
}
