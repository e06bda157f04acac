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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/whatif"
)

// answer is the response of the webhooks of the tests to a request, by the path of
// the webhook; nil for a failure.
type answer func(path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

// builder returns engines whose webhooks answer in this process.
func builder(with answer) whatif.Builder {
	o := session.NewOptions()
	o.Client = client.InProcess(with.handler)
	return whatif.Replaying(&replay.Options{Session: o})
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
