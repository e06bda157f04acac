package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
)

// Simulate takes a request through both phases as an API server would, with
// nothing else in the admission chain, and returns the verdict with the record
// of how it came about. The request's objects are copied, never modified.
//
// The mutating webhooks run, run again if one of them asked for it, and then the
// validating ones run on the result. Around them Simulate does what the REST
// handlers and the registry do as far as webhooks can see it:
//
//   - CREATE: a name is generated from metadata.generateName, so that validating
//     webhooks see a name where mutating ones did not (S-215). Not so for
//     subresources, such as pods/eviction, whose name is the one in the path;
//   - CREATE and UPDATE: owner references that repeat an earlier one are dropped
//     before and after the mutating phase, each with its warning (S-367);
//   - CREATE and UPDATE: managedFields that the mutating phase spoils are put
//     back, with a warning (S-366);
//   - DELETE: both phases have the same attributes, so that one cannot give an
//     annotation of the other another value (S-363, S-312);
//   - CREATE: the metadata that clients have no say in are wiped (S-360);
//   - CREATE and UPDATE, if r.SystemFields: such metadata are set and kept
//     (S-360, S-361).
//
// Warnings are dropped and cut as in the headers of a response (S-301).
//
// It does not validate objects against their schema, does not default them
// beyond what objects' defaulter does, does not do what only one resource's
// storage does, such as raising metadata.generation, and does not compute
// managedFields. There are no conflicts: what is stored is r.OldObject.
//
// objects knows the kinds involved: how they are made, converted and defaulted.
// For built-in types NewObjectInterfacesFromScheme of k8s.io/apiserver with
// client-go's scheme will do. As with Mutating, they may still be asked after Simulate
// has returned, and must be safe for concurrent use.
//
// The error is about the request itself, which was then shown to nobody: a field
// that is missing. A request that is denied is not an error.
func (d *Dispatcher) Simulate(ctx context.Context, r *admission.Request, objects apiadmission.ObjectInterfaces) (*admission.Response, error) {
	if err := checkRequest(r, objects); err != nil {
		return nil, fmt.Errorf("simulating an admission request: %w", err)
	}
	s := newSimulation(d, r, objects)
	s.response.Request, s.response.Began = r, time.Now()
	ctx = warning.WithWarningRecorder(ctx, &s.warnings)
	if err := s.run(ctx); err != nil {
		s.response.Status = statusOf(err)
	}
	s.response.Allowed = s.response.Status == nil
	s.response.Object = s.object()
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
		return errors.New("Request.User is required: webhooks are told who asks")
	case r.Kind.Empty():
		return errors.New("Request.Kind is required")
	case r.Resource.Empty():
		return errors.New("Request.Resource is required")
	case r.DryRun && r.Operation == admissionv1.Connect:
		return errors.New("Request.DryRun: dryRun is not supported for CONNECT") // S-364
	case isNil(r.Object) != (r.Operation == admissionv1.Delete):
		return fmt.Errorf("Request.Object must be set, and only then, if the operation is not DELETE; it is %q", r.Operation)
	case isNil(r.OldObject) != (r.Operation == admissionv1.Create || r.Operation == admissionv1.Connect):
		return fmt.Errorf("Request.OldObject must be set, and only then, if the operation is UPDATE or DELETE; it is %q", r.Operation)
	}
	switch r.Operation {
	case admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect:
		return nil
	default:
		return fmt.Errorf("Request.Operation must be CREATE, UPDATE, DELETE or CONNECT; it is %q", r.Operation)
	}
}

// simulation is a request on its way through both phases.
type simulation struct {
	d        *Dispatcher
	request  *admission.Request
	objects  apiadmission.ObjectInterfaces
	response admission.Response

	attributes  apiadmission.Attributes
	annotations annotations
	warnings    warnings
}

func newSimulation(d *Dispatcher, r *admission.Request, objects apiadmission.ObjectInterfaces) *simulation {
	s := &simulation{d: d, request: r, objects: objects}
	object, name := copyOf(r.Object), r.Name
	if m := metadata(object); m != nil && r.Operation == admissionv1.Create && name == "" {
		name = m.GetName()
	}
	s.attributes = s.record(object, name)
	return s
}

// run takes the request through the phases. Its error is the denial.
func (s *simulation) run(ctx context.Context) error {
	if err := s.mutate(ctx); err != nil {
		return err
	}
	s.complete()
	if s.request.Operation != admissionv1.Delete {
		// Validation gets a record of its own: the name may be new, and it must not
		// find what mutation left in the reinvocation context (S-317).
		s.attributes = s.record(s.attributes.GetObject(), s.name())
	}
	return s.validating().Validate(ctx, s.attributes, s.objects)
}

// mutate is the mutating phase with what surrounds it if something is written.
func (s *simulation) mutate(ctx context.Context) error {
	switch s.request.Operation {
	case admissionv1.Create:
		s.wipe()
	case admissionv1.Update:
	default:
		return s.admit(ctx)
	}
	s.dropRepeatedOwners(ctx, ownersRepeated)
	if err := s.admitGuarded(ctx); err != nil {
		return err
	}
	s.dropRepeatedOwners(ctx, ownersRepeatedByHook)
	return nil
}

// admit runs the mutating webhooks, and once more if one of them asked for it.
func (s *simulation) admit(ctx context.Context) error {
	m := &mutating{Handler: newHandler(), d: s.d, observer: s}
	if err := m.Admit(ctx, s.attributes, s.objects); err != nil {
		return err
	}
	chain := s.attributes.GetReinvocationContext()
	if !chain.ShouldReinvoke() {
		return nil
	}
	chain.SetIsReinvoke()
	return m.Admit(ctx, s.attributes, s.objects)
}

func (s *simulation) validating() *validating {
	return &validating{Handler: newHandler(), d: s.d, observer: s}
}

// RecordMatch keeps the match and passes it on to the configured observer.
func (s *simulation) RecordMatch(ctx context.Context, m *admission.Match) {
	s.response.Matches = append(s.response.Matches, *m)
	if o := s.d.config.Observer; o != nil {
		o.RecordMatch(ctx, m)
	}
}

// RecordCall keeps the call and passes it on to the configured observer.
func (s *simulation) RecordCall(ctx context.Context, c *admission.Call) {
	s.response.Calls = append(s.response.Calls, *c)
	if o := s.d.config.Observer; o != nil {
		o.RecordCall(ctx, c)
	}
}

// statusOf returns a denial as a client would receive it.
func statusOf(err error) *metav1.Status {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	s := status.Status()
	s.APIVersion, s.Kind = "v1", "Status"
	return &s
}
