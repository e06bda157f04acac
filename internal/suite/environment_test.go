package suite_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/suite/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/webhooktest"
)

// inProcess has handlers answer by the names of webhooks.
func inProcess(handlers map[string]http.Handler) func(*admission.Webhook) http.Handler {
	return func(w *admission.Webhook) http.Handler { return handlers[w.Name] }
}

// all has one handler answer for all webhooks.
func all(a answer) suite.EnvironmentOptions {
	return suite.EnvironmentOptions{Handlers: func(*admission.Webhook) http.Handler { return a }}
}

// start puts a suite on a env until the end of the test.
func start(t *testing.T, s *suite.Suite, o suite.EnvironmentOptions) *suite.Environment {
	t.Helper()
	env, err := s.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := env.Close(); err != nil {
			t.Error(err)
		}
	})
	return env
}

// passes runs the cases of a suite, at the same time, all of which have to
// pass.
func passes(t *testing.T, env *suite.Environment, cases []*suite.Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			r := env.Run(t.Context(), c)
			if !r.Passed() || r.Response == nil || r.Elapsed <= 0 || r.Case != c {
				t.Errorf("%v, after %v: %v\n%s", r.Err, r.Elapsed, r.Failures, r.Explain())
			}
		})
	}
}

// TestSettings has the suite say what its requests and its cluster are like.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + `
configurations:
- policy.yaml
- label.yaml
namespaces: [{name: shop, labels: {team: sellers}}]
authorizer: allow
defaults: {namespace: shop, userInfo: {username: ann, groups: [g]}, dryRun: true}
cases:
- name: defaults
  request: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}
  expect: {message: 'ann \[g\] CREATE shop/a true', object: {metadata: {labels: {by: ann}}}, called: [label.example.com, policy.example.com]}
- name: said otherwise
  request: {object: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}, userInfo: {username: bob}, namespace: other}
  expect: {message: 'bob \[\] CREATE other/a true', called: [policy.example.com]}
- name: object alone
  request: object.yaml
  expect: {message: 'ann \[g\] CREATE shop/alone true'}
`, "object.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: alone}}",
		"label.yaml": hook("Mutating", "labels", "label.example.com", "{service: {name: label, namespace: webhooks}}",
			"  namespaceSelector: {matchExpressions: [{key: team, operator: In, values: [sellers]}]}\n"+
				"  matchConditions: [{name: may, expression: \"authorizer.group('').resource('pods').check('get').allowed()\"}]")})
	env := start(t, s, suite.EnvironmentOptions{Handlers: inProcess(map[string]http.Handler{
		"label.example.com": answer(label), "policy.example.com": answer(deny),
	})})
	passes(t, env, s.Cases)
}

type authorizerRow struct {
	row
	authorizer string
	rbac       bool
	user       string
	called     bool
}

// TestAuthorizer asks who answers conditions.
func TestAuthorizer(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []authorizerRow{
		{row{"no authorizer", "the default is deny"}, "", false, "ann", false},
		{row{"allow", "all may do everything"}, "authorizer: allow\n", false, "ann", true},
		{row{"deny", "RBAC objects do not count then"}, "authorizer: deny\n", true, "ann", false},
		{row{"RBAC", "its objects say who may"}, "", true, "ann", true},
		{row{"RBAC of others", "and who may not"}, "", true, "bob", false},
	}, func(t *testing.T, r authorizerRow) {
		configurations := "configurations: [asking.yaml]\n"
		if r.rbac {
			configurations = "configurations: [asking.yaml, rbac.yaml]\n"
		}
		s := load(t, map[string]string{
			"suite.yaml": head + configurations + r.authorizer + "defaults: {userInfo: {username: " + r.user + "}}\ncases:\n" + caseOf("a", fmt.Sprintf("{webhooks: [{name: a.b.c, called: %t}]}", r.called)),
			"asking.yaml": hook("Validating", "asking", "a.b.c", "{service: {name: a, namespace: b}}",
				"  matchConditions: [{name: may, expression: \"authorizer.group('').resource('pods').check('get').allowed()\"}]"),
			"rbac.yaml": `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: r}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: r}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
`})
		passes(t, start(t, s, all(reviewtest.Allow)), s.Cases)
	})
}

type placeRow struct {
	row
	// entries are webhooks of the suite, with LABELS for the address of a
	// server that labels and DENIES for that of one that denies. Their CAs are
	// in label.crt and deny.crt.
	entries string
	address func(labels, denies *webhooktest.Server) func(*admission.Webhook) (string, []byte)
	expect  string
}

// TestPlaces calls webhooks where entries say, over TLS.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const both = "{message: ' CREATE default/a ', object: {metadata: {labels: {by: gatehouse}}}}"
	testtable.Run(t, []placeRow{
		{row{"by name", "service and URL"}, "- {name: label.example.com, address: 'LABELS', caFile: label.crt}\n- {name: policies/policy.example.com, address: 'DENIES', caFile: deny.crt}", nil, both},
		{row{"the rest", "the name is stronger"}, "- {address: 'DENIES', caFile: deny.crt}\n- {name: labels/label.example.com, address: 'LABELS', caFile: label.crt}", nil, both},
		{row{"wrong CA", "verification fails without it"}, "- {address: 'LABELS', caFile: deny.crt}", nil, "{message: certificate signed by unknown authority}"},
		{row{"address of the program", "it comes before what the suite says"}, "- {address: '127.0.0.1:1', caFile: deny.crt}",
			func(labels, denies *webhooktest.Server) func(*admission.Webhook) (string, []byte) {
				return func(w *admission.Webhook) (string, []byte) {
					if w.Name == "label.example.com" {
						return labels.Address, labels.CABundle
					}
					return denies.Address, denies.CABundle
				}
			}, both},
		{row{"address without a CA", "that of the webhook counts"}, "- {name: policy.example.com, address: 'DENIES', caFile: deny.crt}",
			func(labels, _ *webhooktest.Server) func(*admission.Webhook) (string, []byte) {
				return func(w *admission.Webhook) (string, []byte) {
					if w.Name == "label.example.com" {
						return labels.Address, nil
					}
					return "", nil
				}
			}, "{message: certificate signed by unknown authority}"},
	}, func(t *testing.T, r placeRow) {
		labels, denies := webhooktest.Serve(t, answer(label)), webhooktest.Serve(t, answer(deny))
		files := map[string]string{
			"suite.yaml": head + "configurations: [label.yaml, policy.yaml]\nwebhooks:\n" + strings.NewReplacer("LABELS", labels.Address, "DENIES", denies.Address).Replace(r.entries) +
				"\ncases:\n" + caseOf("a", r.expect),
			"label.crt": string(labels.CABundle), "deny.crt": string(denies.CABundle),
		}
		s, o := load(t, files), suite.EnvironmentOptions{}
		if r.address != nil {
			o.Address = r.address(labels, denies)
		}
		passes(t, start(t, s, o), s.Cases)
	})
}

// TestTwoEntriesForOneAddress lets two entries name one place, for webhooks of
// one service.
func TestTwoEntriesForOneAddress(t *testing.T) {
	t.Parallel()
	server := webhooktest.Serve(t, answer(deny))
	first, ca := served("label.example.com", server)
	second, _ := served("second.example.com", server)
	s := load(t, map[string]string{
		"suite.yaml":  head + "configurations: [label.yaml, second.yaml]\nwebhooks:\n" + first + second + "cases:\n" + caseOf("a", "{code: 403}"),
		"second.yaml": hook("Validating", "second", "second.example.com", "{service: {name: second, namespace: webhooks}}", ""),
		"ca.crt":      ca,
	})
	passes(t, start(t, s, suite.EnvironmentOptions{}), s.Cases)
}

// TestOneServiceAtTwoPlaces has two webhooks that are configured at one address
// and are in two places, as the webhook that is being worked on and the others
// are.
func TestOneServiceAtTwoPlaces(t *testing.T) {
	t.Parallel()
	denies, allows := webhooktest.Serve(t, answer(deny)), webhooktest.Serve(t, answer(reviewtest.Allow))
	s := load(t, map[string]string{
		"suite.yaml": head + "configurations: [policy.yaml, other.yaml]\nwebhooks:\n" +
			fmt.Sprintf("- {name: policy.example.com, address: '%s', caFile: deny.crt}\n- {address: '%s', caFile: allow.crt}\n", denies.Address, allows.Address) +
			"cases:\n" + caseOf("a", "{code: 403, webhooks: [{name: policy.example.com, outcome: rejected}, {name: other.example.com, outcome: allowed}]}"),
		"other.yaml": hook("Validating", "others", "other.example.com", `{url: "https://policy.example.com/other"}`, ""),
		"deny.crt":   string(denies.CABundle), "allow.crt": string(allows.CABundle),
	})
	passes(t, start(t, s, suite.EnvironmentOptions{}), s.Cases)
}

// command is an entry whose command plays a webhook.
func command(t *testing.T, kind, more string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("- exec: {command: [%q], env: [{name: %s, value: %s}]%s}\n", program, played, kind, more)
}

// TestCommand calls a command that was started.
func TestCommand(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "configurations: [label.yaml, policy.yaml]\nwebhooks:\n" + command(t, "good", ", readiness: {log: serving}") +
		"cases:\n" + caseOf("a", "{code: 403, called: [label.example.com]}") + caseOf("b", "{code: 403}")})
	var printed strings.Builder
	env, err := s.Start(t.Context(), suite.EnvironmentOptions{Output: &printed})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Cases {
		if r := env.Run(t.Context(), c); !r.Passed() {
			t.Errorf("%v %v", r.Err, r.Failures)
		}
	}
	if err := env.Close(); err != nil {
		t.Error(err)
	}
	if got := env.Printed(); got != "serving\n" || printed.String() != got {
		t.Errorf("it printed %q, of which %q was passed on", got, &printed)
	}
	// No server answers any more, and the webhook fails closed.
	if r := env.Run(t.Context(), s.Cases[0]); r.Passed() {
		t.Error("there is an answer after the end")
	}
}

// TestCommandThatIsBroken ends before it is ready.
func TestCommandThatIsBroken(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "configurations: [policy.yaml]\nwebhooks:\n" + command(t, "broken", "") + "cases:\n" + caseOf("a", "{}")})
	_, err := s.Start(t.Context(), suite.EnvironmentOptions{})
	var p *process.Error
	if !errors.As(err, &p) || p.Printed != "ended: it is broken\n" || !strings.Contains(err.Error(), "suite.yaml: document 1 (line 5): webhooks[0].exec: ") {
		t.Errorf("got %v", err)
	}
	// It is not started if all its webhooks have handlers.
	passes(t, start(t, s, all(reviewtest.Allow)), s.Cases)
}

// TestCommandThatIsBrief ends by itself, which its suite must not hide.
func TestCommandThatIsBrief(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "configurations: [policy.yaml]\nwebhooks:\n" + command(t, "brief", ", readiness: {log: serving}") +
		"cases:\n" + caseOf("a", "{}")})
	env, err := s.Start(t.Context(), suite.EnvironmentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	env.Run(t.Context(), s.Cases[0])
	waitForEnd(t, env.Printed())
	if r := env.Run(t.Context(), s.Cases[0]); r.Passed() {
		t.Error("there is an answer after the end")
	}
	if err := env.Close(); err == nil || !strings.Contains(err.Error(), "webhooks[0].exec: ") || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("got %v", err)
	}
}

// waitForEnd waits until there is no process any more of the number that is the
// first line of what it printed.
func waitForEnd(t *testing.T, printed string) {
	t.Helper()
	line, _, _ := strings.Cut(printed, "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if p, err := os.FindProcess(pid); err != nil || p.Signal(syscall.Signal(0)) != nil {
			return
		}
	}
	t.Fatal("it still runs")
}

// TestConversion has the conversion webhook of a custom kind be where the other
// webhooks are: while requests are made, and while they are admitted.
func TestConversion(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/convert", convert)
	mux.Handle("/", answer(deny))
	server := webhooktest.Serve(t, mux)
	entry, ca := served("", server)
	s := load(t, map[string]string{
		"suite.yaml": head + "configurations: [crd.yaml, widgets.yaml]\nwebhooks:\n" + entry + `
cases:
- name: a
  request: {resource: widgets.v1.example.com, object: {apiVersion: example.com/v2, kind: Widget, metadata: {name: a}}}
  expect: {code: 403, webhooks: [{name: widgets.example.com}]}
- name: b
  request: {object: {apiVersion: example.com/v2, kind: Widget, metadata: {name: a}}}
  expect: {code: 403, webhooks: [{name: widgets.example.com}]}
`,
		"crd.yaml": definition,
		"widgets.yaml": strings.Replace(hook("Validating", "widgets", "widgets.example.com", "{service: {name: widgets, namespace: webhooks}}", ""),
			`{apiGroups: ["*"], apiVersions: ["*"]`, `{apiGroups: [example.com], apiVersions: [v1]`, 1),
		"ca.crt": ca,
	})
	passes(t, start(t, s, suite.EnvironmentOptions{}), s.Cases)
}

// convert answers conversion reviews: the versions differ in nothing but their
// names.
func convert(w http.ResponseWriter, r *http.Request) {
	var review apiextensionsv1.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, o := range review.Request.Objects {
		text := strings.ReplaceAll(strings.ReplaceAll(string(o.Raw), "example.com/v1", "example.com/v2"), "example.com/v2", review.Request.DesiredAPIVersion)
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: []byte(text)})
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: widgets, namespace: webhooks, path: /convert}}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// TestFailingCase explains what happened, and what the author had written.
func TestFailingCase(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "configurations: [policy.yaml, label.yaml]\ncases:\n" + caseOf("a", "{called: [], object: {data: {a: b}}}")})
	r := start(t, s, all(label)).Run(t.Context(), s.Cases[0])
	var fields []string
	for _, f := range r.Failures {
		fields = append(fields, f.Field)
	}
	// policy.example.com may not patch, and fails closed.
	if diff := cmp.Diff([]string{"allowed", "object", "called", "called"}, fields); diff != "" || r.Passed() || r.Err != nil {
		t.Errorf("%v, %v (-want +got):\n%s", r.Err, r.Failures, diff)
	}
	text := r.Explain().String()
	for _, want := range []string{"CREATE configmaps/a in default by gatehouse: denied", "label.example.com (labels) allowed", `metadata.labels.by: "gatehouse" by label.example.com`} {
		if !strings.Contains(text, want) {
			t.Errorf("the explanation lacks %q:\n%s", want, text)
		}
	}
}

// TestInterruptedCase is not judged: it was denied by the interruption, if at
// all.
func TestInterruptedCase(t *testing.T) {
	t.Parallel()
	s := load(t, map[string]string{"suite.yaml": head + "configurations: [policy.yaml]\ncases:\n" + caseOf("a", "{}")})
	ctx, interrupt := context.WithCancel(t.Context())
	env := start(t, s, suite.EnvironmentOptions{Handlers: inProcess(map[string]http.Handler{"policy.example.com": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		interrupt()
		<-r.Context().Done()
	})})})
	r := env.Run(ctx, s.Cases[0])
	if !errors.Is(r.Err, context.Canceled) || r.Response != nil || r.Passed() || r.Explain() != nil {
		t.Errorf("got %+v", r)
	}
}
