package migrate

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

const projects = "../../../admission/registration/testdata/projects"

// clusterFile has namespaces, with labels that selectors of projects ask for.
const clusterFile = `
{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a, istio-injection: enabled, injection: enabled}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, labels: {control-plane: "true", admission.gatekeeper.sh/ignore: "yes"}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: bare}}
`

// templates are objects of requests; %s is the rest of metadata.
var templates = []string{
	"{apiVersion: v1, kind: Pod, metadata: {name: a, %s}, spec: {containers: [{name: a, image: a}]}}",
	"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, %s}}",
	"{apiVersion: v1, kind: Secret, metadata: {name: a, %s}}",
	"{apiVersion: v1, kind: Service, metadata: {name: a, %s}, spec: {ports: [{port: 1}]}}",
	"{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, %s}, spec: {selector: {matchLabels: {a: b}}," +
		" template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}",
	"{apiVersion: batch/v1, kind: Job, metadata: {name: a, %s}, spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}}",
	"{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: a, %s}, spec: {defaultBackend: {service: {name: a, port: {number: 1}}}}}",
	"{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, %s}, spec: {maxReplicas: 2, scaleTargetRef: {kind: Deployment, name: a, apiVersion: apps/v1}}}",
	"{apiVersion: v1, kind: Event, metadata: {name: a, %s}, involvedObject: {}}",
}

// others are requests that have no template.
const others = `
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: CONNECT, namespace: shop, name: a, object: {apiVersion: v1, kind: PodExecOptions, container: a, command: [a]}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: CREATE, object: {apiVersion: v1, kind: Namespace, metadata: {name: new, labels: {team: a}}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: DELETE, oldObject: {apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: CREATE, object: {apiVersion: v1, kind: Node, metadata: {name: a}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: CREATE, object: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: DELETE, oldObject: {apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: a}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: CREATE, object: {apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, metadata: {name: a}, spec: {policyName: a}}}
---
{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, operation: UPDATE, resource: nodes, subResource: status, oldObject: {apiVersion: v1, kind: Node, metadata: {name: a}}, object: {apiVersion: v1, kind: Node, metadata: {name: a, labels: {team: a}}}}
`

// requestFile returns requests of all templates.
func requestFile() string {
	var text strings.Builder
	text.WriteString(others)
	request := func(format string, values ...any) {
		fmt.Fprintf(&text, "\n---\n{apiVersion: gatehouse/v1alpha1, kind: AdmissionRequest, "+format+"}\n", values...)
	}
	for i, template := range templates {
		for j, more := range []string{"namespace: shop, labels: {team: a}", "namespace: bare", "namespace: kube-system, labels: {app: web}"} {
			object := fmt.Sprintf(template, more)
			switch (i + j) % 3 {
			case 0:
				request("operation: CREATE, object: %s", object)
				request("operation: DELETE, oldObject: %s", object)
			case 1:
				request("operation: DELETE, oldObject: %s", object)
				request("operation: UPDATE, oldObject: %s, object: %s", object, object)
			default:
				request("operation: UPDATE, oldObject: %s, object: %s", fmt.Sprintf(template, "namespace: shop"),
					fmt.Sprintf(template, "namespace: shop, labels: {team: a}"))
				request("operation: CREATE, object: %s", object)
			}
		}
	}
	return text.String()
}

// compared counts comparisons.
type compared struct{ requests, webhooks, matched int }

// originals are the webhooks of policies, both with their phase.
type originals map[string]string

// compare admits requests to webhooks and their skeletons, and reports where they
// decide differently.
func (c *compared) compare(t *testing.T, file string) {
	t.Helper()
	o := options{files: flags.Files{Paths: []string{file}}, stderr: new(bytes.Buffer)}
	items, err := o.read()
	if err != nil {
		t.Fatal(err)
	}
	var skeletons bytes.Buffer
	if err := writeYAML(&skeletons, items); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := session.NewOptions()
	s.Client = session.AllowAll(func(*admission.Webhook, []byte) {})
	s.Configs = []string{file, write("cluster.yaml", clusterFile+"---\n"+skeletons.String())}
	s.Objects, s.Stderr = []string{write("requests.yaml", requestFile())}, new(bytes.Buffer)
	running, err := session.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	of := originals{}
	for _, i := range items {
		if i.Policy == nil {
			continue
		}
		phase := strings.ToLower(strings.TrimSuffix(i.Kind, "WebhookConfiguration")) + " "
		of[phase+i.Policy["metadata"].(map[string]any)["name"].(string)] = phase + i.Webhook
	}
	if err := running.Admit(t.Context(), func(v *session.Result) error {
		c.see(t, v, of)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// see compares what webhooks and policies saw of a request. No mutating policy sees
// a deletion.
func (c *compared) see(t *testing.T, v *session.Result, of originals) {
	t.Helper()
	c.requests++
	called, applied := map[string]int{}, map[string]int{}
	for i := range v.Response.Matches {
		m := &v.Response.Matches[i]
		mutatedDelete := m.Webhook.Phase == admission.Mutating && v.Request.Operation == admissionv1.Delete
		if m.Round > 0 || mutatedDelete {
			continue
		}
		c.webhooks++
		if m.Matched() {
			c.matched++
			called[m.Webhook.Phase.String()+" "+m.Webhook.Name]++
		}
	}
	for i := range v.Response.Policies {
		p := &v.Response.Policies[i]
		if p.Match.Round == 0 && p.Match.Stage == admission.StagePassed && conditionsHold(p) {
			applied[of[p.Phase.String()+" "+p.Name]]++
		}
	}
	if !maps.Equal(called, applied) {
		t.Errorf("%s %s: webhooks %v were called, policies %v applied", v.Request.Operation, v.Reference(), called, applied)
	}
}

func conditionsHold(p *admission.PolicyRecord) bool {
	for _, b := range p.Bindings {
		for _, e := range b.Evaluations {
			if e.Err == nil && (e.Conditions == admission.ConditionsTrue || e.Conditions == 0) {
				return true
			}
		}
	}
	return false
}

// TestProjectsMatch: the skeletons of real webhooks see what the webhooks see.
func TestProjectsMatch(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(projects + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c := &compared{}
	for _, file := range files { // many have the same names
		c.compare(t, file)
	}
	t.Logf("%d files: %+v", len(files), *c)
	if len(files) < 60 || c.matched < 400 {
		t.Error("the requests do not test enough")
	}
}

// TestDrawnMatch does the same with drawn webhooks. A condition that fails must not
// end the request.
func TestDrawnMatch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	one := func(all ...string) string { return all[random.IntN(len(all))] }
	var text strings.Builder
	for n := range 200 {
		kind := one("Mutating", "Validating")
		fmt.Fprintf(&text, `---
apiVersion: admissionregistration.k8s.io/v1
kind: %sWebhookConfiguration
metadata: {name: c%d}
webhooks:
- name: w%d.example.com
  clientConfig: {url: "https://w.example.com/"}
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Ignore
  matchPolicy: %s
  namespaceSelector: %s
  objectSelector: %s
  rules:
`, kind, n, n, one("Exact", "Equivalent"),
			one("{}", "{matchLabels: {team: a}}", "{matchExpressions: [{key: control-plane, operator: DoesNotExist}]}"),
			one("{}", "{}", "{matchLabels: {team: a}}", "{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}"))
		for range 1 + random.IntN(2) {
			fmt.Fprintf(&text, "  - {operations: [%s], apiGroups: [%s], apiVersions: [%s], resources: [%s], scope: %q}\n",
				one(`"*"`, `"*"`, "CREATE, UPDATE", "UPDATE, DELETE", "DELETE", "CONNECT, CREATE"),
				one(`"*"`, `"*"`, `"*"`, `""`, `""`, "apps, batch", `"", autoscaling`, "extensions, networking.k8s.io", "admissionregistration.k8s.io", "events.k8s.io"),
				one(`"*"`, "v1", "v1", "v2", "v1, v1beta1"),
				one(`"*"`, `"*"`, `"*/*"`, `"*/*"`, "pods, pods/exec", "deployments, jobs", `"pods/*", nodes/status`, "ingresses",
					"horizontalpodautoscalers", "validatingwebhookconfigurations, services", "events", "namespaces"),
				one("*", "*", "Namespaced", "Cluster"))
		}
		if condition := one("", "", "request.operation != 'DELETE'", "has(object.metadata) && object.metadata.name == 'a'",
			"oldObject != null", "request.namespace == 'shop'", "request.userInfo.username == 'ann'"); condition != "" {
			fmt.Fprintf(&text, "  matchConditions: [{name: drawn, expression: %q}]\n", condition)
		}
	}
	file := filepath.Join(t.TempDir(), "drawn.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &compared{}
	c.compare(t, file)
	t.Logf("%+v", *c)
	if c.matched < 400 || c.webhooks < 2*c.matched {
		t.Error("the webhooks do not test enough")
	}
}
