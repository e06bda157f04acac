package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
	"example.com/gatehouse/internal/testutil/reviewtest"
	apiservertest "example.com/gatehouse/test/apiserver"
)

// manifests configure webhooks and policies of each sort: what decides and what cannot be
// reached, in each phase, by labels of the object and of its namespace.
var manifests = strings.ReplaceAll(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 1}, parts: {type: array, items: {type: string}}}}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: changes}
webhooks:
- {name: team.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /team}}, RULES, admissionReviewVersions: [v1], sideEffects: None, reinvocationPolicy: IfNeeded}
- {name: tier.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /tier}}, RULES, admissionReviewVersions: [v1], sideEffects: None, objectSelector: {matchExpressions: [{key: tier, operator: Exists}]}}
- {name: open.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /broken}}, RULES, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Ignore, objectSelector: {matchLabels: {fail: open}}}
- {name: closed.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /broken}}, RULES, admissionReviewVersions: [v1], sideEffects: None, objectSelector: {matchLabels: {fail: closed}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: checks}
webhooks:
- {name: guard.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /guard}}, RULES, admissionReviewVersions: [v1], sideEffects: None, namespaceSelector: {matchLabels: {guarded: "yes"}}}
- {name: team.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /both}}, RULES, admissionReviewVersions: [v1], sideEffects: None, objectSelector: {matchLabels: {deny: both}}}
- {name: open.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /broken}}, RULES, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Ignore, objectSelector: {matchLabels: {fail: open-later}}}
- {name: late.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /broken}}, RULES, admissionReviewVersions: [v1], sideEffects: None, objectSelector: {matchLabels: {fail: closed-later}}}
- {name: side.example.com, clientConfig: {service: {namespace: system, name: webhook, path: /guard}}, RULES, admissionReviewVersions: [v1], sideEffects: NoneOnDryRun, objectSelector: {matchLabels: {deny: side}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: policy}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["", apps, example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps, deployments, widgets]}]}
  validations: [{expression: "!has(object.metadata.labels) || !('deny' in object.metadata.labels) || object.metadata.labels.deny != 'policy'", message: not by policy}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: policy}
spec: {policyName: policy, validationActions: [Deny, Audit]}
`, "RULES", `rules: [{apiGroups: ["", apps, example.com], apiVersions: [v1], operations: ["*"], resources: [configmaps, deployments, deployments/status, deployments/scale, secrets, widgets, widgets/status]}]`)

// labelled is an object with labels.
type labelled struct {
	Metadata struct{ Labels map[string]string }
}

// labelsOf returns the labels of the object of a request, or of the old one.
func labelsOf(q *admissionv1.AdmissionRequest) map[string]string {
	var of labelled
	raw := q.Object.Raw
	if raw == nil {
		raw = q.OldObject.Raw
	}
	_ = json.Unmarshal(raw, &of) // options have none
	return of.Metadata.Labels
}

// webhooks are those of the manifests.
func webhooks() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/team", reviewtest.Answer(func(q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		labels := labelsOf(q)
		switch {
		case labels["deny"] == "mutating":
			return denied("the team")
		case len(labels) == 0, labels["team"] != "", q.Object.Raw == nil, q.SubResource == "scale":
			return reviewtest.Allow(q)
		}
		return patched(`[{"op":"add","path":"/metadata/labels/team","value":"a"}]`)
	}))
	mux.Handle("/tier", reviewtest.Answer(func(q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if q.Object.Raw == nil || labelsOf(q)["tier"] == "front" {
			return reviewtest.Allow(q)
		}
		r := patched(`[{"op":"replace","path":"/metadata/labels/tier","value":"front"}]`)
		r.AuditAnnotations = map[string]string{"tier": "was " + labelsOf(q)["tier"]}
		return r
	}))
	mux.Handle("/guard", reviewtest.Answer(func(q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		labels := labelsOf(q)
		if labels["deny"] == "validating" || labels["keep"] != "" && q.Operation == admissionv1.Delete {
			return denied("")
		}
		return reviewtest.Allow(q)
	}))
	mux.Handle("/both", reviewtest.Answer(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { return denied("both") }))
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) })
	return mux
}

func denied(message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Message: message, Code: http.StatusTeapot}}
}

func patched(patch string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte(patch), PatchType: new(admissionv1.PatchTypeJSONPatch)}
}

// shopServer is a server with an audit log that records each request, too, as it reaches
// admission.
type shopServer struct {
	t      *testing.T
	host   string
	client *http.Client
	log    string
	files  []string
	// recorded is the corpus of the server itself.
	recorded string
	users    int
	stop     func()
}

func startShop(t *testing.T, policy string) *shopServer {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := &shopServer{t: t, log: filepath.Join(dir, "audit.log"), recorded: filepath.Join(dir, "recorded")}
	s.files = []string{file("manifests.yaml", manifests)}
	writer := must(corpus.Create(s.recorded))(t)
	recorder := corpus.NewRecorder(corpus.RecorderConfig{Writer: writer, Options: corpus.Options{Source: corpus.FromServe}, MaxQueue: 1 << 20})
	server := must(apiserver.Start(context.Background(), apiserver.Config{
		Admission: apiserver.DefaultAdmission("", plugin.WithRecorder(recorder.Record)),
		Webhooks:  serviceresolver.Config{Handlers: map[serviceresolver.Service]http.Handler{{Namespace: "system", Name: "webhook"}: webhooks()}},
		Audit:     apiserver.Audit{PolicyFile: file("policy.yaml", policy), LogFile: s.log},
	}))(t)
	s.stop = func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
		if err := recorder.Close(); err != nil {
			t.Error(err)
		}
	}
	config := server.ClientConfig()
	apiservertest.Install(t, config, s.files...)
	config.QPS, config.Timeout = -1, time.Minute
	s.host, s.client = config.Host, must(rest.HTTPClientFor(config))(t)
	return s
}

// do sends a request as a user of its own. It returns the body of the response.
func (s *shopServer) do(method, path, contentType, body string) []byte {
	s.t.Helper()
	q := must(http.NewRequestWithContext(s.t.Context(), method, s.host+path, strings.NewReader(body)))(s.t)
	s.users++
	q.Header.Set("Impersonate-User", fmt.Sprint("user-", s.users))
	q.Header.Set("Impersonate-Uid", fmt.Sprint("uid-", s.users))
	q.Header.Set("Impersonate-Group", "system:masters")
	q.Header.Set("Impersonate-Extra-Reason", "a test")
	q.Header.Set("Content-Type", contentType)
	q.Header.Set("User-Agent", "test/v1")
	response := must(s.client.Do(q))(s.t)
	defer response.Body.Close()
	return must(io.ReadAll(response.Body))(s.t)
}

const asJSON = "application/json"

// stored returns an object as it is stored; nil if there is none.
func (s *shopServer) stored(path string) map[string]any {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(s.do(http.MethodGet, path, asJSON, "")))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil || object["kind"] == "Status" {
		return nil
	}
	return object
}
