package requests_test

import (
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestFileRejections(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	w := newWorld(t)
	const deleting = head + "operation: DELETE\n"
	testtable.Run(t, []test{
		{row{"no such subresource", "the field is named"}, head + "subResource: status\nobject: " + changed + "oldObject: " + config,
			"(line 3): subResource: configmaps have no subresource status"},
		{row{"unknown subresource", "in the words of package request"}, head + "subResource: logs\nobject: " + config,
			`(line 3): making a request to CREATE configmaps/logs: subResource: configmaps have no subresource "logs"`},
		{row{"nameless to delete", "the field is called as in the file"}, deleting + "oldObject:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ''\n",
			"(line 8): making a request to DELETE configmaps: oldObject.metadata.name: required"},
		{row{"option of others", "the line is that of the option"}, deleting + "oldObject: " + config + "options:\n  fieldManager: me\n",
			"(line 6): making a request to DELETE configmaps: options.fieldManager: must be absent for DELETE"},
		{row{"option of others in a collection", "the line is that of the option"}, deleting + "collection: true\noldObject: " + config + "options:\n  fieldManager: me\n",
			"(line 7): making a request to DELETE configmaps: options.fieldManager: must be absent for DELETE"},
		{row{"namespaces as a collection", "a server does not offer it"}, deleting + "collection: true\noldObject: {apiVersion: v1, kind: Namespace, metadata: {name: own}}\n",
			"(line 4): making a request to DELETE namespaces: collection: namespaces are deleted one by one"},
		{row{"option of no sort", "the line is that of the option"}, head + "object: " + config + "options:\n  fieldValidation: Maybe\n",
			`(line 5): making a request to CREATE configmaps: options.fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"`},
		{row{"no user name", "the error names the field of the file"}, head + "object: " + config + "userInfo: {groups: [a]}\n",
			"(line 4): making a request to CREATE configmaps: userInfo.username: required: every request has a user name"},
		{row{"another name", "the field is called as in the file"}, head + "name: b\nobject: " + config,
			`(line 4): making a request to CREATE configmaps: object.metadata.name: "a", but the request is for "b"`},
		{row{"generated name", "no Go name is in the text"}, head + "name: b\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-}}\n",
			`(line 4): making a request to CREATE configmaps: object.metadata.name: empty, but the request is for "b"`},
		{row{"another name to apply", "it stands in the patch"}, head + "name: b\noptions: {fieldManager: me}\n" +
			"patch:\n  type: apply\n  content:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: a\n",
			`(line 11): making a request to CREATE configmaps: patch.content.metadata.name: "a", but the request is for "b"`},
		{row{"patch of an eviction", "it is a creation"}, head + "oldObject: " + eviction + "patch: {type: merge, content: {}}\n",
			"(line 4): making a request to UPDATE pods/eviction: patch: requests to pods/eviction are CREATE, but a patch is an UPDATE"},
		{row{"apply of an eviction", "it is a creation"}, head + "options: {fieldManager: me}\npatch: {type: apply, content: " + eviction + "}\n",
			"(line 4): making a request to CREATE pods/eviction: patch: requests to pods/eviction are CREATE, but an apply is a CREATE or an UPDATE"},
		{row{"update of an eviction", "it is a creation"}, head + "object: " + eviction + "oldObject: " + eviction,
			"(line 1): making a request to UPDATE pods/eviction: operation: requests to pods/eviction are CREATE, not UPDATE"},
		{row{"apply to a scale", "nothing tells who owns the replicas"}, head + "resource: deployments.apps\nsubResource: scale\n" +
			"options: {fieldManager: me}\noldObject: " + deployed + "patch: {type: apply, content: " + scale + "}\n",
			"(line 7): making a request to UPDATE deployments.apps/scale: patch: not supported for scales: only the object itself records who owns the replicas: apply to the object, or patch the scale"},
		{row{"apply to no status", "only whole objects are created"}, head + "subResource: status\n" +
			"options: {fieldManager: me}\npatch: {type: apply, content: " + grown + "}\n",
			"(line 1): making a request to CREATE deployments.apps/status: oldObject: required: an apply to a subresource cannot create an object"},
		{row{"apply in another version", "a server takes that of the path only"}, head + "resource: deployments.v1.apps\n" +
			"options: {fieldManager: me}\npatch: {type: apply, content: {apiVersion: apps/v1beta1, kind: Deployment, metadata: {name: web}}}\n",
			"(line 5): patch.content: kind: apps/v1beta1 Deployment, but deployments.apps takes apps/v1 Deployment"},
		{row{"unknown field", "request files are strict"}, head + "object: {apiVersion: v1, kind: Pod, spec: {later: 1}}\n",
			`(line 3): object: unknown field "spec.later"`},
		{row{"removed version", "the error names the version that is served"}, head + "object: {apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: web}}\n",
			"(line 1): kind: extensions/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"resource of a removed version", "the same"}, head + "resource: deployments.extensions\nobject: " + deployed,
			"(line 3): extensions/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"stored in a removed version", "a server of this release cannot have stored it"}, head + "object: " + deployed +
			"oldObject: {apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: web}}\n",
			"(line 4): making a request to UPDATE deployments.apps: oldObject: is extensions/v1beta1 Deployment, but deployments.apps take apps/v1 Deployment"},
		{row{"rollback", "no version of Deployment that is served has it"}, head + "object: {apiVersion: apps/v1beta1, kind: DeploymentRollback, name: web, rollbackTo: {}}\n",
			"(line 1): kind: apps/v1beta1 DeploymentRollback is not a kind that kube-apiserver v1.37 serves as a resource"},
	}, func(t *testing.T, tc test) {
		got, err := w.make(t, ann(), tc.text, "")
		if want := "in.yaml: document 1 " + tc.want; testtable.Text(err) != want {
			t.Errorf("\n got %s%v\nwant %s", got, err, want)
		}
	})
}
