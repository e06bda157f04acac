package requestfile_test

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// review returns an AdmissionReview of v1, or another version, with the
// creation of a pod in it. The fields, of which each is a line from line 4 on,
// are changed by name or appended.
func review(version string, fields ...string) string {
	if version == "" {
		version = "v1"
	}
	lines := []string{
		`"kind":{"group":"","version":"v1","kind":"Pod"}`,
		`"resource":{"group":"","version":"v1","resource":"pods"}`,
		`"operation":"CREATE"`,
		`"userInfo":{"username":"ann"}`,
		`"object":{"apiVersion":"v1","kind":"Pod"}`,
	}
	for _, field := range fields {
		name, _, _ := strings.Cut(field, ":")
		replaced := false
		for i, line := range lines {
			if strings.HasPrefix(line, name+":") {
				lines[i], replaced = field, true
			}
		}
		if !replaced {
			lines = append(lines, field)
		}
	}
	return "{\"apiVersion\":\"admission.k8s.io/" + version + "\",\n\"kind\":\"AdmissionReview\",\n\"request\":{\n" +
		strings.Join(lines, ",\n") + "}}"
}

// Fields of reviews.
const (
	deletes   = `"operation":"DELETE"`
	noObject  = `"object":null`
	oldPod    = `"oldObject":{"apiVersion":"v1","kind":"Pod"}`
	deployed  = `"object":{"apiVersion":"apps/v1","kind":"Deployment"}`
	asV1      = `"kind":{"group":"apps","version":"v1","kind":"Deployment"}`
	toV1      = `"resource":{"group":"apps","version":"v1","resource":"deployments"}`
	sentBeta  = `"requestKind":{"group":"apps","version":"v1beta1","kind":"Deployment"}`
	sentToOld = `"requestResource":{"group":"apps","version":"v1beta1","resource":"deployments"}`
)

const (
	podIn    = `object: request.object /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"}`
	oldPodIn = `oldObject: request.oldObject /v1, Kind=Pod {"apiVersion":"v1","kind":"Pod"}`
	ann      = `user: {"username":"ann"}`
	toPods   = "reviewed resource: /v1, Resource=pods"
	asPod    = "reviewed kind: /v1, Kind=Pod"
)

func reviewCases() []readCase {
	return []readCase{
		{row{"create", "the plain case"}, review(""), []string{"operation: CREATE", podIn, ann, toPods, asPod}},
		{row{"v1beta1", "S-218: it is the same, field for field"}, review("v1beta1"), []string{"operation: CREATE", podIn, ann, toPods, asPod}},
		{row{"all fields", "name, namespace, dry run and options are taken as they are"},
			review("", `"name":"web"`, `"namespace":"shop"`, `"dryRun":true`,
				`"options":{"apiVersion":"meta.k8s.io/v1","kind":"CreateOptions","dryRun":["All"],"later":1}`),
			[]string{"operation: CREATE", "namespace: shop", "name: web", podIn, ann, "dryRun: true", toPods, asPod}},
		{row{"update", "S-362: a patch of a client is nothing else"},
			review("", `"operation":"UPDATE"`, oldPod, `"options":{"apiVersion":"meta.k8s.io/v1","kind":"UpdateOptions"}`),
			[]string{"operation: UPDATE", podIn, oldPodIn, ann, toPods, asPod}},
		{row{"delete", "S-217: the object is null"}, review("", deletes, noObject, oldPod, `"name":"web"`),
			[]string{"operation: DELETE", "name: web", oldPodIn, ann, toPods, asPod}},
		{row{"member of a collection", "S-217: it has no name"}, review("", deletes, noObject, oldPod),
			[]string{"operation: DELETE", "collection: true", oldPodIn, ann, toPods, asPod}},
		{row{"generated name", "S-215: a CREATE without a name is no collection"}, review("", `"name":""`),
			[]string{"operation: CREATE", podIn, ann, toPods, asPod}},
		{row{"converted", "S-213: the client asked in another version than the webhook is told"},
			review("", asV1, toV1, deployed, sentBeta, sentToOld),
			[]string{"operation: CREATE", `object: request.object apps/v1, Kind=Deployment {"apiVersion":"apps/v1","kind":"Deployment"}`, ann,
				"reviewed resource: apps/v1beta1, Resource=deployments", "reviewed kind: apps/v1beta1, Kind=Deployment"}},
		{row{"subresource", "the original one comes first"}, review("", `"subResource":"a"`, `"requestSubResource":"status"`),
			[]string{"operation: CREATE", "subresource: status", podIn, ann, toPods, asPod}},
		{row{"subresource of an old server", "before v1.15 there was only one"}, review("v1beta1", `"subResource":"status"`),
			[]string{"operation: CREATE", "subresource: status", podIn, ann, toPods, asPod}},
		{row{"connect", "S-216: the options are null"},
			review("", `"operation":"CONNECT"`, `"kind":{"group":"","version":"v1","kind":"PodExecOptions"}`, `"subResource":"exec"`,
				`"object":{"apiVersion":"v1","kind":"PodExecOptions"}`, `"options":null`, `"name":"web"`),
			[]string{"operation: CONNECT", "subresource: exec", "name: web",
				`object: request.object /v1, Kind=PodExecOptions {"apiVersion":"v1","kind":"PodExecOptions"}`, ann, toPods,
				"reviewed kind: /v1, Kind=PodExecOptions"}},
		{row{"newer server", "what it says beyond v1.37 is not for us"}, review("", `"shard":7`, `"userInfo":{"username":"ann","badge":1}`),
			[]string{"operation: CREATE", podIn, ann, toPods, asPod}},
		{row{"dry run of an old server", "before v1.15 it sent no options"}, review("v1beta1", `"dryRun":true`),
			[]string{"operation: CREATE", podIn, ann, "dryRun: true", toPods, asPod}},
		{row{"answered", "logs have both in one document"},
			strings.TrimSuffix(review(""), "}") + `,"response":{"uid":"a","allowed":false}}`,
			[]string{"operation: CREATE", podIn, ann, toPods, asPod}},
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	testtable.Run(t, reviewCases(), checkRead)
}

func reviewRejections() []rejection {
	const head = "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\n"
	return []rejection{
		{row{"version", "there are two"}, review("v2"),
			"(line 1): apiVersion: admission.k8s.io/v2 is unknown: want admission.k8s.io/v1 or admission.k8s.io/v1beta1", false},
		{row{"kind", "the group has no other"}, "apiVersion: admission.k8s.io/v1\nkind: AdmissionRequest\n",
			"(line 2): kind: AdmissionRequest of admission.k8s.io/v1 is not a request: want AdmissionReview", false},
		{row{"response", "what a webhook has answered asks for nothing"}, head + "response: {uid: a, allowed: true}\n",
			"(line 1): request: required", false},
		{row{"no operation", "a server always says it"}, review("", `"operation":""`), "(line 6): request.operation: required", false},
		{row{"unknown operation", "operations are those of requests"}, review("", `"operation":"PATCH"`),
			`(line 6): request.operation: "PATCH" is not an operation: write UPDATE, with a patch`, false},
		{row{"no kind", "a server always says it"}, review("", `"kind":{}`), "(line 4): request.kind: required, with group, version and kind", false},
		{row{"no resource", "a server always says it"}, review("", `"resource":null`),
			"(line 5): request.resource: required, with group, version and resource", false},
		{row{"no user name", "S-214: a server has a name for every user"}, review("", `"userInfo":{}`),
			"(line 7): request.userInfo.username: required: every request has a user name", false},
		{row{"no user", "S-214: a server has a name for everyone"}, review("", `"userInfo":null`),
			"(line 7): request.userInfo.username: required: every request has a user name", false},
		{row{"dry run of connect", "S-364: a server rejects it before it calls webhooks"},
			review("", `"operation":"CONNECT"`, `"dryRun":true`), "(line 9): request.dryRun: is not supported for CONNECT", false},
		{row{"create over", "S-217: it has one object"}, review("", oldPod),
			"(line 9): request.oldObject: must be absent for CREATE: use UPDATE to change a stored object", false},
		{row{"delete by an old server", "before v1.15 it said not what was deleted"}, review("v1beta1", deletes, noObject),
			"(line 3): request.oldObject: required for DELETE: the stored object", false},
		{row{"no kind of an object", "a server always fills it in (S-219)"}, review("", `"object":{"metadata":{}}`),
			"(line 8): request.object: apiVersion is missing", false},
		{row{"duplicate field", "no server sends such a thing"}, strings.Replace(review(""), `"operation"`, "\"dryRun\":false,\"dryRun\":true,\n\"operation\"", 1),
			`(line 6): duplicate field "request.dryRun"`, false},
		{row{"wrong type", "tolerance has an end"}, review("", `"dryRun":"yes"`),
			"(line 9): request.dryRun: must be a boolean, but is a string", false},
	}
}

func TestReviewRejections(t *testing.T) {
	t.Parallel()
	testtable.Run(t, reviewRejections(), checkRejection)
}
