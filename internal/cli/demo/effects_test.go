package demo

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

// visited returns a visit to pods/a in default that went through the calls.
func visited(denied string, warnings []string, calls ...admission.Call) *session.Result {
	for i := range calls {
		calls[i].Webhook = &admission.Webhook{Name: "hook", Phase: admission.Mutating}
	}
	response := &admission.Response{Allowed: denied == "", Warnings: warnings, Calls: calls}
	if denied != "" {
		response.Status = &metav1.Status{Message: denied}
	}
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	return &session.Result{Request: &admission.Request{Resource: resource, Namespace: "default", Name: "a"}, Response: response}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	patched := []byte(`[{"op":"add","path":"/metadata/labels"},{"op":"remove","path":"/spec/x"}]`)
	type test struct {
		row
		visit *session.Result
		want  effects
	}
	rows := []test{
		{
			row:   row{"nothing", "a call that changes nothing is no effect"},
			visit: visited("", nil, admission.Call{Outcome: admission.Allowed}),
			want:  effects{},
		},
		{
			row:   row{"mutation", "all paths of the patch are named"},
			visit: visited("", nil, admission.Call{Outcome: admission.Allowed, Changed: true, Patch: patched}),
			want:  effects{mutation: "pods/a in default: hook changed /metadata/labels, /spec/x"},
		},
		{
			row: row{"reinvocation", "only a change in the second round is an effect"},
			visit: visited("", nil,
				admission.Call{Outcome: admission.Allowed, Round: 1},
				admission.Call{Outcome: admission.Allowed, Round: 1, Changed: true, Patch: patched}),
			want: effects{reinvocation: "pods/a in default: hook was called again and changed /metadata/labels, /spec/x"},
		},
		{
			row:   row{"denial", "the text is that of the client's error"},
			visit: visited("no", nil, admission.Call{Outcome: admission.Rejected}),
			want:  effects{denial: "pods/a in default: no"},
		},
		{
			row:   row{"fail-open", "a failure that denies is not fail-open"},
			visit: visited("", nil, admission.Call{Outcome: admission.FailedOpen, Err: errors.New("too late")}),
			want:  effects{failOpen: "pods/a in default: ignored, as failurePolicy says: too late"},
		},
		{
			row:   row{"warnings", "the first warning is shown"},
			visit: visited("", []string{"careful", "really"}),
			want:  effects{warned: "pods/a in default: careful"},
		},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		got := effects{}
		got.addVisit(tc.visit)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestMissingEffects: the error names the missing effects.
func TestMissingEffects(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := showEffects(effects{mutation: "m", denial: "d", warned: "w"}, &out)
	var denied *message.DeniedError
	if want := "demo: these effects did not occur: reinvocation, fail-open"; !errors.As(err, &denied) || err.Error() != want {
		t.Errorf("got %T %q, want a denial and %q", err, err, want)
	}
	if want := "mutation      m\ndenial        d\nwarning       w\n\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("got %q, want it to begin with %q", &out, want)
	}
}
