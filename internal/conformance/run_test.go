package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

const manifests = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: policy}
webhooks:
- name: pods.example.com
  clientConfig: {service: {namespace: webhooks, name: hooks, path: /pods}, caBundle: Q0E=}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
  namespaceSelector: {matchLabels: {policy: "on"}}
  sideEffects: None
  admissionReviewVersions: [v1]
- name: widgets.example.com
  clientConfig: {service: {namespace: webhooks, name: hooks, path: /widgets}, caBundle: Q0E=}
  rules: [{operations: [CREATE, DELETE], apiGroups: [example.com], apiVersions: [v1], resources: [widgets]}]
  sideEffects: None
  admissionReviewVersions: [v1]
---
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {policy: "on"}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties: {spec: {type: object, required: [size], properties: {size: {type: integer, minimum: 3}}}}
`

const objects = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop}
spec: {containers: [{name: web, image: web}]}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: sprocket, namespace: shop}
spec: {size: 4}
`

type seenCase struct {
	row
	subject func(t *testing.T) conformance.Subject
	want    []string
}

// TestSubjects shows which webhooks there are and what they are tried with.
func TestSubjects(t *testing.T) {
	t.Parallel()
	pod := probetest.Pod(admissionv1.Create)
	testtable.Run(t, []seenCase{
		{row{"files", "samples are made for the rules, of the schemas"}, func(t *testing.T) conformance.Subject {
			return conformance.Subject{Files: []string{file(t, manifests)}}
		}, []string{
			"validating policy/pods.example.com https://hooks.webhooks.svc:443/pods: CREATE pods/sample in shop, CREATE pods/sample- in shop",
			"validating policy/widgets.example.com https://hooks.webhooks.svc:443/widgets: CREATE widgets.example.com/sample in shop, DELETE widgets.example.com/sample in shop",
		}},
		{row{"samples", "objects in files stand for what is asked of them"}, func(t *testing.T) conformance.Subject {
			return conformance.Subject{Files: []string{file(t, manifests)}, Samples: []string{file(t, objects)}}
		}, []string{
			"validating policy/pods.example.com https://hooks.webhooks.svc:443/pods: CREATE pods/web in shop, CREATE pods/web- in shop",
			"validating policy/widgets.example.com https://hooks.webhooks.svc:443/widgets: CREATE widgets.example.com/sprocket in shop, DELETE widgets.example.com/sprocket in shop",
		}},
		{row{"standard input", "it is a file like others"}, func(t *testing.T) conformance.Subject {
			return conformance.Subject{Files: []string{file(t, manifests)}, Samples: []string{"-"}, Stdin: strings.NewReader(objects)}
		}, []string{
			"validating policy/pods.example.com https://hooks.webhooks.svc:443/pods: CREATE pods/web in shop, CREATE pods/web- in shop",
			"validating policy/widgets.example.com https://hooks.webhooks.svc:443/widgets: CREATE widgets.example.com/sprocket in shop, DELETE widgets.example.com/sprocket in shop",
		}},
		{row{"configurations", "those of a program, which need not have defaults"}, func(*testing.T) conformance.Subject {
			return conformance.Subject{Configurations: []runtime.Object{probetest.Wanting("a", "configmaps")}}
		}, []string{
			"mutating a/a.example.com https://hooks.example.com/a: CREATE configmaps/sample in sample, UPDATE configmaps/sample in sample, DELETE configmaps/sample in sample",
		}},
		{row{"requests", "samples of a program"}, func(*testing.T) conformance.Subject {
			return conformance.Subject{Configurations: []runtime.Object{probetest.Wanting("a", "pods")}, Requests: []*admission.Request{pod}}
		}, []string{
			"mutating a/a.example.com https://hooks.example.com/a: CREATE pods/web in shop, UPDATE pods/web in shop, DELETE pods/web in shop, CREATE pods/web- in shop",
		}},
		{row{"requests and samples", "they are tried both"}, func(t *testing.T) conformance.Subject {
			return conformance.Subject{Files: []string{file(t, manifests)}, Samples: []string{file(t, objects)}, Requests: []*admission.Request{pod}}
		}, []string{
			"validating policy/pods.example.com https://hooks.webhooks.svc:443/pods: CREATE pods/web in shop, CREATE pods/web in shop #2, CREATE pods/web- in shop",
			"validating policy/widgets.example.com https://hooks.webhooks.svc:443/widgets: CREATE widgets.example.com/sprocket in shop, DELETE widgets.example.com/sprocket in shop",
		}},
		{row{"URL", "it is mutating, and sees everything"}, func(*testing.T) conformance.Subject {
			return conformance.Subject{URL: "https://hook.example.com/a", Requests: []*admission.Request{pod}}
		}, []string{
			"mutating url/webhook.conformance.gatehouse https://hook.example.com/a: CREATE pods/web in shop, UPDATE pods/web in shop, DELETE pods/web in shop, UPDATE pods/web/status in shop, CREATE pods/web/eviction in shop, CONNECT pods/web/exec in shop, CREATE pods/web- in shop",
		}},
		{row{"validating URL", "that is said by the phase"}, func(*testing.T) conformance.Subject {
			return conformance.Subject{URL: "https://hook.example.com/a", Phase: admission.Validating, Requests: []*admission.Request{probetest.Pod(admissionv1.Connect)}}
		}, []string{
			"validating url/webhook.conformance.gatehouse https://hook.example.com/a: CONNECT pods/web/exec in shop",
		}},
	}, func(t *testing.T, tc seenCase) {
		s := tc.subject(t)
		s.Handler = probetest.Good()
		r := run(t, s)
		var got []string
		for _, w := range r.Webhooks {
			got = append(got, fmt.Sprintf("%s %s %s: %s", w.Phase, w.Name, w.URL, strings.Join(w.Samples, ", ")))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if !r.Conforms() || r.VerdictOf("C-UID") != report.Pass {
			t.Errorf("C-UID: %s", r.Text("C-UID"))
		}
	})
}

// TestHandlerByPath has one handler for several webhooks.
func TestHandlerByPath(t *testing.T) {
	t.Parallel()
	r := run(t, conformance.Subject{
		Configurations: []runtime.Object{probetest.Wanting("a", "pods"), probetest.Wanting("b", "pods")},
		Handler:        byPath("/b", probetest.Forgetful(), probetest.Good()),
	})
	var got []string
	for _, result := range r.Results {
		got = append(got, fmt.Sprintf("%s %s %d", result.Webhook, result.Verdict, len(result.Findings)))
	}
	if diff := cmp.Diff([]string{"a/a.example.com pass 0", "b/b.example.com fail 4"}, got); diff != "" || r.Conforms() {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestServer looks at a webhook behind a socket, whose certificate is
// self-signed: that is for the checks of TLS to find.
func TestServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(probetest.Good())
	defer server.Close()
	if r := run(t, conformance.Subject{URL: server.URL + "/a"}); !r.Conforms() || r.VerdictOf("C-UID") != report.Pass {
		t.Errorf("%v\n%s", r.Problems(), r.Text("C-UID"))
	}
}

// TestResolve has a name lead to a server on this machine.
func TestResolve(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(probetest.Forgetful())
	defer server.Close()
	s := conformance.Subject{
		URL: "https://hook.example.com/a", Resolve: []string{"hook.example.com:443:" + server.Listener.Addr().String()},
		Requests: []*admission.Request{probetest.Pod(admissionv1.Create)},
	}
	if r := run(t, s); r.VerdictOf("C-UID") != report.Fail || len(r.Problems()) > 0 {
		t.Errorf("%v\n%s", r.Problems(), r.Text("C-UID"))
	}
}

// TestUnreachable shows that a webhook that refuses connections is a problem,
// and that the others are looked at.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(probetest.Good())
	defer server.Close()
	at := func(url string) func(*registrationv1.MutatingWebhook) {
		return func(w *registrationv1.MutatingWebhook) { w.ClientConfig.URL = &url }
	}
	r := run(t, conformance.Subject{Configurations: []runtime.Object{
		probetest.Mutating("a", "/", at("https://"+closed.Addr().String()+"/")),
		probetest.Mutating("b", "/", at(server.URL)),
	}, Requests: []*admission.Request{probetest.Pod(admissionv1.Create)}})
	problems := r.Problems()
	if len(problems) != 1 || problems[0].Name != "a/a.example.com" || !strings.HasPrefix(problems[0].Problem, "it cannot be reached: dial tcp 127.0.0.1:") || r.Conforms() {
		t.Errorf("problems: %v", problems)
	}
	if got := []report.Verdict{r.Results[0].Verdict, r.Results[1].Verdict}; got[0] != report.Skip || got[1] != report.Pass {
		t.Errorf("verdicts %v, want a skip for the first and a pass for the second", got)
	}
}

// TestUnvisited shows why no sample visits a webhook.
func TestUnvisited(t *testing.T) {
	t.Parallel()
	r := run(t, conformance.Subject{
		Configurations: []runtime.Object{probetest.Wanting("a", "services")}, Handler: probetest.Good(),
		Requests: []*admission.Request{probetest.Pod(admissionv1.Create)},
	})
	problems := r.Problems()
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Problem, "no sample visits it: CREATE pods/web in shop: no rule matches") {
		t.Errorf("problems: %v", problems)
	}
	if r.VerdictOf("C-UID") != report.Skip || r.Results[0].Message != problems[0].Problem {
		t.Errorf("got %v, want a skip with the reason", r.Results)
	}
}

// TestLog says what could not be made.
func TestLog(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	hopeless := strings.Replace(manifests, "minimum: 3", "minimum: 3, maximum: 2", 1)
	r := run(t, conformance.Subject{Files: []string{file(t, hopeless)}, Handler: probetest.Good(), Log: &log})
	const want = "gatehouse: no sample: making a Widget: spec.size: Invalid value: 1: spec.size in body should be greater than or equal to 3\n"
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if problems := r.Problems(); len(problems) != 1 || problems[0].Name != "policy/widgets.example.com" {
		t.Errorf("problems: %v", problems)
	}
}

// TestInterrupted ends with the context: there is no half of a report.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	over := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	handler := byPath("/a", cancelling(func() { cancel(over) }), nil)
	r, err := conformance.Run(ctx, conformance.Subject{Configurations: []runtime.Object{probetest.Wanting("a", "pods")}, Handler: handler})
	if r != nil || !errors.Is(err, over) {
		t.Errorf("got %v, %v, want %v", r, err, over)
	}
}
