package requests_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// fileRow is a request file, or several.
type fileRow struct {
	row
	text string
}

const head = "apiVersion: gatehouse/v1alpha1\nkind: AdmissionRequest\n"

// fileSettings say a few things that files must not be told, and some that they
// are.
func fileSettings() settings {
	return with(func(s *settings) {
		s.Operation, s.Subresource, s.Name, s.By.FieldManager = "DELETE", "status", "other", "manager"
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settling()...)
	testtable.Run(t, fileRows(), func(t *testing.T, tc fileRow) {
		got, err := w.make(t, fileSettings(), tc.text, "")
		if err != nil {
			t.Fatal(err)
		}
		matchFile(t, got, "files", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

func fileRows() []fileRow {
	return []fileRow{
		{row{"create", "only the user and the namespace are those of the command line"}, head + "object: " + config},
		{row{"create elsewhere", "what the file says counts more"}, head + `
namespace: yard
userInfo: {username: bob, groups: [staff]}
dryRun: true
options: {fieldManager: me, fieldValidation: Strict}
object: ` + config},
		{row{"update", "both objects"}, head + "object: " + changed + "oldObject: " + config},
		{row{"update of another version", "a server converts what it has stored"}, head +
			"object: {apiVersion: example.com/v2, kind: Gizmo, metadata: {name: g, namespace: yard}}\n" +
			"oldObject: {apiVersion: example.com/v1, kind: Gizmo, metadata: {name: g, namespace: yard}}\n"},
		{row{"strategic patch", "of what is stored, with its defaults"}, head + "oldObject: " + deployed +
			"patch: {type: strategic, content: {spec: {replicas: 7}}}"},
		{row{"json patch", "a list of operations"}, head + "oldObject: " + config +
			"patch: {type: json, content: [{op: replace, path: /data/count, value: '9'}]}"},
		{row{"merge patch", "null removes"}, head + "oldObject: " + config +
			"patch: {type: merge, content: {data: {count: null, other: '1'}}}"},
		{row{"apply", "S-362: to nothing, it creates"}, head + "options: {fieldManager: me}\n" +
			"patch: {type: apply, content: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {count: '1'}}}"},
		{row{"secret", "text becomes data, as through an API server's internal type"}, head + "object: {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {a: b}}\n" +
			"oldObject: {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {a: YQ==}}"},
		{row{"patch of a secret", "also if a patch writes it"}, head + "oldObject: {apiVersion: v1, kind: Secret, metadata: {name: s}, data: {a: YQ==}}\n" +
			"patch: {type: merge, content: {stringData: {a: b}}}"},
		{row{"delete", "with the options of a deletion"}, head + "operation: DELETE\noldObject: " + config +
			"options: {gracePeriodSeconds: 5, propagationPolicy: Orphan, preconditions: {uid: '1'}}"},
		{row{"member of a collection", "S-217: webhooks see no name"}, head + "operation: DELETE\ncollection: true\noldObject: " + config},
		{row{"exec", "S-364: the options of the connection are the object"}, head + "operation: CONNECT\nname: web\nobject: " + exec},
		{row{"scale", "the resource has to be named"}, head + "resource: deployments.apps\nsubResource: scale\nobject: " + scale + "oldObject: " + deployed},
		{row{"status", "a subresource that takes the whole object"}, head + "subResource: status\nobject: " + grown + "oldObject: " + deployed},
		{row{"eviction", "the kind says where it goes"}, head + "object: " + eviction},
		{row{"token", "the path names the account"}, head + "name: robot\nobject: {apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {audiences: [a]}}"},
		{row{"apply elsewhere", "what is applied says where, as every object does"}, head + "options: {fieldManager: me}\n" +
			"patch: {type: apply, content: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: yard}}}"},
		{row{"autoscaler in its other version", "a server stores both as one"}, head + "object: " + newerScaler + "oldObject: " + olderScaler},
		{row{"namespace", "S-365: it is in itself"}, head + "object: {apiVersion: v1, kind: Namespace, metadata: {name: own}}"},
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settling()...)
	testtable.Run(t, reviewRows(), func(t *testing.T, tc fileRow) {
		got, err := w.make(t, fileSettings(), tc.text, "")
		if err != nil {
			t.Fatal(err)
		}
		matchFile(t, got, "reviews", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

func reviewRows() []fileRow {
	const user = "userInfo: {username: bob, uid: '1', groups: [staff], extra: {k: [v]}}"
	review := func(version, request string) string {
		return "apiVersion: admission.k8s.io/" + version + "\nkind: AdmissionReview\nrequest: {uid: '1', " + user + ", " + request + "}\n"
	}
	const pod = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: yard}, spec: {containers: [{name: a}]}}"
	const pods = "kind: {group: '', version: v1, kind: Pod}, resource: {group: '', version: v1, resource: pods}"
	const gizmo = "kind: {group: example.com, version: v2, kind: Gizmo}, resource: {group: example.com, version: v2, resource: gizmos}, " +
		"requestKind: {group: example.com, version: v1, kind: Gizmo}, requestResource: {group: example.com, version: v1, resource: gizmos}"
	return []fileRow{
		{row{"create", "nothing is added: neither defaults nor a namespace"}, review("v1", pods+", name: web, namespace: yard, operation: CREATE, object: "+pod+
			", options: {apiVersion: meta.k8s.io/v1, kind: CreateOptions, fieldManager: me}")},
		{row{"beta", "S-218: the same fields"}, review("v1beta1", pods+", namespace: yard, operation: CREATE, dryRun: true, object: "+pod)},
		{row{"member of a collection", "S-217: it has no name"}, review("v1", pods+", namespace: yard, operation: DELETE, oldObject: "+pod+
			", options: {apiVersion: meta.k8s.io/v1, kind: DeleteOptions, gracePeriodSeconds: 3}")},
		{row{"exec", "S-364: no options"}, review("v1", "kind: {group: '', version: v1, kind: PodExecOptions}, resource: {group: '', version: v1, resource: pods}, "+
			"subResource: exec, name: web, namespace: yard, operation: CONNECT, object: {apiVersion: v1, kind: PodExecOptions, command: [sh]}, options: null")},
		{row{"another version", "S-213: the webhook saw v2, the client sent v1"}, review("v1", gizmo+
			", name: g, namespace: yard, operation: UPDATE, object: {apiVersion: example.com/v2, kind: Gizmo, metadata: {name: g}}"+
			", oldObject: {apiVersion: example.com/v2, kind: Gizmo, metadata: {name: g}, spec: {size: 1}}")},
		{row{"newer server", "what only it knows is left out of what webhooks see"}, review("v1", pods+
			", name: web, namespace: yard, operation: CREATE, object: {apiVersion: v1, kind: Pod, metadata: {name: web, shard: 7}, spec: {later: {a: b}, containers: [{name: a, soon: 1}]}}")},
		{row{"newer server for a custom resource", "the metadata are those of all objects"}, review("v1", gizmo+
			", name: g, namespace: yard, operation: CREATE, object: {apiVersion: example.com/v2, kind: Gizmo, metadata: {name: g, shard: 7}}")},
		{row{"old eviction", "an old server took the body in its first version"}, review("v1beta1", "kind: {group: policy, version: v1beta1, kind: Eviction}, "+
			"resource: {group: '', version: v1, resource: pods}, subResource: eviction, name: web, namespace: yard, operation: CREATE, "+
			"object: {apiVersion: policy/v1beta1, kind: Eviction, metadata: {name: web, namespace: yard}}")},
		{row{"namespace", "S-365: it is in itself"}, review("v1", "kind: {group: '', version: v1, kind: Namespace}, resource: {group: '', version: v1, resource: namespaces}, "+
			"name: own, namespace: own, operation: CREATE, object: {apiVersion: v1, kind: Namespace, metadata: {name: own}}")},
	}
}
