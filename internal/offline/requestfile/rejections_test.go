package requestfile_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/offline/requestfile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// rejection is a document that cannot be read, and its error without the file.
type rejection struct {
	row
	input, want string
	// caught says that the schema finds it, too.
	caught bool
}

func TestRejections(t *testing.T) {
	t.Parallel()
	var all []rejection
	for _, some := range [][]rejection{documentRejections(), operationRejections(), objectRejections(), patchRejections()} {
		all = append(all, some...)
	}
	testtable.Run(t, all, checkRejection)
}

func checkRejection(t *testing.T, tc rejection) {
	r, err := requestfile.Read(only(t, tc.input))
	want := "a.yaml: document 1 " + strings.ReplaceAll(tc.want, "\n", "\na.yaml: document 1 ")
	if got := testtable.Text(err); got != want || r != nil {
		t.Errorf("\n got %s, %v\nwant %s", got, r, want)
	}
}

func documentRejections() []rejection {
	return []rejection{
		{row{"version", "the format will change before it is v1"}, "apiVersion: gatehouse/v1beta1\nkind: AdmissionRequest\n" + pod,
			"(line 1): apiVersion: gatehouse/v1beta1 is unknown: want gatehouse/v1alpha1", true},
		{row{"kind", "gatehouse prints documents of the same group"}, "apiVersion: gatehouse/v1alpha1\nkind: RunResult\n",
			"(line 2): kind: RunResult of gatehouse/v1alpha1 is not a request: want AdmissionRequest", true},
		{row{"suite", "the error names the command that reads it"}, "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTest\n",
			"(line 2): kind: AdmissionTest is a suite, not a request: run it with `gatehouse test`", true},
		{row{"unknown field", "a misspelling must not go unnoticed"}, head + pod + "options:\n  fieldmanager: me\n",
			`(line 5): unknown field "options.fieldmanager"`, true},
		{row{"two unknown fields", "each has its line"}, head + pod + "verb: get\nsubresource: status\n",
			"(line 4): unknown field \"verb\"\n(line 5): unknown field \"subresource\"", true},
		{row{"unknown field of the user", "the parts of fields are fields"}, head + pod + "userInfo: {user: ann}\n",
			`(line 4): unknown field "userInfo.user"`, true},
		{row{"duplicate field", "the meant one is not known"}, head + pod + "name: a\nname: b\n",
			`(line 5): duplicate field "name"`, false},
		{row{"duplicate in an object", "decoders of objects may be more patient"}, head + "object:\n  apiVersion: v1\n  kind: Pod\n  a: 1\n  a: 2\n",
			`(line 7): duplicate field "object.a"`, false},
		{row{"duplicate in a patch", "the libraries would not find it"}, head + stored + "patch:\n  type: json\n  content:\n  - op: add\n    op: remove\n",
			`(line 8): duplicate field "patch.content[0].op"`, false},
		{row{"wrong type", "YAML makes a number of it"}, head + pod + "name: 7\n",
			"(line 4): name: must be a string, but is a number", true},
		{row{"in a list", "the item is named"}, "apiVersion: v1\nkind: List\nitems:\n- apiVersion: gatehouse/v1alpha1\n  kind: AdmissionRequest\n",
			"(line 4): items[0]: object: required for CREATE: the new object", true},
	}
}

func operationRejections() []rejection {
	said := func(operation string) string { return head + pod + "operation: " + operation + "\n" }
	return []rejection{
		{row{"lower case", "the API has them in capitals"}, said("delete"), `(line 4): operation: "delete" is not an operation: write DELETE`, true},
		{row{"patch", "a verb of HTTP is no operation"}, said("PATCH"), `(line 4): operation: "PATCH" is not an operation: write UPDATE, with a patch`, true},
		{row{"post", "another verb of HTTP"}, said("POST"), `(line 4): operation: "POST" is not an operation: write CREATE`, true},
		{row{"put", "another verb of HTTP"}, said("Put"), `(line 4): operation: "Put" is not an operation: write UPDATE`, true},
		{row{"apply", "a verb of kubectl"}, said("apply"), `(line 4): operation: "apply" is not an operation: write no operation, and a patch of the type apply`, true},
		{row{"evict", "a verb of people"}, said("evict"), `(line 4): operation: "evict" is not an operation: write CREATE, with an Eviction as the object`, true},
		{row{"deletecollection", "a verb of RBAC"}, said("deletecollection"),
			`(line 4): operation: "deletecollection" is not an operation: write DELETE, with collection: true`, true},
		{row{"exec", "a verb of kubectl"}, said("exec"), `(line 4): operation: "exec" is not an operation: write CONNECT`, true},
		{row{"star", "rules have it, requests do not"}, said("'*'"), `(line 4): operation: "*" is not an operation: want CREATE, UPDATE, DELETE or CONNECT`, true},
		{row{"get", "webhooks never hear of it"}, said("GET"), `(line 4): operation: "GET" is not an operation: want CREATE, UPDATE, DELETE or CONNECT`, true},
		{row{"old object alone", "nothing is deleted by accident"}, head + stored,
			"(line 1): operation: required: for an oldObject alone, write DELETE if you mean that", true},
		{row{"collection of creations", "only what is there makes one"}, head + pod + "collection: true\n",
			"(line 4): collection: only a DELETE can be for a collection, but this is a CREATE", true},
		{row{"collection with a name", "S-217: webhooks would not see it"}, head + stored + "operation: DELETE\ncollection: true\nname: web\n",
			"(line 6): name: must be absent: a request to delete a collection has no name", true},
		{row{"resource with a slash", "half of two names is none"}, head + pod + "resource: deployments.apps/\n",
			`(line 4): resource: "deployments.apps/": must be the name of a resource, such as deployments.apps, without a slash`, true},
		{row{"resource with subresource", "flags and RBAC have it in one text"}, head + pod + "resource: deployments.apps/scale\n",
			`(line 4): resource: "deployments.apps/scale" has a subresource: write resource: deployments.apps and subResource: scale`, true},
	}
}

func objectRejections() []rejection {
	const merge = "patch: {type: merge, content: {}}\n"
	return []rejection{
		{row{"nothing", "there is nothing to ask"}, head, "(line 1): object: required for CREATE: the new object", true},
		{row{"create over", "S-217: it has one object"}, head + pod + stored + "operation: CREATE\n",
			"(line 4): oldObject: must be absent for CREATE: use UPDATE to change a stored object", true},
		{row{"create by patch over", "the operation was said, and does not fit"}, head + stored + merge + "operation: CREATE\n",
			"(line 3): oldObject: must be absent for CREATE: use UPDATE to change a stored object", true},
		{row{"update of nothing", "S-217: it has two objects"}, head + pod + "operation: UPDATE\n",
			"(line 1): oldObject: required for UPDATE: the stored object", true},
		{row{"update to nothing", "S-217: it has two objects"}, head + stored + "operation: UPDATE\n",
			"(line 1): object: required for UPDATE: the new object, or a patch", true},
		{row{"apply to nothing", "it would be a CREATE"}, head + "operation: UPDATE\npatch: {type: apply, content: {apiVersion: v1, kind: Pod}}\n",
			"(line 1): oldObject: required for UPDATE: the stored object", true},
		{row{"delete with an object", "the commonest slip: it is the old one"}, head + pod + "operation: DELETE\n",
			"(line 3): object: must be absent for DELETE: the deleted object is the oldObject", true},
		{row{"delete with a patch", "a deletion changes nothing"}, head + stored + merge + "operation: DELETE\n", "(line 4): patch: must be absent for DELETE", true},
		{row{"delete nothing", "S-217: webhooks see what goes"}, head + "operation: DELETE\nname: web\n",
			"(line 1): oldObject: required for DELETE: the stored object", true},
		{row{"connect with an old object", "there is nothing that changes"}, head + pod + stored + "operation: CONNECT\n",
			"(line 4): oldObject: must be absent for CONNECT", true},
		{row{"connect with a patch", "there is nothing that changes"}, head + merge + "operation: CONNECT\n", "(line 3): patch: must be absent for CONNECT", true},
		{row{"connect in dry run", "S-364: a server rejects it"}, head + pod + "dryRun: true\noperation: CONNECT\n",
			"(line 4): dryRun: is not supported for CONNECT", true},
		{row{"connect without options", "S-364: they are the object"}, head + "operation: CONNECT\nname: web\n",
			"(line 1): object: required for CONNECT: the options of the connection, such as PodExecOptions", true},
		{row{"no kind", "nothing else says what it is"}, head + "object:\n  apiVersion: v1\n", "(line 3): object: kind is missing", true},
		{row{"no apiVersion", "nothing else says what it is"}, head + pod + "oldObject: {kind: Pod}\n", "(line 4): oldObject: apiVersion is missing", true},
		{row{"text", "a text is no object"}, head + "object: web\n",
			"(line 3): object: a manifest must be an object with apiVersion and kind", true},
	}
}

func patchRejections() []rejection {
	patch := func(patch string) string {
		return head + stored + "patch:\n  " + strings.ReplaceAll(patch, "; ", "\n  ") + "\n"
	}
	return []rejection{
		{row{"object and patch", "only one of them can be the new object"}, head + pod + stored + "patch: {type: merge, content: {}}\n",
			"(line 5): patch: cannot be combined with object: give the new object or a patch", true},
		{row{"patch of nothing", "only an apply creates"}, head + "patch: {type: merge, content: {}}\n",
			"(line 1): oldObject: required: a patch changes a stored object; only an apply can create one", true},
		{row{"no type", "a guess might be wrong"}, patch("content: {}"), "(line 4): patch.type: required: json, merge, strategic or apply", true},
		{row{"unknown type", "types are those of kubectl"}, patch("type: application/merge-patch+json; content: {}"),
			`(line 5): patch.type: "application/merge-patch+json" is unknown: want json, merge, strategic or apply`, true},
		{row{"capitals", "types are in lower case"}, patch("type: JSON; content: []"),
			`(line 5): patch.type: "JSON" is unknown: want json, merge, strategic or apply`, true},
		{row{"forced merge", "there are no conflicts to force"}, patch("type: merge; force: true; content: {}"),
			"(line 6): patch.force: only an apply can force conflicts, but the type is merge", true},
		{row{"no content", "there is nothing to do"}, patch("type: merge"), "(line 4): patch.content: required", true},
		{row{"null", "a merge patch of null would delete everything"}, patch("type: merge; content: null"), "(line 6): patch.content: required", true},
		{row{"object as JSON patch", "it is a merge patch"}, patch("type: json; content: {a: b}"),
			"(line 6): patch.content: must be a list of operations for the type json", true},
		{row{"list as merge patch", "it is a JSON patch"}, patch("type: strategic; content: []"),
			"(line 6): patch.content: must be an object for the type strategic", true},
		{row{"text as patch", "as kubectl takes it"}, patch(`type: merge; content: '{"a":1}'`),
			"(line 6): patch.content: must be an object for the type merge", true},
		{row{"list as apply", "what is applied is an object"}, patch("type: apply; content: []"),
			"(line 6): patch.content: must be an object with apiVersion and kind for the type apply", true},
		{row{"apply without kind", "a server wants it, too"}, patch("type: apply; content: {apiVersion: v1}"),
			"(line 6): patch.content: kind is missing", true},
		{row{"unknown field of a patch", "the media type is called type"}, patch("type: merge; data: {}"),
			`(line 6): unknown field "patch.data"`, true},
	}
}
