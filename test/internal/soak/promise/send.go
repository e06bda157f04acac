package promise

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// outcome is how a request ended.
type outcome struct {
	err      error // nil if it was allowed
	panicked any   // what left the plugin
	hung     bool  // it did not return within the bound
}

// String returns a short description.
func (o outcome) String() string {
	switch {
	case o.hung:
		return "it did not return"
	case o.panicked != nil:
		return fmt.Sprintf("a panic left the plugin: %v", o.panicked)
	case o.err == nil:
		return "it was allowed"
	}
	const most = 300
	text := fmt.Sprintf("it was refused: %v", o.err)
	return text[:min(len(text), most)]
}

// allowed reports whether the request was.
func (o outcome) allowed() bool { return o.err == nil && o.panicked == nil && !o.hung }

// code is the one that the client gets; 0 if the request was not refused, or
// not with a status.
func (o outcome) code() int {
	var status apierrors.APIStatus
	if o.err == nil || !errors.As(o.err, &status) {
		return 0
	}
	return int(status.Status().Code)
}

// failed returns an error unless the request was refused as after a failed call
// or an unusable answer: with 500.
func (o outcome) failed() error {
	if o.code() == http.StatusInternalServerError {
		return nil
	}
	return fmt.Errorf("the request was to be refused with 500, but %s", o)
}

// send sends a request through the plugin and stops waiting after the default
// bound.
func (s *scene) send(ctx context.Context, r request) outcome { return s.sendFor(ctx, patience, r) }

// sendFor is send with a bound. A request that outlives it runs until the scene
// is closed.
func (s *scene) sendFor(ctx context.Context, patience time.Duration, r request) outcome {
	attributes, objects, err := r.parts()
	if err != nil {
		return outcome{err: err}
	}
	done := make(chan outcome, 1)
	s.under.Go(func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.err = s.admit(ctx, attributes, objects)
	})
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case o := <-done:
		return o
	case <-timer.C:
		return outcome{hung: true}
	}
}

func (s *scene) admit(
	ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces,
) error {
	if m, ok := s.plugin.(apiadmission.MutationInterface); ok {
		return m.Admit(ctx, a, o)
	}
	return s.plugin.(apiadmission.ValidationInterface).Validate(ctx, a, o)
}

// requests returns how many requests the server got.
func (s *scene) requests() int {
	record := s.server.Record()
	return len(record.Requests) + record.More
}
