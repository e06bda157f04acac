package requestfile_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/testtable"
)

func podScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return scheme
}

// TestWrap is about mistakes that are found later.
func TestWrap(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		input, want string
	}
	testtable.Run(t, []test{
		{row{"request", "the field of a file is that of the request"}, head + pod + "resource: pots\n",
			"a.yaml: document 1 (line 4): resource: there are no pots"},
		{row{"review", "the field of a review is one deeper"}, review("", `"resource":{"group":"","version":"v1","resource":"pots"}`),
			"a.yaml: document 1 (line 5): request.resource: there are no pots"},
	}, func(t *testing.T, tc test) {
		r, err := requestfile.Read(only(t, tc.input))
		if err != nil {
			t.Fatal(err)
		}
		cause := errors.New("there are no pots")
		wrapped := r.Wrap("resource", cause)
		if testtable.Text(wrapped) != tc.want || !errors.Is(wrapped, cause) {
			t.Errorf("\n got %v\nwant %s, around the cause", wrapped, tc.want)
		}
		if err := r.Wrap("resource", nil); err != nil {
			t.Errorf("wrapping no error gave %v", err)
		}
	})
}

// TestDeepCopyObject changes a copy everywhere.
func TestDeepCopyObject(t *testing.T) {
	t.Parallel()
	fresh := func() *requestfile.AdmissionRequest {
		return &requestfile.AdmissionRequest{
			Name: "a", Object: []byte("{}"), OldObject: []byte("{}"),
			Patch:    &requestfile.Patch{Type: requestfile.Merge, Content: []byte("{}")},
			UserInfo: &authenticationv1.UserInfo{Groups: []string{"a"}},
			Options: requestfile.Options{
				GracePeriodSeconds: new(int64), PropagationPolicy: new(metav1.DeletePropagationOrphan),
				Preconditions: metav1.NewUIDPreconditions("a"),
			},
		}
	}
	from := fresh()
	copied, ok := from.DeepCopyObject().(*requestfile.AdmissionRequest)
	if !ok {
		t.Fatal("the copy is something else")
	}
	if diff := cmp.Diff(from, copied); diff != "" {
		t.Errorf("the copy is not equal (-from +copy):\n%s", diff)
	}
	copied.Object[0], copied.OldObject[0], copied.Patch.Content[0] = '[', '[', '['
	copied.Patch.Type, copied.UserInfo.Groups[0] = requestfile.JSON, "b"
	*copied.Options.GracePeriodSeconds, *copied.Options.PropagationPolicy, *copied.Options.Preconditions.UID = 1, "", "b"
	if diff := cmp.Diff(fresh(), from); diff != "" {
		t.Errorf("the original changed with its copy (-want +got):\n%s", diff)
	}
	empty := (&requestfile.AdmissionRequest{}).DeepCopyObject()
	if diff := cmp.Diff(runtime.Object(&requestfile.AdmissionRequest{}), empty); diff != "" {
		t.Errorf("the copy of nothing is something:\n%s", diff)
	}
}
