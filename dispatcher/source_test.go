package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// sourceRow is a source that has nothing to give.
type sourceRow struct {
	row
	err     error
	request request
	want    string
	code    int32
}

func TestSourceErrors(t *testing.T) {
	t.Parallel()
	generated := pod()
	generated.Name, generated.GenerateName = "", "web-"
	testtable.Run(t, []sourceRow{
		{row{"not ready", "S-006: the text and code that clients know"}, dispatcher.ErrNotReady, request{},
			`pods "web" is forbidden: not yet ready to handle request`, 403},
		{row{"not ready for several reasons", "only the known text goes to clients"}, fmt.Errorf("informers: %w", dispatcher.ErrNotReady), request{},
			`pods "web" is forbidden: not yet ready to handle request`, 403},
		{row{"not ready without a name", "S-006: the generated name has a beginning"}, dispatcher.ErrNotReady, request{nameless: true, object: generated},
			`pods "web-" is forbidden: not yet ready to handle request`, 403},
		{row{"not ready for deletion of a collection", "S-006: no name at all"}, dispatcher.ErrNotReady,
			request{operation: apiadmission.Delete, old: pod(), nameless: true},
			`pods "Unknown" is forbidden: not yet ready to handle request`, 403},
		{row{"broken", "S-064: a source that cannot be read is not one without webhooks, as kube-apiserver has it"}, errors.New("disk on fire"), request{},
			"Internal error occurred: disk on fire", 500},
		{row{"canceled", "the caller may cancel while it waits for a source"}, context.Canceled, request{},
			"Internal error occurred: context canceled", 500},
		{row{"nothing at all", "a source that breaks its contract fails closed, too"}, nil, request{},
			"Internal error occurred: the source of webhooks returned neither webhooks nor an error", 500},
	}, func(t *testing.T, tc sourceRow) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			s := one(phase, allow())
			s.request = tc.request
			s.config = func(c *dispatcher.Config) {
				c.Source = sourceFunc(func(context.Context) (*matching.Snapshot, error) { return nil, tc.err })
			}
			r := s.run(t.Context(), t, phase)
			if testtable.Text(r.err) != tc.want || codeOf(r.err) != tc.code {
				t.Errorf("%v: error %d %v, want %d %s", phase, codeOf(r.err), r.err, tc.code, tc.want)
			}
		}
	})
}

// TestSourcePanics: whatever the source does, the request gets an answer.
func TestSourcePanics(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		s := one(phase, allow())
		s.config = func(c *dispatcher.Config) {
			c.Source = sourceFunc(func(context.Context) (*matching.Snapshot, error) { panic("boom") })
		}
		var panicked *admission.PanicError
		r := s.run(t.Context(), t, phase)
		if codeOf(r.err) != 500 || testtable.Text(r.err) != "Internal error occurred: boom" || errors.As(r.err, &panicked) {
			t.Errorf("%v: error %v, want a 500 that says boom", phase, r.err)
		}
	}
}

// TestClosedGateDoesNotWait gives the source no time: it would make a request
// wait that no webhook may see.
func TestClosedGateDoesNotWait(t *testing.T) {
	t.Parallel()
	s := one(admission.Mutating, allow())
	s.request = request{kind: podKind, resource: schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "tokenreviews"}}
	s.config = func(c *dispatcher.Config) {
		c.Observer = &recorder{}
		c.Source = sourceFunc(func(ctx context.Context) (*matching.Snapshot, error) {
			if ctx.Err() == nil {
				t.Error("the source was given time to wait")
			}
			return nil, dispatcher.ErrNotReady
		})
	}
	if r := s.run(t.Context(), t, admission.Mutating); r.err != nil {
		t.Error(r.err)
	}
}
