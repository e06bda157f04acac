package wide

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/test/internal/soak/request"
)

// send sends a request through both phases and checks its outcome.
func (s *soak) send(ctx context.Context, number int) {
	seen := &visit{}
	s.server.visits.Store(number, seen)
	a, interfaces := request.Either(number, nil)
	start := time.Now()
	err := s.admit(ctx, a, interfaces)
	s.latency.Add(time.Since(start))
	s.server.visits.Delete(number)

	want := s.plan.expect(number)
	if text := wrong(a, err, number, want); text != "" {
		s.found.Add("request %d: %s", number, text)
	}
	if text := seen.differs(want); text != "" {
		s.found.Add("request %d: %s", number, text)
	}
}

// admit goes through the phases as a server does.
func (s *soak) admit(
	ctx context.Context, a apiadmission.Attributes, interfaces apiadmission.ObjectInterfaces,
) error {
	if err := s.engine.Mutating().Admit(ctx, a, interfaces); err != nil {
		return err
	}
	return s.engine.Validating().Validate(ctx, a, interfaces)
}

// wrong describes an unexpected outcome; "" if it is as expected.
func wrong(a *request.Attributes, err error, number int, want expectation) string {
	if text := wrongVerdict(err, want); text != "" {
		return text
	}
	model, _ := request.Either(number, want.labels)
	if !apiequality.Semantic.DeepEqual(a.GetObject(), model.GetObject()) {
		return "the object is another than it should be: " + parting(written(a.GetObject()),
			written(model.GetObject()))
	}
	var notes []string
	for _, n := range a.Annotations() {
		notes = append(notes, n.Key)
	}
	if !slices.Equal(notes, want.notes) {
		return "the annotations are others than they should be: " + parting(written(notes),
			written(want.notes))
	}
	return ""
}

// wrongVerdict compares the error: it is a denial with its code, or there is
// none.
func wrongVerdict(err error, want expectation) string {
	var status *apierrors.StatusError
	switch {
	case err == nil && want.err == "":
		return ""
	case err == nil:
		return "it was allowed, want " + want.err
	case want.err == "":
		return "it was denied with " + err.Error()
	case err.Error() != want.err:
		return "it was denied with " + err.Error() + ", want " + want.err
	case !errors.As(err, &status) || status.Status().Code != http.StatusForbidden:
		return "it was denied with another code: " + written(err)
	}
	return ""
}
