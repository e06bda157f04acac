package dispatcher_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestSimulateSystem looks at what an API server fills in between the phases
// (S-215, S-360).
func TestSimulateSystem(t *testing.T) {
	t.Parallel()
	sent := pod()
	sent.Name, sent.GenerateName, sent.UID = "", "web-", "mine"
	sent.SetSelfLink("/mine")
	sent.CreationTimestamp, sent.DeletionTimestamp = metav1.Unix(1, 0), new(metav1.Unix(2, 0))
	type seen struct{ Request, Name, UID, Created string }
	var saw []seen
	note := func(r *http.Request) (*http.Response, error) {
		review, p, err := podIn(r)
		if err != nil {
			return nil, err
		}
		created := ""
		if !p.CreationTimestamp.IsZero() {
			created = "now"
		}
		saw = append(saw, seen{review.Request.Name, p.Name, string(p.UID), created})
		return (&step{}).answer(string(review.Request.UID)), nil
	}
	request := creation(sent)
	request.Name, request.SystemFields = "", true
	got := bothPhases(note, note).simulate(t, request).Object.(*corev1.Pod)

	want := []seen{{}, {got.Name, got.Name, string(got.UID), "now"}}
	if diff := cmp.Diff(want, saw); diff != "" {
		t.Errorf("mutating and validating saw (-want +got):\n%s", diff)
	}
	if !regexp.MustCompile(`^web-[a-z0-9]{5}$`).MatchString(got.Name) || got.UID == "" || got.UID == "mine" ||
		got.GetSelfLink() != "" || got.DeletionTimestamp != nil || got.CreationTimestamp.Year() < 2000 {
		t.Errorf("the object ended up as %+v", got.ObjectMeta)
	}
}

// TestSimulateLongNames generates a name from a base that leaves no room for
// it.
func TestSimulateLongNames(t *testing.T) {
	t.Parallel()
	const longest, suffix = 63, 5
	sent := pod()
	sent.Name, sent.GenerateName = "", strings.Repeat("x", longest)
	request := creation(sent)
	request.Name = ""
	name := bothPhases(allow(), allow()).simulate(t, request).Object.(*corev1.Pod).Name
	if len(name) != longest || !strings.HasPrefix(name, strings.Repeat("x", longest-suffix)) {
		t.Errorf("the name is %q, %d characters long", name, len(name))
	}
}

// TestSimulateSetsNothing: Simulate clears the system fields that a client may
// not set, and sets none by default, so that results are reproducible.
func TestSimulateSetsNothing(t *testing.T) {
	t.Parallel()
	want, sent := pod(), pod()
	sent.UID, sent.CreationTimestamp = "mine", metav1.Now()
	if got := bothPhases(allow(), allow()).simulate(t, creation(sent)).Object; !cmp.Equal(got, runtime.Object(want)) {
		t.Errorf("%v became %v", sent, got)
	}
}
