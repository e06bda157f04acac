package probetest

import (
	"encoding/json"
	"net/http"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/internal/conformance/probe"
)

// Handler answers every review correctly and allows it. answer may change the
// response.
func Handler(answer func(review probe.Review, response map[string]any)) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		review, err := Read(r)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		response := map[string]any{"uid": review.UID(), "allowed": true}
		answer(review, response)
		Write(out, map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})
	})
}

// Good allows every request.
func Good() http.Handler { return Handler(func(probe.Review, map[string]any) {}) }

// Forgetful fails C-UID: it answers with a wrong UID.
func Forgetful() http.Handler {
	return Handler(func(_ probe.Review, response map[string]any) { response["uid"] = "1" })
}

// Wordy fails C-WARNINGS: its warnings are too long.
func Wordy() http.Handler {
	return Handler(func(_ probe.Review, response map[string]any) {
		response["warnings"] = []any{strings.Repeat("x", 300)}
	})
}

// Read decodes the review in a request.
func Read(r *http.Request) (probe.Review, error) {
	body := json.RawMessage{}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, err
	}
	var review probe.Review
	err := utiljson.Unmarshal(body, (*map[string]any)(&review))
	return review, err
}

// Write writes a response, with HTTP 200 if no other status has been written.
func Write(out http.ResponseWriter, review map[string]any) {
	if out.Header().Get("Content-Type") == "" {
		out.Header().Set("Content-Type", "application/json")
	}
	_ = json.NewEncoder(out).Encode(review) // the client may have disconnected
}
