package probe

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// mending is a Client with the slips of the protocol mended in all answers.
type mending struct {
	next    dispatcher.Client
	objects apiadmission.ObjectInterfaces
	// gone says why a webhook is asked no more; nil if it is.
	gone func(*admission.Webhook) error
}

// Endpoint implements dispatcher.Client.
func (m *mending) Endpoint(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
	if err := m.gone(w); err != nil {
		return nil, err
	}
	endpoint, err := m.next.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	mended, copied := *endpoint, *endpoint.HTTP
	copied.Transport = &mender{next: endpoint.HTTP.Transport, phase: w.Phase, objects: m.objects}
	mended.HTTP = &copied
	return &mended, nil
}

type mender struct {
	next    http.RoundTripper
	phase   admission.Phase
	objects apiadmission.ObjectInterfaces
}

// RoundTrip mends an answer that can be read, and leaves any other as it is.
func (m *mender) RoundTrip(r *http.Request) (*http.Response, error) {
	x := &Exchange{}
	var err error
	if x.Review, x.Sent, err = read(r); err != nil {
		return nil, err
	}
	response, err := m.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, enough))
	_ = response.Body.Close() // everything was read, or err says why not
	if err != nil {
		return nil, err
	}
	if x.Answer = parse(body); x.Answer != nil {
		body = reviewOf(x.Review, m.mended(x))
		response.StatusCode = http.StatusOK
		response.Header = http.Header{"Content-Type": {"application/json"}}
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// mended returns the response that the webhook meant.
func (m *mender) mended(x *Exchange) map[string]any {
	allowed := x.Answer.meansYes()
	response := map[string]any{"uid": x.Review.UID(), "allowed": allowed}
	if !allowed {
		response["status"] = map[string]any{"message": x.Answer.Message}
	}
	if m.phase == admission.Mutating && len(x.Answer.Patch) > 0 && m.usable(x) {
		response["patch"] = base64.StdEncoding.EncodeToString(x.Answer.Patch)
		response["patchType"] = string(admissionv1.PatchTypeJSONPatch)
	}
	return response
}

// meansYes takes an answer that does not say whether it is a yes for one, unless it gives
// a reason for a no.
func (a *Answer) meansYes() bool {
	if a.Allowed == nil {
		return a.Code == 0 && a.Reason == "" && a.Message == ""
	}
	return *a.Allowed
}

// usable reports whether the engine can go on with what the patch makes of the object. A
// patch of which this cannot be said is left out.
func (m *mender) usable(x *Exchange) bool {
	patched, err := x.Patched()
	if err != nil {
		return false
	}
	var before, after metav1.TypeMeta
	if json.Unmarshal(x.Object(), &before) != nil || json.Unmarshal(patched, &after) != nil || before != after {
		return false
	}
	into, err := m.objects.GetObjectCreater().New(after.GroupVersionKind())
	return err == nil && utiljson.Unmarshal(patched, into) == nil
}

// read reads the review in a request, which has it still afterwards.
func read(r *http.Request) (Review, []byte, error) {
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close() // everything was read, or err says why not
	if err != nil {
		return nil, nil, fmt.Errorf("reading a review: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var review Review
	if err := utiljson.Unmarshal(body, (*map[string]any)(&review)); err != nil {
		return nil, nil, fmt.Errorf("reading a review: %w", err)
	}
	return review, body, nil
}

// reviewOf returns the answer to a review.
func reviewOf(review Review, response map[string]any) []byte {
	return Review{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}.Bytes()
}
