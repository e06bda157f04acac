package request_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/testutil/testtable"
)

func podIn(namespace, name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
}

// TestDeleteCollection looks at the requests of a whole collection.
func TestDeleteCollection(t *testing.T) {
	t.Parallel()
	got, err := request.DeleteCollection(pods, []object{podIn("shop", "a"), podIn("", "b")}, ann)
	if err != nil {
		t.Fatal(err)
	}
	type seen struct{ Name, Namespace, Old, OldNamespace string }
	var saw []seen
	for _, r := range got {
		old := r.OldObject.(*corev1.Pod)
		saw = append(saw, seen{r.Name, r.Namespace, old.Name, old.Namespace})
	}
	if diff := cmp.Diff([]seen{{"", "shop", "a", "shop"}, {"", "shop", "b", "shop"}}, saw); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

type collectionRow struct {
	row
	at      request.Endpoint
	members []object
	want    string
}

func TestCollectionRefusals(t *testing.T) {
	t.Parallel()
	const collection = "making a request to DELETE a collection of "
	testtable.Run(t, []collectionRow{{
		row{"name", "S-217: a collection has none"}, at(pods, "", "shop", "web"), nil,
		collection + "pods: Endpoint.Name: must be empty: a collection has none",
	}, {
		row{"subresource", "there is no such path"}, at(pods, "status", "shop", ""), nil,
		collection + "pods/status: Endpoint.Subresource: must be empty: subresources have no collections",
	}, {
		row{"namespaces", "a server does not offer it"}, namespaces, []object{namespace("old")},
		collection + "namespaces: Endpoint.Resource: namespaces are deleted one by one",
	}, {
		row{"two namespaces", "a server deletes collections of one namespace only"}, pods,
		[]object{podIn("shop", "a"), podIn("home", "b")},
		`members[1]: making a request to DELETE pods: old.metadata.namespace: "home", but the request is for "shop"`,
	}, {
		row{"missing member", "it is known which"}, pods, []object{podIn("shop", "a"), nil},
		"members[1]: making a request to DELETE pods: old: required",
	}}, func(t *testing.T, tc collectionRow) {
		r, err := request.DeleteCollection(tc.at, tc.members, ann)
		if err == nil || r != nil || err.Error() != tc.want {
			t.Errorf("got  %v, %v\nwant %s", r, err, tc.want)
		}
	})
}

func TestEmptyCollection(t *testing.T) {
	t.Parallel()
	if r, err := request.DeleteCollection(pods, nil, ann); err != nil || len(r) != 0 {
		t.Errorf("got %v, %v", r, err)
	}
}
