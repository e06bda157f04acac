package snapshot

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/testutil/testtable"
)

const (
	policiesPath  = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
	bindingsPath  = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
	webhooksPath  = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
	configMaps    = "/api/v1/configmaps"
	namespaceFile = "namespaces.yaml"
)

// TestTrim: what remains of objects.
func TestTrim(t *testing.T) {
	t.Parallel()
	s := &server{objects: map[string]string{
		namespacesPath: `
kind: NamespaceList
items:
- metadata:
    name: b
    namespace: ""
- metadata:
    name: a
    uid: x
    resourceVersion: "1"
    generation: 2
    selfLink: /a
    creationTimestamp: "2026-01-01T00:00:00Z"
    managedFields: [{manager: a}]
    annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}"}
  status: {phase: Active, conditions: [{type: A}]}
`,
		"/apis/apps/v1/deployments": `
kind: DeploymentList
items:
- metadata: {name: a, namespace: b, annotations: {a: b, kubectl.kubernetes.io/last-applied-configuration: "{}"}}
  spec: {replicas: 2, future: 1, template: {spec: {containers: [{name: a, next: true}]}}}
  status: {readyReplicas: 1, conditions: [{type: Available}], observedGeneration: 3}
- {metadata: {name: c, namespace: a}, spec: {future: 1}}
`,
	}}
	config := Config{Client: s.start(t)}
	files := mustRead(t, config)
	if got, want := files[namespaceFile], `---
apiVersion: v1
kind: Namespace
metadata:
  creationTimestamp: "2026-01-01T00:00:00Z"
  name: a
status:
  phase: Active
---
apiVersion: v1
kind: Namespace
metadata:
  name: b
  namespace: ""
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{"replicas: 2\n", "  annotations:\n    a: b\n", "status:\n  readyReplicas: 1\n"} {
		if got := files["deployments.apps.yaml"]; !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant %q in it", got, want)
		}
	}
	if got, want := files[aboutFile], aboutHead+`files:
  deployments.apps.yaml: 2
  namespaces.yaml: 2
gatehouse: v1
leftOut:
- 'Deployment: "spec.future" is left out, because this version of gatehouse does not
  know it: b/a has it'
- 'Deployment: "spec.template.spec.containers[].next" is left out, because this version
  of gatehouse does not know it: b/a has it'
server: v1.37.0
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPages: a list is read in pages, and again from its beginning if it has expired.
func TestPages(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		// expires says how often the second page has expired.
		expires int
		// requests are the queries.
		requests string
	}
	testtable.Run(t, []test{
		{row{"pages", "as every client reads"}, 0, "limit=250, continue=p2&limit=250"},
		{row{"expired once", "what was deleted meanwhile must not stay"}, 1,
			"limit=250, continue=p2&limit=250, limit=250, continue=p2&limit=250"},
		{row{"always expired", "a single answer cannot expire"}, 100,
			"limit=250, continue=p2&limit=250, limit=250, continue=p2&limit=250, limit=250, continue=p2&limit=250, "},
	}, func(t *testing.T, tc test) {
		first := 0
		s := &server{}
		s.handlers = map[string]http.HandlerFunc{namespacesPath: func(w http.ResponseWriter, r *http.Request) {
			switch query := r.URL.Query(); {
			case query.Get("limit") == "":
				answer(w, namespaces("", "a", "b"))
			case query.Get("continue") == "":
				first++
				answer(w, namespaces("continue: p2", "a", fmt.Sprintf("deleted-%d", first)))
			case first <= tc.expires:
				refuse(w, apierrors.NewResourceExpired("too old"))
			default:
				answer(w, namespaces("", "b"))
			}
		}}
		got, err := read(t, s)
		if err != nil {
			t.Fatal(err)
		}
		var queries []string
		for _, request := range s.sent() {
			if query, ok := strings.CutPrefix(request, "GET "+namespacesPath); ok {
				queries = append(queries, strings.TrimPrefix(query, "?"))
			}
		}
		if sent := strings.Join(queries, ", "); sent != tc.requests {
			t.Errorf("%s: got %q, want %q", tc.Why(), sent, tc.requests)
		}
		var found []string
		for _, id := range sorted(got.files[namespaceFile]) {
			if !strings.HasPrefix(id.name, "deleted-") || id.name == fmt.Sprintf("deleted-%d", first) && tc.expires < 100 {
				found = append(found, strings.TrimRight(id.name, "0123456789"))
			}
		}
		want := []string{"a", "b", "deleted-"}
		if tc.expires == 100 {
			want = want[:2]
		}
		if !slices.Equal(found, want) || len(got.files[namespaceFile]) != len(want) {
			t.Errorf("%s: got %v, want %v", tc.Why(), sorted(got.files[namespaceFile]), want)
		}
	})
}

// TestParams: which requests are sent for the params of bindings.
func TestParams(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		kind, ref, namespace string
		want                 string
	}
	const config = "{apiVersion: v1, kind: ConfigMap}"
	testtable.Run(t, []test{
		{row{"name", "the namespace is that of the request"}, config, "{name: a}", "",
			"/api/v1/configmaps?fieldSelector=metadata.name%3Da&limit=250"},
		{row{"name in a namespace", "one object"}, config, "{name: a, namespace: b}", "",
			"/api/v1/namespaces/b/configmaps?fieldSelector=metadata.name%3Da&limit=250"},
		{row{"selector", "all that it selects"}, config,
			"{selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: Exists}]}}", "",
			"/api/v1/configmaps?labelSelector=a%3Db%2Cc&limit=250"},
		{row{"empty selector", "it selects all"}, config, "{selector: {}}", "", "/api/v1/configmaps?limit=250"},
		{row{"namespace of the snapshot", "requests of others are not its matter"}, config, "{name: a}", "ns",
			"/api/v1/namespaces/ns/configmaps?fieldSelector=metadata.name%3Da&limit=250"},
		{row{"other namespace than that of the snapshot", "the policy applies there as well"}, config,
			"{name: a, namespace: b}", "ns", "/api/v1/namespaces/b/configmaps?fieldSelector=metadata.name%3Da&limit=250"},
		{row{"other namespace, of a kind in snapshots", "only those of the snapshot's namespace are read already"},
			"{apiVersion: apps/v1, kind: Deployment}", "{name: a, namespace: b}", "ns",
			"/apis/apps/v1/namespaces/b/deployments?fieldSelector=metadata.name%3Da&limit=250"},
		{row{"namespace of the snapshot, of a kind in snapshots", "all of them are read already"},
			"{apiVersion: apps/v1, kind: Deployment}", "{name: a}", "ns", ""},
		{row{"namespaces", "all are read already"}, "{apiVersion: v1, kind: Namespace}", "{name: a}", "", ""},
		{row{"secrets", "a snapshot has none"}, "{apiVersion: v1, kind: Secret}", "{name: a}", "", ""},
		{row{"unknown kind", "the policy fails in the cluster, too"}, "{apiVersion: v1, kind: Nothing}", "{name: a}", "", ""},
		{row{"no kind", "the binding is wrong"}, "null", "{name: a}", "", ""},
		{row{"no reference", "the policy fails in the cluster, too"}, config, "null", "", ""},
	}, func(t *testing.T, tc test) {
		s := &server{objects: map[string]string{
			policiesPath: fmt.Sprintf(
				"{kind: ValidatingAdmissionPolicyList, items: [{metadata: {name: p}, spec: {paramKind: %s}}]}", tc.kind),
			bindingsPath: fmt.Sprintf("{kind: ValidatingAdmissionPolicyBindingList, items: ["+
				"{metadata: {name: a}, spec: {policyName: p, paramRef: %s}}, "+
				"{metadata: {name: b}, spec: {policyName: p, paramRef: %s}}, "+
				"{metadata: {name: c}, spec: {policyName: other, paramRef: {name: x}}}]}", tc.ref, tc.ref),
		}}
		if _, err := Read(t.Context(), Config{Client: s.start(t), Namespace: tc.namespace}); err != nil {
			t.Fatal(err)
		}
		var sent []string
		for _, request := range s.sent() {
			if strings.Contains(request, "configmaps") || strings.Contains(request, "secrets") ||
				strings.Contains(request, "fieldSelector") {
				sent = append(sent, strings.TrimPrefix(request, "GET "))
			}
		}
		if got := strings.Join(sent, " "); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}

// TestNamespace: with a namespace, what is in namespaces is read there, and all else as a whole.
func TestNamespace(t *testing.T) {
	t.Parallel()
	s := &server{}
	got, err := Read(t.Context(), Config{Client: s.start(t), Namespace: "ns"})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		path := root(schema.GroupVersion{Group: k.Group, Version: k.versions[0]})
		if !k.global {
			path += "/namespaces/ns"
		}
		if want := "GET " + path + "/" + k.Resource + "?limit=250"; !slices.Contains(s.sent(), want) {
			t.Errorf("it did not send %q", want)
		}
	}
	text, err := got.about("v1")
	if err != nil || !strings.Contains(string(text), "\nnamespace: ns\n") {
		t.Errorf("it says %q, %v", text, err)
	}
}

// TestPods: the pods behind the Services of webhooks are read, and no others.
func TestPods(t *testing.T) {
	t.Parallel()
	s := &server{objects: map[string]string{
		webhooksPath: `
kind: ValidatingWebhookConfigurationList
items:
- metadata: {name: a}
  webhooks:
  - {clientConfig: {service: {namespace: ns, name: s}}}
  - {clientConfig: {service: {namespace: ns, name: same-pods}}}
  - {clientConfig: {service: {namespace: ns, name: missing}}}
  - {clientConfig: {service: {namespace: ns, name: headless}}}
  - {clientConfig: {url: "https://example.com"}}
`,
		"/api/v1/services": `
kind: ServiceList
items:
- {metadata: {namespace: ns, name: s}, spec: {selector: {a: b, c: d}}}
- {metadata: {namespace: ns, name: same-pods}, spec: {selector: {c: d, a: b}}}
- {metadata: {namespace: ns, name: headless}}
- {metadata: {namespace: ns, name: other}, spec: {selector: {e: f}}}
`,
		"/api/v1/namespaces/ns/pods": `
kind: PodList
items:
- metadata: {namespace: ns, name: p}
  status: {podIP: 10.0.0.1, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
`,
	}}
	files := mustRead(t, Config{Client: s.start(t)})
	if got, want := files["pods.yaml"], `---
apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: ns
status:
  conditions:
  - status: "True"
    type: Ready
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	sent := slices.DeleteFunc(s.sent(), func(r string) bool { return !strings.Contains(r, "/pods") })
	if want := []string{"GET /api/v1/namespaces/ns/pods?labelSelector=a%3Db%2Cc%3Dd&limit=250"}; !slices.Equal(sent, want) {
		t.Errorf("got %q, want %q", sent, want)
	}
}

// TestVersions: older versions are read where there is no newer one, and what is not served
// is named.
func TestVersions(t *testing.T) {
	t.Parallel()
	const group = "/apis/admissionregistration.k8s.io/"
	s := &server{objects: map[string]string{
		group + "v1":      "{kind: APIResourceList, resources: [{name: validatingwebhookconfigurations}]}",
		group + "v1beta1": "{kind: APIResourceList, resources: [{name: mutatingadmissionpolicies}]}",
		group + "v1beta1/mutatingadmissionpolicies": "{kind: MutatingAdmissionPolicyList, items: [{metadata: {name: a}}]}",
	}}
	got, err := read(t, s)
	if err != nil {
		t.Fatal(err)
	}
	file := got.files["mutatingadmissionpolicies.admissionregistration.k8s.io.yaml"]
	if text := string(file[identity{name: "a"}]); !strings.Contains(text, "apiVersion: admissionregistration.k8s.io/v1beta1\n") {
		t.Errorf("got\n%s", text)
	}
	var want []string
	for _, resource := range []string{
		"mutatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings",
		"mutatingadmissionpolicybindings",
	} {
		want = append(want, resource+".admissionregistration.k8s.io: left out, because the server does not serve it")
	}
	if !slices.Equal(got.Notices, want) {
		t.Errorf("got %q, want %q", got.Notices, want)
	}
}

// TestForbidden: all that the user may not read is named at once, with rules that allow it.
func TestForbidden(t *testing.T) {
	t.Parallel()
	forbid := func(w http.ResponseWriter, r *http.Request) {
		refuse(w, apierrors.NewForbidden(schema.GroupResource{Resource: "x"}, "", nil))
	}
	s := &server{
		objects: map[string]string{
			policiesPath: "{kind: ValidatingAdmissionPolicyList, items: [" +
				"{metadata: {name: p}, spec: {paramKind: {apiVersion: v1, kind: ConfigMap}}}]}",
			bindingsPath: "{kind: ValidatingAdmissionPolicyBindingList, items: [" +
				"{metadata: {name: a}, spec: {policyName: p, paramRef: {name: a}}}, " +
				"{metadata: {name: b}, spec: {policyName: p, paramRef: {name: b, namespace: ns}}}, " +
				"{metadata: {name: c}, spec: {policyName: p, paramRef: {name: c, namespace: ns}}}]}",
		},
		handlers: map[string]http.HandlerFunc{
			"/version": forbid, configMaps: forbid, "/api/v1/namespaces/ns/configmaps": forbid,
			"/apis/apps/v1/deployments": forbid, "/apis/apps/v1/daemonsets": forbid, "/apis/policy/v1": forbid,
		},
	}
	_, err := read(t, s)
	if got, want := testtable.Text(err), `deployments.apps: x is forbidden
daemonsets.apps: x is forbidden
/apis/policy/v1: x is forbidden
configmaps a: x is forbidden
configmaps ns/b: x is forbidden
configmaps ns/c: x is forbidden
to allow this, bind the user to a ClusterRole with these rules:
  - {apiGroups: [""], resources: [configmaps], resourceNames: [a], verbs: [list]}
  - {apiGroups: [apps], resources: [daemonsets, deployments], verbs: [list]}
  - {nonResourceURLs: [/apis/policy/v1], verbs: [get]}
to allow this, bind the user to a Role in namespace ns with these rules:
  - {apiGroups: [""], resources: [configmaps], resourceNames: [b, c], verbs: [list]}`; strings.ReplaceAll(got, ": <nil>", "") != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	skipping, err := Read(t.Context(), Config{Client: s.start(t), SkipForbidden: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"deployments.apps: left out, because the user has no permission to read it"}
	if len(skipping.Notices) != 6 || !slices.Equal(skipping.Notices[:1], want) || skipping.Server != "" {
		t.Errorf("got %q and the server %q", skipping.Notices, skipping.Server)
	}
}
