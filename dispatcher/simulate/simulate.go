package simulate

import (
	"context"
	"errors"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// Request runs a request through both phases of d and returns the verdict and
// the record of all matches and calls. It copies the request's objects and does
// not modify them. The package comment lists the steps around the webhooks.
//
// objects creates, converts and defaults the kinds of the request and of its
// equivalent resources. For built-in kinds, use NewObjectInterfacesFromScheme
// of k8s.io/apiserver with client-go's scheme. As with Dispatcher.Mutating, the
// engine may still call its creater and typer after Request has returned. If
// objects implements Storage, Request calls it around the phases.
//
// Request returns an error, and calls no webhook, if a field of r is missing or
// does not fit the operation. A denied request is not an error.
func Request(
	ctx context.Context, d *dispatcher.Dispatcher, r *admission.Request,
	objects apiadmission.ObjectInterfaces,
) (*admission.Response, error) {
	if err := checkRequest(r, objects); err != nil {
		return nil, fmt.Errorf("simulating an admission request: %w", err)
	}
	s := newSimulation(d, r, objects)
	s.response.Request, s.response.Began = r, time.Now()
	ctx = warning.WithWarningRecorder(ctx, &s.warnings)
	if err := s.run(ctx); err != nil {
		s.response.Status = admission.StatusOf(err)
	}
	s.response.Allowed = s.response.Status == nil
	s.response.Object = s.stored(s.object())
	s.response.Warnings = s.warnings.sent()
	s.response.Elapsed = time.Since(s.response.Began)
	s.response.AuditAnnotations = s.annotations.added
	return &s.response, nil
}

func checkRequest(r *admission.Request, objects apiadmission.ObjectInterfaces) error {
	switch {
	case r == nil:
		return errors.New("there is no request")
	case objects == nil:
		return errors.New("there are no object interfaces")
	case r.User == nil:
		return errors.New("Request.User is required: the review holds the user")
	case r.Kind.Empty():
		return errors.New("Request.Kind is required")
	case r.Resource.Empty():
		return errors.New("Request.Resource is required")
	case r.DryRun && r.Operation == admissionv1.Connect:
		return errors.New("Request.DryRun: dryRun is not supported for CONNECT") // S-364
	case isNil(r.Object) != (r.Operation == admissionv1.Delete):
		return fmt.Errorf("Request.Object must be nil for DELETE and set for every other "+
			"operation; the operation is %q", r.Operation)
	case isNil(r.OldObject) !=
		(r.Operation == admissionv1.Create || r.Operation == admissionv1.Connect):
		return fmt.Errorf("Request.OldObject must be nil for CREATE and CONNECT and set for every "+
			"other operation; the operation is %q", r.Operation)
	}
	switch r.Operation {
	case admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect:
		return nil
	default:
		return fmt.Errorf(
			"Request.Operation must be CREATE, UPDATE, DELETE or CONNECT; it is %q", r.Operation)
	}
}

// simulation is the run of a request through both phases. It is the observer of
// the dispatcher.
type simulation struct {
	mutating   apiadmission.MutationInterface
	validating apiadmission.ValidationInterface

	request  *admission.Request
	objects  apiadmission.ObjectInterfaces
	response admission.Response

	attributes  apiadmission.Attributes
	annotations annotations
	warnings    warnings
}

func newSimulation(
	d *dispatcher.Dispatcher, r *admission.Request, objects apiadmission.ObjectInterfaces,
) *simulation {
	s := &simulation{request: r, objects: objects}
	d = d.WithObserver(s)
	s.mutating, s.validating = d.Mutating(), d.Validating()
	object, name := copyOf(r.Object), r.Name
	if m := metadata(object); m != nil && r.Operation == admissionv1.Create && name == "" {
		name = m.GetName()
	}
	s.attributes = s.newAttributes(object, name)
	return s
}

// run runs both phases. Its error is the denial.
func (s *simulation) run(ctx context.Context) error {
	if err := s.decode(ctx); err != nil {
		return err
	}
	if err := s.mutate(ctx); err != nil {
		return err
	}
	s.prepareForStorage()
	if err := s.validate(ctx); err != nil {
		return err
	}
	if s.request.Operation != admissionv1.Delete {
		// The validating phase has new attributes: the name may be new, and the
		// reinvocation context is empty (S-317).
		s.attributes = s.newAttributes(s.attributes.GetObject(), s.name())
	}
	return s.validating.Validate(ctx, s.attributes, s.objects)
}

// mutate runs the mutating phase and what the API server does around it for a
// write.
func (s *simulation) mutate(ctx context.Context) error {
	switch s.request.Operation {
	case admissionv1.Create:
		s.clearSystemFields()
	case admissionv1.Update:
	default:
		return s.admit(ctx)
	}
	s.dropRepeatedOwners(ctx, ownersRepeated)
	if err := s.admitKeepingManagedFields(ctx); err != nil {
		return err
	}
	s.dropRepeatedOwners(ctx, ownersRepeatedByWebhook)
	return nil
}

// admit runs the mutating webhooks, and a second round if a webhook needs it.
func (s *simulation) admit(ctx context.Context) error {
	if err := s.mutating.Admit(ctx, s.attributes, s.objects); err != nil {
		return err
	}
	chain := s.attributes.GetReinvocationContext()
	if !chain.ShouldReinvoke() {
		return nil
	}
	chain.SetIsReinvoke()
	return s.mutating.Admit(ctx, s.attributes, s.objects)
}

// RecordPolicy implements dispatcher.PolicyRecorder.
func (s *simulation) RecordPolicy(_ context.Context, p *admission.PolicyRecord) {
	s.response.Policies = append(s.response.Policies, *p)
}

// RecordMatch implements dispatcher.Recorder.
func (s *simulation) RecordMatch(_ context.Context, m *admission.Match) {
	s.response.Matches = append(s.response.Matches, *m)
}

// RecordCall implements dispatcher.Recorder.
func (s *simulation) RecordCall(_ context.Context, c *admission.Call) {
	s.response.Calls = append(s.response.Calls, *c)
}
