package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/admission"
)

// parse returns the Entry of a line.
func parse(line []byte) (*Entry, error) {
	e := &Entry{}
	if err := kjson.Unmarshal(line, e); err != nil {
		return nil, unmarshalError(err)
	}
	return e, e.Validate()
}

// unmarshalError says that a line is cut off if it is the beginning of one.
func unmarshalError(err error) error {
	if strings.Contains(err.Error(), "unexpected end of JSON input") {
		return fmt.Errorf("the line is cut off: %w", io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the line is not an entry: %w", err)
}

// Validate returns an error that names the first missing or invalid field. It
// does not check the request of the review: request.FromReview does.
func (e *Entry) Validate() error {
	switch {
	case e.APIVersion != APIVersion:
		return fmt.Errorf("apiVersion: %q is not known, want %s", e.APIVersion, APIVersion)
	case e.Kind != Kind:
		return fmt.Errorf("kind: %q is not %s", e.Kind, Kind)
	case e.ID == "":
		return errors.New("id: required")
	case e.Source == "":
		return errors.New("source: required")
	}
	if err := e.validateReview(); err != nil {
		return fmt.Errorf("review: %w", err)
	}
	for i := range e.Answers {
		if err := e.Answers[i].validate(); err != nil {
			return fmt.Errorf("answers[%d].%w", i, err)
		}
	}
	if v := e.Verdict; v != nil && v.Allowed && v.Status != nil {
		return errors.New("verdict.status: a request that is allowed has none")
	}
	for i, pointer := range e.Redacted {
		if !strings.HasPrefix(pointer, "/") {
			return fmt.Errorf("redacted[%d]: %q is not a JSON pointer", i, pointer)
		}
	}
	return nil
}

func (e *Entry) validateReview() error {
	if len(e.Review) == 0 || string(e.Review) == "null" {
		return errors.New("required")
	}
	if isReview(e.Review) {
		return nil
	}
	var of struct {
		metav1.TypeMeta
		Request json.RawMessage `json:"request"`
	}
	if err := kjson.Unmarshal(e.Review, &of); err != nil {
		return err
	}
	want := admissionv1.SchemeGroupVersion.WithKind("AdmissionReview")
	switch {
	case of.GroupVersionKind() != want:
		return fmt.Errorf("want %s of %s, not %q of %q", want.Kind, want.GroupVersion(), of.Kind,
			of.APIVersion)
	case len(of.Request) == 0 || of.Request[0] != '{':
		return errors.New("request: required")
	}
	return nil
}

// isReview reports whether valid JSON is an AdmissionReview with a request. It leaves
// what has escapes to a decoder.
func isReview(text []byte) bool {
	begins := map[string]string{
		"apiVersion": `"admission.k8s.io/v1"`, "kind": `"AdmissionReview"`, "request": "{",
	}
	seen := map[string]bool{}
	for m := range members(text) {
		if begin, ok := begins[m.key]; ok {
			if !bytes.HasPrefix(m.value, []byte(begin)) {
				return false
			}
			seen[m.key] = true
		}
	}
	return len(seen) == len(begins)
}

func (a *Answer) validate() error {
	switch {
	case a.Phase != admission.Mutating.String() && a.Phase != admission.Validating.String():
		return fmt.Errorf("phase: %q is not mutating or validating", a.Phase)
	case a.Webhook == "":
		return errors.New("webhook: required")
	case a.Outcome == "":
		return errors.New("outcome: required")
	case a.Round < 0 || a.Round > 1:
		return fmt.Errorf("round: %d is not 0 or 1", a.Round)
	}
	return nil
}
