package request_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/testutil/testtable"
)

func builtIn() apiadmission.ObjectInterfaces {
	return apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
}

// TestFromReview makes the requests of the AdmissionReviews that webhooks
// receive for the requests of TestReviews.
func TestFromReview(t *testing.T) {
	t.Parallel()
	rows := slices.Concat(writeRows(), subresourceRows(), deleteRows(), connectRows(), detailRows())
	testtable.Run(t, rows, func(t *testing.T, tc reviewRow) {
		want, err := tc.ask()
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range []string{"v1", "v1beta1"} {
			body := strings.Replace(string(received(t, want)), "admission.k8s.io/v1", "admission.k8s.io/"+version, 1)
			got, err := request.FromReview([]byte(body), builtIn())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", version, diff)
			}
		}
	})
}

// wellFormed is a review whose fields TestFromReviewErrors changes.
const wellFormed = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{
"kind":{"group":"","version":"v1","kind":"Pod"},
"resource":{"group":"","version":"v1","resource":"pods"},
"operation":"UPDATE","name":"web","namespace":"shop","shard":7,
"userInfo":{"username":"ann"},
"object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"later":1},
"oldObject":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"}},
"dryRun":false,
"options":{"apiVersion":"meta.k8s.io/v1","kind":"UpdateOptions"}},
"response":{"allowed":true}}`

type reviewError struct {
	row
	old, new, want string
}

func TestFromReviewErrors(t *testing.T) {
	t.Parallel()
	if _, err := request.FromReview([]byte(wellFormed), builtIn()); err != nil {
		t.Fatal(err)
	}
	testtable.Run(t, []reviewError{
		{row{"version", "there are two"}, "k8s.io/v1\"", "k8s.io/v2\"", `kind: AdmissionReview of "admission.k8s.io/v2" is no AdmissionReview of v1 or v1beta1`},
		{row{"kind", "the group has no other"}, `"kind":"AdmissionReview"`, `"kind":"Pod"`, `kind: Pod of "admission.k8s.io/v1" is no AdmissionReview of v1 or v1beta1`},
		{row{"no request", "a response asks for nothing"}, `"request":`, `"question":`, "request: required: an AdmissionReview is read for its request"},
		{row{"no kind", "a server always sends it"}, `"version":"v1","kind":"Pod"}`, `"version":"v1"}`, "request.kind: required, with group, version and kind"},
		{row{"no resource", "a server always sends it"}, `"resource":"pods"`, `"resource":""`, "request.resource: required, with group, version and resource"},
		{row{"no user", "S-214: a server has a name for every user"}, `"ann"`, `""`, "request.userInfo.username: required: every request has a user name"},
		{row{"operation", "there are four"}, `"UPDATE"`, `"PATCH"`, `request.operation: "PATCH" is not CREATE, UPDATE, DELETE or CONNECT`},
		{row{"no object", "S-217: an update has both"}, `"object":{`, `"subject":{`, "request.object: required for UPDATE"},
		{row{"no old object", "S-217: an update has both"}, `"oldObject":{`, `"was":{`, "request.oldObject: required for UPDATE"},
		{row{"old object", "S-217: a creation has none"}, `"UPDATE"`, `"CREATE"`, "request.oldObject: must be absent for CREATE"},
		{row{"another kind", "it was pasted from elsewhere"}, `"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"later"`, `"apiVersion":"apps/v1","kind":"Deployment","later"`,
			"request.object: is apps/v1 Deployment, but request.kind is v1 Pod"},
		{row{"object without kind", "a server always fills it in (S-219)"}, `"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"later"`, `"later"`,
			"request.object: is without apiVersion or kind, but request.kind is v1 Pod"},
		{row{"another name", "no server sends two"}, `"name":"web","namespace":"shop"},"later"`, `"name":"db","namespace":"shop"},"later"`,
			`request.object.metadata.name: "db", but the request is for "web"`},
		{row{"another namespace", "no server sends two"}, `"name":"web","namespace":"shop"},"later"`, `"name":"web","namespace":"yard"},"later"`,
			`request.object.metadata.namespace: "yard", but the request is for "shop"`},
		{row{"wrong type", "tolerance ends at types"}, `"later"`, `"spec"`,
			"request.object: json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec"},
		{row{"dry run", "S-202: it follows from the options"}, `"dryRun":false`, `"dryRun":true`, "request.options.dryRun: [], but request.dryRun is true"},
		{row{"dry run of another type", "no server sends such a thing"}, `"UpdateOptions"`, `"UpdateOptions","dryRun":true`, "request.options: json: cannot unmarshal bool into Go struct field .dryRun of type []string"},
		{row{"options", "S-216: each operation has its own"}, `"UpdateOptions"`, `"CreateOptions"`,
			"request.options: is meta.k8s.io/v1 CreateOptions, but UPDATE has meta.k8s.io/v1 UpdateOptions"},
	}, func(t *testing.T, tc reviewError) {
		text := strings.Replace(wellFormed, tc.old, tc.new, 1)
		if text == wellFormed {
			t.Fatalf("%q is not in the review", tc.old)
		}
		_, err := request.FromReview([]byte(text), builtIn())
		var fault *request.ArgumentError
		if !errors.As(err, &fault) || fault.Error() != tc.want {
			t.Errorf("\n got %v\nwant %s", err, tc.want)
		}
	})
	connect := strings.NewReplacer(`"UPDATE"`, `"CONNECT"`, `"dryRun":false`, `"dryRun":true`).Replace(wellFormed)
	if _, err := request.FromReview([]byte(connect), builtIn()); !strings.Contains(testtable.Text(err), "request.dryRun: is not supported for CONNECT") {
		t.Errorf("dry run of CONNECT (S-364): %v", err)
	}
	if _, err := request.FromReview([]byte("{"), builtIn()); testtable.Text(err) != "reading an AdmissionReview: unexpected end of JSON input" {
		t.Errorf("half a review: %v", err)
	}
}

// TestFromReviewOfCustomResource reads a kind that the scheme does not have.
func TestFromReviewOfCustomResource(t *testing.T) {
	t.Parallel()
	custom := strings.NewReplacer(`"group":"","version":"v1","kind":"Pod"`, `"group":"toys.example.com","version":"v1","kind":"Toy"`,
		`"apiVersion":"v1","kind":"Pod"`, `"apiVersion":"toys.example.com/v1","kind":"Toy"`).Replace(wellFormed)
	r, err := request.FromReview([]byte(custom), builtIn())
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := r.Object.(*unstructured.Unstructured); !ok || u.Object["later"] != int64(1) {
		t.Errorf("the object is %#v", r.Object)
	}
	if _, ok := r.Options.(*metav1.UpdateOptions); !ok {
		t.Errorf("the options are %T", r.Options)
	}
}
