package handlers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// maxBody exceeds what an API server sends: a request has at most 3 MiB, and a
// review also contains the old object.
const maxBody = 8 << 20

// question is a request for objects of type T.
type question[T any] struct {
	*admissionv1.AdmissionRequest
	// object and old are the new and the stored object; nil if there is none.
	object, old *T
}

// handle turns a decision function into a handler.
func handle[T any](decide func(*question[T]) *answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		review, err := read(w, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		q, err := ask[T](review.Request)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		response, err := decide(q).response(q.UID)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// This fails only if the client is gone.
		_ = json.NewEncoder(w).Encode(
			&admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: response})
	})
}

// read returns the review in the body, which has a request.
func read(w http.ResponseWriter, r *http.Request) (*admissionv1.AdmissionReview, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	review := &admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, review); err != nil {
		return nil, fmt.Errorf("decoding the review: %w", err)
	}
	want := admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
	if review.GroupVersionKind() != want {
		return nil, fmt.Errorf("the body is %q, not %q", review.GroupVersionKind(), want)
	}
	if review.Request == nil {
		return nil, errors.New("the review has no request")
	}
	return review, nil
}

// ask decodes the objects of a request.
func ask[T any](r *admissionv1.AdmissionRequest) (*question[T], error) {
	object, err := decode[T](r.Object)
	if err != nil {
		return nil, fmt.Errorf("decoding the object: %w", err)
	}
	old, err := decode[T](r.OldObject)
	if err != nil {
		return nil, fmt.Errorf("decoding the old object: %w", err)
	}
	return &question[T]{r, object, old}, nil
}

// decode returns an object, or nil if there is none.
func decode[T any](raw runtime.RawExtension) (*T, error) {
	if len(raw.Raw) == 0 {
		return nil, nil
	}
	object := new(T)
	return object, json.Unmarshal(raw.Raw, object)
}
