package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// notingStorage notes the labels of the object at each step, and adds one. Its
// method of the name fails has an error.
type notingStorage struct {
	apiadmission.ObjectInterfaces
	fails string
	steps []string
}

func (s *notingStorage) step(name string, object runtime.Object) error {
	note := name
	if p, ok := object.(*corev1.Pod); ok && p != nil {
		note = fmt.Sprint(name, " ", p.Labels)
		p.Labels = map[string]string{"step": name}
	}
	s.steps = append(s.steps, note)
	if s.fails == name {
		return errors.New("no " + name)
	}
	return nil
}

func (s *notingStorage) Decode(ctx context.Context, _ *admission.Request, object, _ runtime.Object) error {
	warning.AddWarning(ctx, "", "decoded")
	return s.step("decode", object)
}

func (s *notingStorage) Prepare(_ context.Context, _ *admission.Request, object, _ runtime.Object) error {
	return s.step("prepare", object)
}

func (s *notingStorage) Stored(object runtime.Object) { _ = s.step("stored", object) }

type storageCase struct {
	testtable.Row
	fails string
	of    *admission.Request
	// steps are those of the storage; calls are the webhooks that were called.
	steps, calls []string
	// label is that of the answered object, and message that of the denial.
	label, message string
}

// TestSimulateStorage looks at when the methods of a Storage are called, and
// what comes of their errors and changes.
func TestSimulateStorage(t *testing.T) {
	t.Parallel()
	update, remove, connect := creation(pod()), creation(nil), creation(pod())
	update.Operation, update.OldObject = admissionv1.Update, pod()
	remove.Operation, remove.OldObject, remove.Object = admissionv1.Delete, pod(), nil
	connect.Operation = admissionv1.Connect
	both := []string{"m.example.com", "v.example.com"}
	testtable.Run(t, []storageCase{
		{testtable.Row{"create", "each step sees what the one before made"}, "", creation(pod()),
			[]string{"decode map[]", "prepare map[by:m step:decode]", "stored map[step:prepare]"}, both, "stored", ""},
		{testtable.Row{"update", "as a create"}, "", update,
			[]string{"decode map[]", "prepare map[by:m step:decode]", "stored map[step:prepare]"}, both, "stored", ""},
		{testtable.Row{"no decode", "no webhook is asked"}, "decode", creation(pod()), []string{"decode map[]"}, nil, "decode", "Internal error occurred: no decode"},
		{testtable.Row{"no prepare", "no validating webhook is asked"}, "prepare", creation(pod()),
			[]string{"decode map[]", "prepare map[by:m step:decode]"}, both[:1], "prepare", "Internal error occurred: no prepare"},
		{testtable.Row{"delete", "nothing is written"}, "", remove, []string{"decode"}, both, "", ""},
		{testtable.Row{"connect", "nothing is stored"}, "", connect, nil, both, "", ""},
	}, func(t *testing.T, tc storageCase) {
		s := bothPhases(allow(), allow())
		if tc.of.Operation == admissionv1.Create || tc.of.Operation == admissionv1.Update {
			s.backends["m.example.com"] = reply(`"allowed":true,` + patchMembers(`[`+addLabel("by", "m")+`]`))
		}
		storage := &notingStorage{ObjectInterfaces: s.interfaces(), fails: tc.fails}
		got, err := simulate.Request(t.Context(), s.dispatcher(t, newResult()), tc.of, storage)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.steps, storage.steps); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		var calls []string
		for i := range got.Calls {
			calls = append(calls, got.Calls[i].Webhook.Name)
		}
		if diff := cmp.Diff(tc.calls, calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		if p, ok := got.Object.(*corev1.Pod); ok && p.Labels["step"] != tc.label {
			t.Errorf("the object has the label %q, want %q", p.Labels["step"], tc.label)
		}
		if message := messageOf(got); message != tc.message {
			t.Errorf("denied with %q, want %q", message, tc.message)
		}
		if len(tc.steps) > 0 && len(got.Warnings) != 1 {
			t.Errorf("warnings %q, want that of the storage", got.Warnings)
		}
	})
}

func messageOf(r *admission.Response) string {
	if r.Status == nil {
		return ""
	}
	return r.Status.Message
}
