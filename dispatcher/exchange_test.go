package dispatcher_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

// exchange is a webhook without a network: a function from request to response.
type exchange func(*http.Request) (*http.Response, error)

func (e exchange) RoundTrip(r *http.Request) (*http.Response, error) { return e(r) }

// reviewIn reads the review from a request. Its object and old object are as
// raw as they came.
func reviewIn(r *http.Request) (*admissionv1.AdmissionReview, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	review := &admissionv1.AdmissionReview{}
	return review, json.Unmarshal(body, review)
}

// says responds with a body, in which UID is replaced by the uid of the review.
func says(status int, contentType, body string) exchange {
	return func(r *http.Request) (*http.Response, error) {
		review, err := reviewIn(r)
		if err != nil {
			return nil, err
		}
		return response(status, contentType, strings.ReplaceAll(body, "UID", string(review.Request.UID))), nil
	}
}

func response(status int, contentType, body string) *http.Response {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

// reply responds with a review in the version of the request. members are those
// of its response, without the uid.
func reply(members string) exchange {
	return func(r *http.Request) (*http.Response, error) {
		review, err := reviewIn(r)
		if err != nil {
			return nil, err
		}
		return response(http.StatusOK, "application/json", fmt.Sprintf(
			`{"kind":"AdmissionReview","apiVersion":%q,"response":{"uid":%q,%s}}`,
			review.APIVersion, review.Request.UID, members)), nil
	}
}

func allow() exchange { return reply(`"allowed":true`) }

func deny() exchange { return reply(`"allowed":false`) }

// patches allows with a JSON patch.
func patches(operations string) exchange { return reply(`"allowed":true,` + patchMembers(operations)) }

func patchMembers(operations string) string {
	return fmt.Sprintf(`"patchType":"JSONPatch","patch":%q`, base64.StdEncoding.EncodeToString([]byte(operations)))
}

// fails does not answer at all.
func fails(err error) exchange {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// panics is a transport that does.
func panics(*http.Request) (*http.Response, error) { panic("boom") }

// addLabel is the patch operation that adds a label to an object that has some.
func addLabel(key, value string) string {
	return fmt.Sprintf(`{"op":"add","path":"/metadata/labels/%s","value":%q}`, key, value)
}

// podIn reads the review and the pod in it from a request.
func podIn(r *http.Request) (*admissionv1.AdmissionReview, *corev1.Pod, error) {
	review, err := reviewIn(r)
	if err != nil {
		return nil, nil, err
	}
	p := &corev1.Pod{}
	return review, p, json.Unmarshal(review.Request.Object.Raw, p)
}
