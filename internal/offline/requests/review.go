package requests

import (
	"errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/requestfile"
)

// review makes the request of an AdmissionReview. An API server has processed
// it, so that only its objects are converted, from the webhook's version to
// that of the request (S-213).
func (m *Maker) review(r *requestfile.Request) (*admission.Request, error) {
	if err := m.checkReview(r); err != nil {
		return nil, err
	}
	made, err := request.FromReview(r.Document.JSON, m.kinds.ObjectInterfaces())
	var fault *request.ArgumentError
	if errors.As(err, &fault) {
		return nil, r.Document.Wrap(fault.Argument, fault)
	}
	return made, r.Document.Wrap("", err)
}
