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

// tolerantClient is a dispatcher.Client that corrects protocol errors in all
// responses.
type tolerantClient struct {
	next    dispatcher.Client
	objects apiadmission.ObjectInterfaces
	// unreachable returns why the webhook is no longer called; nil if it still
	// is.
	unreachable func(*admission.Webhook) error
}

// Endpoint implements dispatcher.Client.
func (m *tolerantClient) Endpoint(
	ctx context.Context, w *admission.Webhook,
) (*dispatcher.Endpoint, error) {
	if err := m.unreachable(w); err != nil {
		return nil, err
	}
	endpoint, err := m.next.Endpoint(ctx, w)
	if err != nil {
		return nil, err
	}
	mended, copied := *endpoint, *endpoint.HTTP
	copied.Transport = &tolerantTransport{next: endpoint.HTTP.Transport, phase: w.Phase,
		objects: m.objects}
	mended.HTTP = &copied
	return &mended, nil
}

type tolerantTransport struct {
	next    http.RoundTripper
	phase   admission.Phase
	objects apiadmission.ObjectInterfaces
}

// RoundTrip corrects a response if it can decode it, and returns any other
// response unchanged.
func (m *tolerantTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	x := &Exchange{}
	var err error
	if x.Review, x.Sent, err = readReview(r); err != nil {
		return nil, err
	}
	response, err := m.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	_ = response.Body.Close() // everything was read, or err says why not
	if err != nil {
		return nil, err
	}
	if x.Answer = parse(body); x.Answer != nil {
		body = encodeResponse(x.Review, m.response(x))
		response.StatusCode = http.StatusOK
		response.Header = http.Header{"Content-Type": {"application/json"}}
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return response, nil
}

// response returns the response that the webhook meant.
func (m *tolerantTransport) response(x *Exchange) map[string]any {
	allowed := x.Answer.meansAllowed()
	response := map[string]any{"uid": x.Review.UID(), "allowed": allowed}
	if !allowed {
		response["status"] = map[string]any{"message": x.Answer.Message}
	}
	if m.phase == admission.Mutating && len(x.Answer.Patch) > 0 && m.patchUsable(x) {
		response["patch"] = base64.StdEncoding.EncodeToString(x.Answer.Patch)
		response["patchType"] = string(admissionv1.PatchTypeJSONPatch)
	}
	return response
}

// meansAllowed reports whether the webhook meant to allow the request. A
// response without allowed does, unless it has a reason for a denial.
func (a *Answer) meansAllowed() bool {
	if a.Allowed == nil {
		return a.Code == 0 && a.Reason == "" && a.Message == ""
	}
	return *a.Allowed
}

// patchUsable reports whether the dispatcher can decode the patched object.
// Other patches are dropped.
func (m *tolerantTransport) patchUsable(x *Exchange) bool {
	patched, err := x.Patched()
	if err != nil {
		return false
	}
	var before, after metav1.TypeMeta
	if json.Unmarshal(x.Object(), &before) != nil ||
		json.Unmarshal(patched, &after) != nil || before != after {
		return false
	}
	into, err := m.objects.GetObjectCreater().New(after.GroupVersionKind())
	return err == nil && utiljson.Unmarshal(patched, into) == nil
}

// readReview decodes the review in a request, and leaves the body unread.
func readReview(r *http.Request) (Review, []byte, error) {
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

// encodeResponse returns the AdmissionReview that answers a review.
func encodeResponse(review Review, response map[string]any) []byte {
	return Review{"apiVersion": review["apiVersion"], "kind": review["kind"],
		"response": response}.Bytes()
}
