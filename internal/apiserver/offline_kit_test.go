package apiserver_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// outcome is what a request comes to: what webhooks see of it, and what the
// client gets.
type outcome struct {
	// Seen are the objects that the webhooks received, by path and field.
	Seen map[string]any
	// Object is the answer, nil if the request was rejected.
	Object any
	// Rejection is the status of a rejected request.
	Rejection *metav1.Status
	Warnings  []string
}

// tidy removes what only a server with a storage sets.
func tidy(object map[string]any) map[string]any {
	for _, field := range []string{"managedFields", "uid", "resourceVersion", "creationTimestamp", "generation"} {
		unstructured.RemoveNestedField(object, "metadata", field)
	}
	return object
}

// tidyRejection removes the order of several causes, which is random in a server,
// and with it the message that repeats them.
func tidyRejection(s *metav1.Status) *metav1.Status {
	s.TypeMeta, s.ListMeta = metav1.TypeMeta{}, metav1.ListMeta{}
	if s.Details == nil || len(s.Details.Causes) < 2 {
		return s
	}
	s.Message, _, _ = strings.Cut(s.Message, " is invalid: ")
	slices.SortFunc(s.Details.Causes, func(a, b metav1.StatusCause) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Message, b.Message))
	})
	return s
}

// recorder is a pair of webhooks that note what they receive, by the name of
// the object. The mutating one applies the patch in the annotation "patch".
type recorder struct {
	mu   sync.Mutex
	seen map[string]map[string]any
}

func (s *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reviewtest.Answer(func(asked *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		s.note(r.URL.Path+" object", asked.Name, asked.Object.Raw)
		s.note(r.URL.Path+" oldObject", asked.Name, asked.OldObject.Raw)
		answer := &admissionv1.AdmissionResponse{Allowed: true}
		var m metav1.PartialObjectMetadata
		if json.Unmarshal(asked.Object.Raw, &m) == nil && m.Annotations["patch"] != "" && r.URL.Path == "/mutate" {
			answer.Patch, answer.PatchType = []byte(m.Annotations["patch"]), new(admissionv1.PatchTypeJSONPatch)
		}
		return answer
	}).ServeHTTP(w, r)
}

func (s *recorder) note(what, name string, raw []byte) {
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[name] == nil {
		s.seen[name] = map[string]any{}
	}
	s.seen[name][what] = tidy(object)
}

// take returns what was seen of an object, and forgets it.
func (s *recorder) take(name string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen[name]
	delete(s.seen, name)
	return seen
}

// sending is one request: a CREATE, or an UPDATE of the object that old creates.
type sending struct {
	// version is v1 unless another one is given.
	version, subresource, fieldValidation string
	// old and object are what follows the kind and the metadata, in YAML.
	// annotations are those of the object.
	old, object string
	annotations map[string]string
}

func (w *sending) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "shapes.example.com", Version: w.version, Resource: "shapes"}
}

// body returns an object of the request.
func (w *sending) body(t *testing.T, name, rest string) *unstructured.Unstructured {
	t.Helper()
	body := map[string]any{}
	if err := yaml.Unmarshal([]byte(rest), &body); err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{Object: body}
	if object.GetKind() == "" {
		object.SetAPIVersion("shapes.example.com/" + w.version)
		object.SetKind("Shape")
	}
	object.SetNamespace("default")
	if object.GetName() == "" {
		object.SetName(name)
	}
	text, err := json.Marshal(object) // numbers are int64 or float64 when they are read again
	if err != nil {
		t.Fatal(err)
	}
	read := &unstructured.Unstructured{}
	if err := read.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return read
}

// atServer sends the request to the API server. It returns the stored object
// that an UPDATE replaced.
func (w *sending) atServer(t *testing.T, config *rest.Config, s *recorder, name string) (outcome, *unstructured.Unstructured) {
	t.Helper()
	var warnings warningList
	config = rest.CopyConfig(config)
	config.WarningHandler = &warnings
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	shapes := dynamicClient.Resource(w.resource()).Namespace("default")
	object := w.body(t, name, w.object)
	if len(w.annotations) > 0 {
		object.SetAnnotations(w.annotations)
	}
	var stored, answer *unstructured.Unstructured
	if w.old != "" {
		if stored, err = shapes.Create(t.Context(), w.body(t, name, w.old), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if status, ok := stored.Object["status"]; ok {
			t.Fatalf("a status has been stored: %v", status)
		}
		if with := w.body(t, name, w.old); with.Object["status"] != nil {
			with.SetResourceVersion(stored.GetResourceVersion())
			if stored, err = shapes.UpdateStatus(t.Context(), with, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		s.take(name)
		warnings.texts = nil
		object.SetResourceVersion(stored.GetResourceVersion())
		options := metav1.UpdateOptions{FieldValidation: w.fieldValidation}
		if w.subresource == "" {
			answer, err = shapes.Update(t.Context(), object, options)
		} else {
			answer, err = shapes.Update(t.Context(), object, options, w.subresource)
		}
	} else {
		answer, err = shapes.Create(t.Context(), object, metav1.CreateOptions{FieldValidation: w.fieldValidation})
	}
	got := outcome{Seen: s.take(name), Warnings: warnings.texts}
	if err != nil {
		var rejection apierrors.APIStatus
		if !errors.As(err, &rejection) {
			t.Fatal(err)
		}
		status := rejection.Status()
		got.Rejection = tidyRejection(&status)
		return got, stored
	}
	got.Object = tidy(answer.Object)
	return got, stored
}

// warningList collects the warnings of responses.
type warningList struct{ texts []string }

func (l *warningList) HandleWarningHeader(_ int, _, text string) { l.texts = append(l.texts, text) }

// offline sends the request through the webhooks without a server, as `gatehouse
// run` does.
func (w *sending) offline(t *testing.T, files string, s *recorder, name string, stored *unstructured.Unstructured) outcome {
	t.Helper()
	object := w.body(t, name, w.object)
	if len(w.annotations) > 0 {
		object.SetAnnotations(w.annotations)
	}
	request := map[string]any{
		"apiVersion": "gatehouse/v1alpha1", "kind": "AdmissionRequest", "object": object.Object,
		"resource": "shapes." + w.version + ".shapes.example.com",
	}
	if w.subresource != "" {
		request["subResource"] = w.subresource
	}
	if w.fieldValidation != "" {
		request["options"] = map[string]any{"fieldValidation": w.fieldValidation}
	}
	if stored != nil {
		request["oldObject"] = stored.Object
		object.SetResourceVersion(stored.GetResourceVersion())
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	o := session.NewOptions()
	o.Configs, o.Objects, o.Stderr = []string{files}, []string{write(t, string(text))}, t.Output()
	read, err := session.Read(o)
	if err != nil {
		t.Fatal(err)
	}
	d, objects := engine(t, read, s)
	response, err := simulate.Request(t.Context(), d, read.Requests[0], objects)
	if err != nil {
		t.Fatal(err)
	}
	got := outcome{Seen: s.take(name), Warnings: response.Warnings}
	if !response.Allowed {
		got.Rejection = tidyRejection(response.Status)
		return got
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(response.Object)
	if err != nil {
		t.Fatal(err)
	}
	got.Object = tidy(content)
	return got
}

// engine returns the engine for the webhooks of a session, which the recorder
// answers.
func engine(t *testing.T, read *session.Cluster, s *recorder) (*dispatcher.Dispatcher, apiadmission.ObjectInterfaces) {
	t.Helper()
	webhooks, err := source.Fixed(read.Configurations)
	if err != nil {
		t.Fatal(err)
	}
	namespaces, err := source.FixedNamespaces(namespace("default"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := dispatcher.New(dispatcher.Config{
		Source: webhooks, Namespaces: namespaces,
		Client: client.InProcess(func(*admission.Webhook) http.Handler { return s }),
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, read.Kinds.ObjectInterfaces()
}
