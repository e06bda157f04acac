package history_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/audittest"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

// step is one operation that a webhook makes, whatever the object has.
type step struct {
	op, key, value string
	at             int
}

func drawSteps(t *rapid.T) []step {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			rapid.SampledFrom([]string{"set", "remove", "append", "insert", "drop", "label"}).Draw(t, "op"),
			rapid.SampledFrom([]string{"a", "b", "c/d"}).Draw(t, "key"),
			rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "value"),
			rapid.IntRange(0, 2).Draw(t, "at"),
		}
	}), 0, 4).Draw(t, "steps")
}

// operations returns the JSON patch of the steps for an object.
func operations(steps []step, object map[string]any) []byte {
	all := []map[string]any{}
	spec, _ := object["spec"].(map[string]any)
	items, _ := spec["items"].([]any)
	n := len(items)
	_, labelled, _ := unstructured.NestedMap(object, "metadata", "labels")
	for _, s := range steps {
		path := "/spec/" + strings.ReplaceAll(s.key, "/", "~1")
		switch {
		case s.op == "set":
			all = append(all, map[string]any{"op": "add", "path": path, "value": map[string]any{"v": s.value}})
			spec = map[string]any{s.key: true}
		case s.op == "remove" && spec[s.key] != nil:
			all = append(all, map[string]any{"op": "remove", "path": path})
			spec = nil
		case s.op == "append":
			all = append(all, map[string]any{"op": "add", "path": "/spec/items/-", "value": map[string]any{"name": s.key, "v": s.value}})
			n++
		case s.op == "insert" && s.at <= n:
			all = append(all, map[string]any{"op": "add", "path": fmt.Sprint("/spec/items/", s.at), "value": s.value})
			n++
		case s.op == "drop" && s.at < n:
			all = append(all, map[string]any{"op": "remove", "path": fmt.Sprint("/spec/items/", s.at)})
			n--
		case s.op == "label":
			if !labelled {
				all = append(all, map[string]any{"op": "add", "path": "/metadata/labels", "value": map[string]any{}})
				labelled = true
			}
			all = append(all, map[string]any{"op": "add", "path": "/metadata/labels/" + s.value, "value": fmt.Sprint(s.at)})
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return text
}

// handler is a webhook that makes the steps.
func handler(steps []step) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var review admissionv1.AdmissionReview
		var object map[string]any
		if json.Unmarshal(body, &review) != nil || json.Unmarshal(review.Request.Object.Raw, &object) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		if patch := operations(steps, object); string(patch) != "[]" {
			response.Patch, response.PatchType = patch, new(admissionv1.PatchTypeJSONPatch)
		}
		review.Request, review.Response = nil, response
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	})
}

// chain is a cluster with some mutating webhooks.
type chain struct {
	dispatcher *dispatcher.Dispatcher
	kinds      *kinds.Registry
}

func newChain(t *rapid.T, webhooks [][]step) *chain {
	var objects []runtime.Object
	handlers := map[string]http.Handler{}
	for i, steps := range webhooks {
		name := fmt.Sprintf("hook-%d.example.com", i)
		handlers[name] = handler(steps)
		policy := registrationv1.NeverReinvocationPolicy
		if rapid.Bool().Draw(t, "again") {
			policy = registrationv1.IfNeededReinvocationPolicy
		}
		objects = append(objects, &registrationv1.MutatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("config-%d", i)},
			Webhooks: []registrationv1.MutatingWebhook{{
				Name: name, ReinvocationPolicy: &policy, AdmissionReviewVersions: []string{"v1"},
				ClientConfig: registrationv1.WebhookClientConfig{URL: new("https://webhook.example.com")},
				SideEffects:  new(registrationv1.SideEffectClassNone),
				Rules: []registrationv1.RuleWithOperations{{
					Operations: []registrationv1.OperationType{"*"},
					Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
				}},
			}},
		})
	}
	fixed, err := source.Fixed(objects)
	if err != nil {
		t.Fatal(err)
	}
	c := &chain{kinds: kinds.New()}
	c.dispatcher, err = dispatcher.New(dispatcher.Config{Source: fixed, Trace: true, Client: client.InProcess(
		func(w *admission.Webhook) http.Handler { return handlers[w.Name] })})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.kinds.AddCRD(definition()); err != nil {
		t.Fatal(err)
	}
	return c
}

func definition() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"}}
	crd.Spec.Group, crd.Spec.Scope = "example.com", apiextensionsv1.NamespaceScoped
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: "Widget", ListKind: "WidgetList", Plural: "widgets", Singular: "widget"}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)}}}}
	return crd
}

// send admits an object and adds the event to the log. body is what the client sends.
func (c *chain) send(t *rapid.T, log *audittest.Log, verb string, object, old *unstructured.Unstructured, body []byte) *admission.Response {
	request := &admission.Request{
		Operation: admissionv1.Create, Kind: widget, Resource: widget.GroupVersion().WithResource("widgets"),
		Namespace: "shop", Name: "w", Object: object, User: &authenticationv1.UserInfo{Username: "ann"},
	}
	if old != nil {
		request.Operation, request.OldObject = admissionv1.Update, old
	}
	r, err := simulate.Request(context.Background(), c.dispatcher, request, c.kinds.ObjectInterfaces())
	if err != nil || !r.Allowed {
		t.Fatal(err, r.Status)
	}
	stored, err := json.Marshal(r.Object)
	if err != nil {
		t.Fatal(err)
	}
	edits := []audittest.Edit{audittest.Of("example.com", "widgets", "shop", "w"), audittest.Answer(string(stored))}
	for _, a := range r.AuditAnnotations {
		edits = append(edits, audittest.Annotated(a.Key, a.Value))
	}
	log.Add(verb, "ann", string(body), edits...)
	return r
}

func drawWidget(t *rapid.T) *unstructured.Unstructured {
	w := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"items": []any{}}}}
	w.SetGroupVersionKind(widget)
	w.SetNamespace("shop")
	w.SetName("w")
	patch, err := jsonpatch.DecodePatch(operations(drawSteps(t), w.Object))
	if err != nil {
		t.Fatal(err)
	}
	text, err := patch.Apply(encode(t, w))
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

func encode(t *rapid.T, w *unstructured.Unstructured) []byte {
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(text)
}

func decode(t *rapid.T, text []byte) *unstructured.Unstructured {
	w := &unstructured.Unstructured{}
	if err := w.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestBlameAsTheEngine: for drawn webhooks and requests, what the log says about who wrote
// which field is what the engine's own trace says.
func TestBlameAsTheEngine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var webhooks [][]step
		for range rapid.IntRange(0, 4).Draw(rt, "webhooks") {
			webhooks = append(webhooks, drawSteps(rt))
		}
		c := newChain(rt, webhooks)
		var log audittest.Log
		created := drawWidget(rt)
		responses := []*admission.Response{c.send(rt, &log, "create", created, nil, encode(rt, created))}
		old := responses[0].Object.(*unstructured.Unstructured)
		updated := drawWidget(rt)
		verb, body := "update", encode(rt, updated)
		if rapid.Bool().Draw(rt, "patch") {
			verb, body = "patch", []byte(`{"metadata":{"labels":{"x":null,"w":"1"}},"spec":{"a":{"v":"x"}}}`)
			merged, err := jsonpatch.MergePatch(encode(rt, old), body)
			if err != nil {
				rt.Fatal(err)
			}
			updated = decode(rt, merged)
		}
		responses = append(responses, c.send(rt, &log, verb, updated, old, body))
		entries := entriesOf(t, log.Text(), "widgets/shop/w")
		for i, r := range responses {
			want, got := explain.Response(r), entries[i].Explanation
			if d := cmp.Diff(blameOf(want), blameOf(got)); d != "" || len(got.Problems) > 0 {
				rt.Errorf("request %d: problems %q, -engine +log\n%s", i, got.Problems, d)
			}
		}
	})
}

// blameOf returns what an explanation says about writers. In-process trace has the same
// values as the log.
func blameOf(e *explain.Explanation) any {
	return []any{e.Fields, e.Removed, e.Fights, string(e.Object)}
}
