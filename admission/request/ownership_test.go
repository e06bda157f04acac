package request_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/request"
)

// TestNothingIsShared changes the whole of a request and looks at what it was
// made of.
func TestNothingIsShared(t *testing.T) {
	t.Parallel()
	grace := int64(1)
	who := request.By{GracePeriodSeconds: &grace, User: authenticationv1.UserInfo{Username: "ann", Groups: []string{"staff"}}}
	old := podIn("", "web")
	old.Labels = map[string]string{"is": "old"}
	r, err := request.Delete(at(pods, "", "shop", ""), old, who)
	if err != nil {
		t.Fatal(err)
	}
	r.User.Groups[0] = "none"
	r.OldObject.(*corev1.Pod).Labels["is"] = "changed"
	*r.Options.(*metav1.DeleteOptions).GracePeriodSeconds = 2

	want := podIn("", "web")
	want.Labels = map[string]string{"is": "old"}
	if diff := cmp.Diff(want, old); diff != "" {
		t.Errorf("the object that was passed in (-before +after):\n%s", diff)
	}
	if grace != 1 || who.User.Groups[0] != "staff" {
		t.Errorf("the options became a grace period of %d and groups %v", grace, who.User.Groups)
	}
}
