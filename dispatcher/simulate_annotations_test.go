package dispatcher_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// annotationRow is a request that a mutating and a validating webhook of the
// same name annotate under the same key.
type annotationRow struct {
	row
	operation admissionv1.Operation
	// validating is the second value; the first is "1".
	validating string
	refused    []string
}

// TestSimulateAnnotationsOfBothPhases compares what becomes of the second value
// with what does on a server: for DELETE the phases share their attributes
// (S-363), which refuse another value (S-312); for the others they share only
// the event, in which the first value stays (S-317).
func TestSimulateAnnotationsOfBothPhases(t *testing.T) {
	t.Parallel()
	overwritten := []string{`admission annotations are not allowd to be overwritten, key:"hook.example.com/a", old value: {Metadata 1}, new value: {Metadata 2}`}
	testtable.Run(t, []annotationRow{
		{row{"DELETE", "one record for both phases"}, admissionv1.Delete, "2", overwritten},
		{row{"DELETE, same value", "the same value may be set again"}, admissionv1.Delete, "1", nil},
		{row{"CREATE", "a record for each phase"}, admissionv1.Create, "2", nil},
		{row{"UPDATE", "a record for each phase"}, admissionv1.Update, "2", nil},
	}, func(t *testing.T, tc annotationRow) {
		got := tc.testRequest(&recorder{}).simulate(t, tc.request())
		if diff := cmp.Diff(tc.refused, refusals(got.Calls)); diff != "" {
			t.Errorf("refused (-want +got):\n%s", diff)
		}
		event := map[string]string{}
		for _, a := range got.AuditAnnotations {
			event[a.Key] = a.Value
		}
		if len(event) != len(got.AuditAnnotations) || event["hook.example.com/a"] != "1" {
			t.Errorf("annotations %v", got.AuditAnnotations)
		}
		served, servedRefusals := tc.serve(t)
		if diff := cmp.Diff(served, event); diff != "" {
			t.Errorf("annotations (-server +simulated):\n%s", diff)
		}
		if diff := cmp.Diff(servedRefusals, refusals(got.Calls)); diff != "" {
			t.Errorf("refused (-server +simulated):\n%s", diff)
		}
	})
}

func (tc *annotationRow) testRequest(observer *recorder) *testRequest {
	annotating := func(value string) exchange {
		return reply(`"allowed":true,"auditAnnotations":{"a":"` + value + `"}`)
	}
	mutating, validating := hook(admission.Mutating, hookName), hook(admission.Validating, hookName)
	mutating.ClientConfig.URL, validating.ClientConfig.URL = new("1"), new(tc.validating)
	s := &testRequest{webhooks: []*admission.Webhook{mutating, validating}}
	s.config = func(c *dispatcher.Config) {
		c.Observer = observer
		c.Client = clientFunc(func(ctx context.Context, w *admission.Webhook) (*dispatcher.Endpoint, error) {
			return backends{hookName: annotating(*w.ClientConfig.URL)}.Endpoint(ctx, w)
		})
	}
	return s
}

func (tc *annotationRow) request() *admission.Request {
	r := creation(pod())
	r.Operation = tc.operation
	if tc.operation != admissionv1.Create {
		r.OldObject = pod()
	}
	if tc.operation == admissionv1.Delete {
		r.Object = nil
	}
	return r
}

// serve takes the request through the phases as apiserver's own registry does.
// It returns the annotations of the audit event, and those that were refused.
func (tc *annotationRow) serve(t *testing.T) (event map[string]string, refused []string) {
	t.Helper()
	observer := &recorder{}
	s := tc.testRequest(observer)
	d := s.dispatcher(t, newResult())
	admit := apiadmission.WithAudit(phases{d.Mutating(), d.Validating()})
	ctx := audit.WithAuditContext(t.Context())
	if err := audit.AuditContextFrom(ctx).Init(audit.RequestAuditConfig{Level: auditinternal.LevelRequestResponse}, nil); err != nil {
		t.Fatal(err)
	}
	if err := tc.hand(ctx, admit, s.interfaces()); err != nil {
		t.Fatal(err)
	}
	return audit.AuditContextFrom(ctx).GetEventAnnotations(), refusals(observer.calls)
}

// hand hands the request over as the handlers and the registry do between them.
func (tc *annotationRow) hand(ctx context.Context, admit apiadmission.Interface, o apiadmission.ObjectInterfaces) error {
	r := tc.request()
	attributes := func(object, old runtime.Object) apiadmission.Attributes {
		return apiadmission.NewAttributesRecord(object, old, r.Kind, r.Namespace, r.Name, r.Resource, "",
			apiadmission.Operation(r.Operation), nil, false, &user.DefaultInfo{Name: "ann"})
	}
	if tc.operation == admissionv1.Delete {
		return rest.AdmissionToValidateObjectDeleteFunc(admit, attributes(nil, nil), o)(ctx, r.OldObject)
	}
	a := attributes(r.Object, r.OldObject)
	if err := admit.(apiadmission.MutationInterface).Admit(ctx, a, o); err != nil {
		return err
	}
	if tc.operation == admissionv1.Update {
		return rest.AdmissionToValidateObjectUpdateFunc(admit, attributes(nil, nil), o)(ctx, r.Object, r.OldObject)
	}
	return rest.AdmissionToValidateObjectFunc(admit, a, o)(ctx, r.Object)
}

// phases are both of them as one plugin.
type phases struct {
	apiadmission.MutationInterface
	validating apiadmission.ValidationInterface
}

func (p phases) Validate(ctx context.Context, a apiadmission.Attributes, o apiadmission.ObjectInterfaces) error {
	return p.validating.Validate(ctx, a, o)
}

// refusals are the annotations that the attributes did not accept.
func refusals(calls []admission.Call) []string {
	var texts []string
	for _, c := range calls {
		for _, refused := range c.AuditErrors {
			texts = append(texts, refused.Err.Error())
		}
	}
	return texts
}
