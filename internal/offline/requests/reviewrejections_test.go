package requests_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// reviewRejectionRow is what a review of a pod's creation says instead.
type reviewRejectionRow struct {
	row
	old, new, want string
}

// reviewed is the AdmissionReview that is changed, a field on each line from
// line 4 on.
const reviewed = `apiVersion: admission.k8s.io/v1
kind: AdmissionReview
request:
  kind: {group: "", version: v1, kind: Pod}
  resource: {group: "", version: v1, resource: pods}
  name: web
  namespace: yard
  operation: CREATE
  userInfo: {username: bob}
  object: {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: yard}}
`

const (
	asPod  = `kind: {group: "", version: v1, kind: Pod}`
	toPods = `resource: {group: "", version: v1, resource: pods}`
)

func TestReviewRejections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.make(t, ann(), reviewed, ""); err != nil {
		t.Fatal(err)
	}
	testtable.Run(t, reviewRejectionRows(), func(t *testing.T, tc reviewRejectionRow) {
		text := strings.Replace(reviewed, tc.old, tc.new, 1)
		if text == reviewed {
			t.Fatalf("%q is not in the review", tc.old)
		}
		got, err := w.make(t, ann(), text, "")
		if want := "in.yaml: document 1 " + tc.want; testtable.Text(err) != want {
			t.Errorf("\n got %s%v\nwant %s", got, err, want)
		}
	})
}

func reviewRejectionRows() []reviewRejectionRow {
	const noResource = ": write the plural with the group, as in deployments.apps; for a custom resource, add its CustomResourceDefinition to the inputs"
	return []reviewRejectionRow{
		{row{"no namespace", "pods are always in one"}, "namespace: yard\n  op", "op", "(line 3): request.namespace: required: pods are namespaced"},
		{row{"another name", "no server says two"}, "metadata: {name: web,", "metadata: {name: other,",
			`(line 10): request.object.metadata.name: "other", but the request is for "web"`},
		{row{"another namespace", "no server says two"}, "name: web, namespace: yard}", "name: web, namespace: shop}",
			`(line 10): request.object.metadata.namespace: "shop", but the request is for "yard"`},
		{row{"kind of others", "the object was pasted from elsewhere"}, toPods, `resource: {group: "", version: v1, resource: configmaps}`,
			"(line 4): request.kind: is v1 Pod, but configmaps take v1 ConfigMap"},
		{row{"original kind of others", "the field at fault is named"}, "name: web\n",
			"requestKind: {group: apps, version: v1, kind: Deployment}\n  name: web\n", "(line 6): request.requestKind: is apps/v1 Deployment, but pods take v1 Pod"},
		{row{"unknown resource", "the name is that of the kind"}, "resource: pods", "resource: pod", `(line 5): request.resource: unknown resource "pod.v1"` + noResource},
		{row{"unknown original resource", "the field at fault is named"}, "name: web\n",
			"requestResource: {group: apps, version: v1, resource: pods}\n  name: web\n", `(line 6): request.requestResource: unknown resource "pods.v1.apps"` + noResource},
		{row{"unknown subresource", "no webhook hears of it"}, "name: web\n", "subResource: log\n  name: web\n",
			`(line 6): request.subResource: pods have no subresource "log"`},
		{row{"unknown original subresource", "the field at fault is named"}, "name: web\n", "requestSubResource: log\n  name: web\n",
			`(line 6): request.requestSubResource: pods have no subresource "log"`},
		{row{"no such subresource", "others have one"}, "name: web\n", "subResource: scale\n  name: web\n",
			"(line 6): request.subResource: pods have no subresource scale"},
		{row{"creating a status", "it is an update"}, "name: web\n", "subResource: status\n  name: web\n",
			"(line 9): request.operation: requests to pods/status are UPDATE, not CREATE"},
		{row{"evicting by a pod", "the body is an Eviction"}, "name: web\n", "subResource: eviction\n  name: web\n",
			"(line 4): request.kind: is v1 Pod, but pods/eviction take policy/v1 Eviction"},
		{row{"connecting to pods", "it is always a subresource"}, "operation: CREATE", "operation: CONNECT",
			"(line 3): request.subResource: required: a CONNECT to pods needs a subresource"},
		{row{"dry run of connect", "S-364: it is found before webhooks are called"}, "operation: CREATE", "operation: CONNECT\n  subResource: exec\n  dryRun: true",
			"(line 10): request.dryRun: is not supported for CONNECT"},
		{row{"object of another kind", "it was pasted from elsewhere"}, "apiVersion: v1, kind: Pod, m", "apiVersion: apps/v1, kind: Deployment, m",
			"(line 10): request.object: is apps/v1 Deployment, but request.kind is v1 Pod"},
		{row{"options of another operation", "S-216: a PATCH is told as an UPDATE"}, "name: web\n",
			"options: {apiVersion: meta.k8s.io/v1, kind: PatchOptions}\n  name: web\n",
			"(line 6): request.options: is meta.k8s.io/v1 PatchOptions, but CREATE has meta.k8s.io/v1 CreateOptions"},
		{row{"dry run in the options", "S-202: they are one and the same"}, "name: web\n",
			"options: {apiVersion: meta.k8s.io/v1, kind: CreateOptions, dryRun: [All]}\n  name: web\n",
			`(line 6): request.options.dryRun: ["All"], but request.dryRun is false`},
	}
}

// TestNamespacesOfReviews is about what is in no namespace, or in itself.
func TestNamespacesOfReviews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	review := func(kind, resource string) string {
		return strings.NewReplacer("kind: Pod", "kind: "+kind, "resource: pods", "resource: "+resource, ", namespace: yard", "").Replace(reviewed)
	}
	for kind, want := range map[string]string{
		"Node nodes":           `"yard", but nodes are cluster-scoped`,
		"Namespace namespaces": `"yard", but a request for a namespace has the name of that namespace, which is "web"`,
	} {
		kind, resource, _ := strings.Cut(kind, " ")
		_, err := w.make(t, ann(), review(kind, resource), "")
		if want := "in.yaml: document 1 (line 7): request.namespace: " + want; testtable.Text(err) != want {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
	}
}
