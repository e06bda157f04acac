package dispatcher_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// manager is an entry of managedFields that is valid if the operation is.
func manager(operation metav1.ManagedFieldsOperationType) []metav1.ManagedFieldsEntry {
	return []metav1.ManagedFieldsEntry{{
		Manager: "me", Operation: operation, APIVersion: "v1",
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{}}`),
	}}
}

// Patches of managedFields.
const (
	spoilFields   = `{"op":"replace","path":"/metadata/managedFields/0/operation","value":"Spoil"}`
	renameManager = `{"op":"replace","path":"/metadata/managedFields/0/manager","value":"you"}`
	addManager    = `{"op":"add","path":"/metadata/managedFields","value":[{"manager":"new"}]}`
	removeFields  = `{"op":"remove","path":"/metadata/managedFields"}`
	repeatOwner   = `{"op":"add","path":"/metadata/ownerReferences","value":[{"uid":"1"},{"uid":"1"}]}`
)

// managedRow is a request whose managedFields several webhooks patch in turn.
type managedRow struct {
	row
	sent    []metav1.ManagedFieldsEntry
	patches []string
	// denied: another webhook denies at the end.
	denied bool

	want     []metav1.ManagedFieldsEntry
	warnings []string
	// alone: a real server never reaches this state.
	alone bool
}

func managedRows() []managedRow {
	const spoiled = ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`"
	const repeated = ".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1"
	valid, renamed := manager("Update"), manager("Update")
	renamed[0].Manager = "you"
	return []managedRow{
		{row: row{"untouched", "what is valid stays"}, sent: valid, patches: []string{addLabel("a", "b")}, want: valid},
		{row: row{"changed", "webhooks may change them"}, sent: valid, patches: []string{renameManager}, want: renamed},
		{row: row{"removed", "none are valid"}, sent: valid, patches: []string{removeFields}},
		{row: row{"spoiled", "put back"}, sent: valid, patches: []string{spoilFields}, want: valid, warnings: []string{spoiled}},
		{row: row{"added", "nothing was there before, so nothing is left"}, patches: []string{addManager}, warnings: []string{spoiled}},
		{row: row{"changed and spoiled", "what is put back is what was there before all webhooks"},
			sent: valid, patches: []string{renameManager, spoilFields}, want: valid, warnings: []string{spoiled}},
		{row: row{"spoiled and removed", "it is the end that counts"}, sent: valid, patches: []string{spoilFields, removeFields}},
		{row: row{"with owners", "managedFields come before owners"},
			sent: valid, patches: []string{spoilFields + `,` + repeatOwner}, want: valid, warnings: []string{spoiled, repeated}, alone: true},
		{row: row{"denied", "the managed fields of a denied request are not checked"}, sent: valid, patches: []string{spoilFields}, denied: true, want: valid},
		{row: row{"sent as they are", "a server replaces them before webhooks see them, so none is to blame"},
			sent: manager("Spoil"), want: manager("Spoil"), patches: []string{addLabel("a", "b")}, alone: true},
	}
}

// TestSimulateManagedFields compares what Simulate does with what apiserver's
// guard does around the same webhooks (S-366).
func TestSimulateManagedFields(t *testing.T) {
	t.Parallel()
	testtable.Run(t, managedRows(), func(t *testing.T, tc managedRow) {
		for _, operation := range []admissionv1.Operation{admissionv1.Create, admissionv1.Update} {
			r := tc.request(operation)
			got := tc.testRequest().simulate(t, r)
			object := got.Object.(*corev1.Pod)
			if got.Allowed == tc.denied || !cmp.Equal(tc.want, object.ManagedFields) || !cmp.Equal(tc.warnings, got.Warnings) {
				t.Errorf("%s: allowed %v, fields (-want +got):\n%swarnings (-want +got):\n%s", operation, got.Allowed,
					cmp.Diff(tc.want, object.ManagedFields), cmp.Diff(tc.warnings, got.Warnings))
			}
			if tc.alone {
				continue
			}
			served, warnings := tc.serve(t, operation)
			if diff := cmp.Diff(served, object); diff != "" {
				t.Errorf("%s: object (-server +simulated):\n%s", operation, diff)
			}
			if diff := cmp.Diff(warnings, got.Warnings); diff != "" {
				t.Errorf("%s: warnings (-server +simulated):\n%s", operation, diff)
			}
		}
	})
}

func (tc *managedRow) request(operation admissionv1.Operation) *admission.Request {
	sent := pod("app", "web")
	sent.ManagedFields = tc.sent
	r := creation(sent)
	r.Operation = operation
	if operation == admissionv1.Update {
		r.OldObject = pod()
	}
	return r
}

func (tc *managedRow) testRequest() *testRequest {
	s := &testRequest{backends: backends{}}
	join := func(name string, e exchange) {
		s.webhooks, s.backends[name] = append(s.webhooks, hook(admission.Mutating, name)), e
	}
	for i, operations := range tc.patches {
		join(strings.Repeat("m", i+1), patches(`[`+operations+`]`))
	}
	if tc.denied {
		join("no", deny())
	}
	return s
}

// serve takes the object through the mutating phase behind apiserver's guard.
func (tc *managedRow) serve(t *testing.T, operation admissionv1.Operation) (*corev1.Pod, []string) {
	t.Helper()
	r, j, s := tc.request(operation), &recorder{}, tc.testRequest()
	object := r.Object.(*corev1.Pod)
	s.request = request{operation: apiadmission.Operation(operation), object: object, old: r.OldObject}
	guarded := fieldmanager.NewManagedFieldsValidatingAdmissionController(s.dispatcher(t, newResult()).Mutating())
	err := guarded.(apiadmission.MutationInterface).Admit(warning.WithWarningRecorder(t.Context(), j), s.request.attributes(), s.interfaces())
	if (err != nil) != tc.denied {
		t.Fatal(err)
	}
	return object, j.warnings
}

// TestSimulateManagedFieldsInRounds: the guard looks when both rounds are over,
// at the result of both.
func TestSimulateManagedFieldsInRounds(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]string{"repaired": removeFields, "spoiled": renameManager} {
		calls := 0
		s := &testRequest{webhooks: []*admission.Webhook{hook(admission.Mutating, "a", reinvocable), hook(admission.Mutating, "b")}}
		s.backends = backends{"b": patches(`[` + spoilFields + `]`), "a": func(r *http.Request) (*http.Response, error) {
			if calls++; calls == 1 {
				return patches(`[` + addLabel("by", "a") + `]`)(r)
			}
			return patches(`[` + second + `]`)(r)
		}}
		got := s.simulate(t, (&managedRow{sent: manager("Update")}).request(admissionv1.Create))
		fields, want := got.Object.(*corev1.Pod).ManagedFields, manager("Update")
		if name == "repaired" {
			want = nil
		}
		if calls != 2 || !cmp.Equal(want, fields) || len(got.Warnings) != len(want) {
			t.Errorf("%s: %d calls, warnings %q, fields (-want +got):\n%s", name, calls, got.Warnings, cmp.Diff(want, fields))
		}
	}
}
