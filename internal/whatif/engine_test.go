package whatif_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/whatif"
)

// answer is the response of the webhooks of the tests to a request, by the path of
// the webhook; nil for a failure.
type answer func(path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// builder returns engines whose webhooks answer in this process.
func builder(with answer) whatif.Builder {
	return func(documents []*manifest.Document) (whatif.Engine, error) {
		known := cluster.NewKinds(&resolve.Dialer{}, nil, true)
		set, err := cluster.Read(&cluster.Files{
			Inline: documents, Optional: true, Namespace: metav1.NamespaceDefault,
		}, known)
		if err != nil {
			return nil, err
		}
		webhooks, err := source.Fixed(set.Configurations)
		if err != nil {
			return nil, err
		}
		namespaces := set.Namespaces
		for _, name := range []string{"blue", "green", "red"} {
			if set.DocumentOf("Namespace", "", name) == nil {
				namespaces = append(namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
			}
		}
		labels, err := source.FixedNamespaces(namespaces...)
		if err != nil {
			return nil, err
		}
		evaluator, err := set.Evaluator(policies.Inputs{Namespaces: namespaces, Authorizer: set.Authorizer()})
		if err != nil {
			return nil, err
		}
		d, err := dispatcher.New(dispatcher.Config{
			Source: webhooks, Client: client.InProcess(with.handler), Namespaces: labels,
			Authorizer: set.Authorizer(), Policies: evaluator,
		})
		return &engine{d, known.ObjectInterfaces()}, err
	}
}

func (with answer) handler(w *admission.Webhook) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var review admissionv1.AdmissionReview
		if err := json.Unmarshal(body, &review); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		response := with(r.URL.Path, review.Request)
		if response == nil {
			http.Error(out, "down", http.StatusInternalServerError)
			return
		}
		response.UID = review.Request.UID
		review.Request, review.Response = nil, response
		out.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(out).Encode(&review)
	})
}

// engine is the engine of the tests.
type engine struct {
	dispatcher *dispatcher.Dispatcher
	objects    apiadmission.ObjectInterfaces
}

func (e *engine) Close() {}

func (e *engine) Admit(ctx context.Context, entry *corpus.Entry) (*whatif.Outcome, error) {
	r, err := request.FromReview(entry.Review, e.objects)
	var response *admission.Response
	if err == nil {
		response, err = simulate.Request(ctx, e.dispatcher, r, e.objects)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		return &whatif.Outcome{
			Result:  &replay.Result{ID: entry.ID, Error: err.Error()},
			Explain: func() *explain.Explanation { return &explain.Explanation{} },
		}, nil
	}
	return &whatif.Outcome{
		Result:  resultOf(entry.ID, response),
		Explain: func() *explain.Explanation { return explain.Response(response, explain.ReasonsOnly()) },
	}, nil
}

func resultOf(id string, response *admission.Response) *replay.Result {
	e := explain.Response(response, explain.ReasonsOnly())
	q := response.Request
	r := &replay.Result{
		ID: id, Request: fmt.Sprintf("%s %s/%s in %s by %s", q.Operation, q.Resource.Resource, q.Name,
			q.Namespace, q.User.Username),
		Allowed: e.Allowed, Status: e.Status, Warnings: e.Warnings, Object: normal(e.Object),
		AuditAnnotations: map[string]string{},
	}
	for _, a := range e.AuditAnnotations {
		r.AuditAnnotations[a.Key] = a.Value
	}
	for _, round := range e.Rounds {
		for _, p := range round.Policies {
			r.Policies = append(r.Policies, policiesOf(&round, &p)...)
		}
		for _, w := range round.Webhooks {
			if w.Call == nil {
				continue
			}
			patch, _ := json.Marshal(w.Call.Patch)
			r.Calls = append(r.Calls, replay.Call{
				Phase: round.Phase, Round: round.Round, Configuration: w.Configuration, Webhook: w.Name,
				Outcome: w.Call.Outcome, Code: w.Call.Code, Error: w.Call.Error, Patch: patch,
			})
		}
	}
	return r
}

func policiesOf(round *explain.Round, p *explain.Policy) []replay.Policy {
	one := replay.Policy{Phase: round.Phase, Round: round.Round, Policy: p.Name, Outcome: "skipped"}
	if p.Error != "" {
		one.Outcome, one.Messages = "error", []string{p.Error}
		return []replay.Policy{one}
	}
	var all []replay.Policy
	for _, b := range p.Bindings {
		for i := range b.Evaluations {
			one.Binding = b.Name
			all = append(all, evaluated(one, &b.Evaluations[i]))
		}
		if b.Error != "" {
			one.Binding, one.Outcome, one.Messages = b.Name, "error", []string{b.Error}
			all = append(all, one)
		}
	}
	return all
}

func evaluated(one replay.Policy, e *explain.PolicyEvaluation) replay.Policy {
	one.Param, one.Outcome = e.Param, "passed"
	for _, v := range e.Validations {
		if v.Denied || v.Failed {
			one.Outcome, one.Messages = "failed", append(one.Messages, v.Message)
		}
	}
	for _, m := range e.Mutations {
		one.Outcome = "unchanged"
		if len(m.Changes) > 0 {
			one.Outcome = "mutated"
		}
	}
	if e.Excluded != "" {
		one.Outcome = "skipped"
	}
	return one
}

// normal returns an object without what differs from run to run.
func normal(object json.RawMessage) json.RawMessage {
	var value map[string]any
	if json.Unmarshal(object, &value) != nil {
		return object
	}
	metadata, _ := value["metadata"].(map[string]any)
	for _, field := range []string{"uid", "creationTimestamp", "managedFields"} {
		delete(metadata, field)
	}
	text, _ := json.Marshal(value)
	return text
}

// entry returns an entry of a corpus.
func entry(t testing.TB, id string, q *admissionv1.AdmissionRequest) *corpus.Entry {
	t.Helper()
	q.UID = "00000000-0000-4000-8000-000000000001"
	text, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: q,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &corpus.Entry{ID: id, Source: corpus.FromReview, Review: text}
}

// allow allows a request.
func allow() *admissionv1.AdmissionResponse { return &admissionv1.AdmissionResponse{Allowed: true} }

// deny denies a request.
func deny(message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{
		Result: &metav1.Status{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: message},
	}
}

// patch allows a request and merges fields into a map of the object's metadata.
func patch(object map[string]any, field string, values map[string]string) *admissionv1.AdmissionResponse {
	metadata, _ := object["metadata"].(map[string]any)
	now, _ := metadata[field].(map[string]any)
	merged := map[string]any{}
	for key, value := range now {
		merged[key] = value
	}
	for key, value := range values {
		merged[key] = value
	}
	text, _ := json.Marshal([]map[string]any{{"op": "add", "path": "/metadata/" + field, "value": merged}})
	kind := admissionv1.PatchTypeJSONPatch
	return &admissionv1.AdmissionResponse{Allowed: true, Patch: text, PatchType: &kind}
}

// shop are the webhooks of testdata/before.yaml.
func shop(path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var object map[string]any
	_ = json.Unmarshal(r.Object.Raw, &object)
	metadata, _ := object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	switch path {
	case "/team":
		if labels["team"] == nil {
			return patch(object, "labels", map[string]string{"team": r.Namespace})
		}
	case "/seen":
		return patch(object, "annotations", map[string]string{"seen-team": fmt.Sprint(labels["team"])})
	case "/down":
		return nil
	case "/latest":
		if bytes.Contains(r.Object.Raw, []byte(`:latest"`)) {
			return deny("no image may be latest")
		}
	case "/replicas":
		if bytes.Contains(r.Object.Raw, []byte(`"replicas":20`)) {
			return deny("too many replicas")
		}
	case "/exec":
		if strings.HasPrefix(r.UserInfo.Username, "mallory") {
			return deny("mallory may not use exec")
		}
	case "/warn":
		return &admissionv1.AdmissionResponse{Allowed: true, Warnings: []string{"this is old"}}
	}
	return allow()
}

// cache has the engines of the tests by the content of their sets.
var cache sync.Map

// cached returns a builder that builds one engine for equal sets, which admits each
// request once.
func cached(build whatif.Builder) whatif.Builder {
	return func(documents []*manifest.Document) (whatif.Engine, error) {
		var texts []string
		for _, d := range documents {
			var value any
			if err := json.Unmarshal(d.JSON, &value); err != nil {
				return nil, err
			}
			text, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			texts = append(texts, string(text))
		}
		slices.Sort(texts)
		made, _ := cache.LoadOrStore(strings.Join(texts, "\n"), sync.OnceValues(func() (whatif.Engine, error) {
			engine, err := build(documents)
			return &cachedEngine{Engine: engine}, err
		}))
		return made.(func() (whatif.Engine, error))()
	}
}

// cachedEngine admits each request once.
type cachedEngine struct {
	whatif.Engine
	outcomes sync.Map
}

func (e *cachedEngine) Close() {}

func (e *cachedEngine) Admit(ctx context.Context, entry *corpus.Entry) (*whatif.Outcome, error) {
	if o, ok := e.outcomes.Load(entry.ID); ok {
		return o.(*whatif.Outcome), nil
	}
	o, err := e.Engine.Admit(ctx, entry)
	if err == nil {
		e.outcomes.Store(entry.ID, o)
	}
	return o, err
}
