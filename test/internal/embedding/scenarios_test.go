package embedding

import (
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// scenario does something and writes it down.
type scenario struct {
	name, why string
	run       func(*testing.T, *world)
}

func scenarios() []scenario {
	return []scenario{
		{"verbs", "I-A1 to I-A4: what each verb shows webhooks of both phases", verbs},
		{"collection", "I-A5: a deleted collection shows its members without their names", collection},
		{"subresources", "I-A6, I-A7: status and scale, updated and patched", subresources},
		{"apply", "S-362: server-side apply creates or updates", apply},
		{"answers", "denials, warnings and failures arrive in upstream's words", answers},
		{"reinvocation", "I-R: a plugin of the server changes the object after a webhook", reinvocation},
		{"equivalence", "I-G1: each webhook sees objects in its own version", equivalence},
		{"pruning", "E-12: what a webhook adds and no schema knows is not stored", pruning},
		{"authorizer", "S-023: conditions may ask the authorizer of the server", authorizes},
		{"annotations", "S-310 to S-316: who changed what, at which audit level", annotations},
		{"connect", "I-A10: webhooks see and change the options of a CONNECT request", connect},
		{"services", "S-272, S-273: webhooks behind services, and one without endpoints", services},
		{"certificates", "S-280, S-281: a client certificate for one service, and for no other", certificates},
		{manifestsScenario, "S-050, S-051, S-054: webhooks of static manifests come first", manifests},
	}
}

// watched installs a webhook in each phase that writes down what it is shown,
// and one that fails open.
func (w *world) watched(t *testing.T) {
	t.Helper()
	failing := hook{name: "failing", answer: broken, open: true}
	w.mutating(t, hook{name: "mutating", answer: w.noted(t, "mutating", allow)}, failing)
	w.validating(t, hook{name: "validating", answer: w.noted(t, "validating", allow)}, failing)
}

// asked is a client's call: the result type of dynamic clients.
type asked func() (*unstructured.Unstructured, error)

// create creates an object that is only there for what follows.
func (w *world) create(t *testing.T, name string) {
	t.Helper()
	created := w.do(t, "given "+name, func() (*unstructured.Unstructured, error) {
		return w.on(w.first).Create(t.Context(), w.object(t, w.first, name, 1), metav1.CreateOptions{})
	})
	if created == nil {
		t.Fatalf("%s cannot be created: %s", name, w.text())
	}
}

// do writes down a client's call and its result. It returns when the server's
// cache has the object, because a server that starts with an old object calls
// webhooks once more.
func (w *world) do(t *testing.T, what string, ask asked) *unstructured.Unstructured {
	t.Helper()
	w.note("%s", what)
	object, err := ask()
	w.outcome(err)
	if err != nil || object == nil || object.GetResourceVersion() == "" {
		return object
	}
	options := metav1.GetOptions{ResourceVersion: object.GetResourceVersion()}
	if _, err := w.on(w.first).Get(t.Context(), object.GetName(), options); err != nil {
		t.Fatalf("waiting for the cache: %v", err)
	}
	return object
}

func verbs(t *testing.T, w *world) {
	w.watched(t)
	client, object := w.on(w.first), w.object(t, w.first, "a", 1)
	patch := func(of types.PatchType, text string) asked {
		return func() (*unstructured.Unstructured, error) {
			return client.Patch(t.Context(), "a", of, []byte(text), metav1.PatchOptions{})
		}
	}
	w.do(t, "create in dry run", func() (*unstructured.Unstructured, error) {
		_, err := client.Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return nil, err
	})
	object = w.do(t, "create", func() (*unstructured.Unstructured, error) {
		return client.Create(t.Context(), object, metav1.CreateOptions{FieldManager: "me"})
	})
	w.do(t, "update", func() (*unstructured.Unstructured, error) {
		w.resize(t, object, 2)
		return client.Update(t.Context(), object, metav1.UpdateOptions{})
	})
	w.do(t, "merge patch", patch(types.MergePatchType, `{"metadata":{"labels":{"a":"b"}}}`))
	w.do(t, "json patch", patch(types.JSONPatchType, `[{"op":"remove","path":"/metadata/labels"}]`))
	w.do(t, "delete what is not there", func() (*unstructured.Unstructured, error) {
		return nil, client.Delete(t.Context(), "b", metav1.DeleteOptions{})
	})
	w.do(t, "delete", func() (*unstructured.Unstructured, error) {
		return nil, client.Delete(t.Context(), "a", metav1.DeleteOptions{
			GracePeriodSeconds: new(int64), PropagationPolicy: new(metav1.DeletePropagationBackground),
		})
	})
}

func collection(t *testing.T, w *world) {
	client := w.on(w.first)
	for _, name := range []string{"a", "b"} {
		w.create(t, name)
	}
	w.watched(t)
	w.do(t, "delete a collection", func() (*unstructured.Unstructured, error) {
		return nil, client.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
	})
}

func subresources(t *testing.T, w *world) {
	client := w.on(w.first)
	w.create(t, "a")
	w.watched(t)
	get := func(subresource ...string) *unstructured.Unstructured {
		t.Helper()
		found, err := client.Get(t.Context(), "a", metav1.GetOptions{}, subresource...)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	w.do(t, "update status", func() (*unstructured.Unstructured, error) {
		object := get()
		if err := unstructured.SetNestedField(object.Object, int64(1), "status", "replicas"); err != nil {
			return nil, err
		}
		return client.UpdateStatus(t.Context(), object, metav1.UpdateOptions{})
	})
	w.do(t, "patch status", func() (*unstructured.Unstructured, error) {
		return client.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"status":{"replicas":2}}`), metav1.PatchOptions{}, "status")
	})
	w.do(t, "update scale", func() (*unstructured.Unstructured, error) {
		scale := get("scale")
		if err := unstructured.SetNestedField(scale.Object, int64(5), "spec", "replicas"); err != nil {
			return nil, err
		}
		return client.Update(t.Context(), scale, metav1.UpdateOptions{}, "scale")
	})
	w.do(t, "patch scale", func() (*unstructured.Unstructured, error) {
		return client.Patch(t.Context(), "a", types.MergePatchType, []byte(`{"spec":{"replicas":6}}`), metav1.PatchOptions{}, "scale")
	})
}

func apply(t *testing.T, w *world) {
	w.watched(t)
	client := w.on(w.first)
	for _, size := range []int64{1, 2} {
		w.do(t, "apply", func() (*unstructured.Unstructured, error) {
			return client.Apply(t.Context(), "a", w.object(t, w.first, "a", size), metav1.ApplyOptions{FieldManager: "me"})
		})
	}
	w.do(t, "apply as another manager", func() (*unstructured.Unstructured, error) {
		return client.Apply(t.Context(), "a", w.object(t, w.first, "a", 3), metav1.ApplyOptions{FieldManager: "other"})
	})
	w.do(t, "apply with force", func() (*unstructured.Unstructured, error) {
		return client.Apply(t.Context(), "a", w.object(t, w.first, "a", 3), metav1.ApplyOptions{FieldManager: "other", Force: true})
	})
}

func answers(t *testing.T, w *world) {
	// say does what a label of the object names.
	say := func(phase string) answer {
		return func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			object := &unstructured.Unstructured{}
			if err := object.UnmarshalJSON(r.Object.Raw); err != nil {
				return deny(err.Error())(r)
			}
			switch object.GetLabels()[phase] {
			case "warn":
				response := allow(r)
				response.Warnings = []string{"from " + phase, "and once more"}
				return response
			case "deny":
				return deny("no, says " + phase)(r)
			case "wordless":
				return &admissionv1.AdmissionResponse{}
			case "spoil":
				return patch(`[{"op":"add","path":"/not/there","value":1}]`)(r)
			case "fail":
				return &admissionv1.AdmissionResponse{Allowed: true, Patch: []byte("[]")}
			}
			return allow(r)
		}
	}
	w.mutating(t, hook{name: "first", answer: say("first")})
	w.validating(t, hook{name: "second", answer: say("second")})
	for _, labels := range []map[string]string{
		{"first": "warn", "second": "warn"}, {"first": "deny"}, {"second": "deny"}, {"first": "wordless"}, {"second": "wordless"},
		{"first": "spoil"}, {"second": "spoil"}, {"first": "fail"},
	} {
		object := w.object(t, w.first, "a", 1)
		object.SetLabels(labels)
		w.do(t, "first "+labels["first"]+", second "+labels["second"], func() (*unstructured.Unstructured, error) {
			return w.on(w.first).Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		})
	}
}

func reinvocation(t *testing.T, w *world) {
	w.mutating(t,
		hook{name: "once", answer: w.noted(t, "once", allow)},
		hook{name: "again", answer: w.noted(t, "again", patch(`[{"op":"add","path":"/metadata/labels","value":{"stamp":"please"}}]`)), again: true},
	)
	w.validating(t, hook{name: "validating", answer: w.noted(t, "validating", allow)})
	w.createOne(t, "a")
}

func equivalence(t *testing.T, w *world) {
	version := func(at schema.GroupVersionResource) []registrationv1.MatchCondition {
		return []registrationv1.MatchCondition{{Name: "version", Expression: "object.apiVersion == '" + at.GroupVersion().String() + "'"}}
	}
	of := func(name string, at schema.GroupVersionResource) hook {
		return hook{name: name, answer: w.noted(t, name, allow), rules: everything(at.Group, at.Version), conditions: version(at)}
	}
	w.mutating(t, of("first", w.first), of("second", w.second))
	w.validating(t, of("validating", w.second))
	for _, at := range []schema.GroupVersionResource{w.first, w.second} {
		w.do(t, "create "+at.Version, func() (*unstructured.Unstructured, error) {
			return w.on(at).Create(t.Context(), w.object(t, at, "by-"+at.Version, 3), metav1.CreateOptions{})
		})
	}
	w.do(t, "update the second version of what was created as the first", func() (*unstructured.Unstructured, error) {
		object, err := w.on(w.second).Get(t.Context(), "by-"+w.first.Version, metav1.GetOptions{})
		if err != nil {
			return nil, err
		}
		w.resize(t, object, 4)
		return w.on(w.second).Update(t.Context(), object, metav1.UpdateOptions{})
	})
}

func annotations(t *testing.T, w *world) {
	w.mutating(t, hook{name: "labels", answer: patch(addsLabel)})
	w.validating(t, hook{name: "annotates", answer: func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		response := allow(r)
		response.AuditAnnotations = map[string]string{"seen": "yes"}
		return response
	}})
	for _, name := range []string{atMetadata, "at-request"} {
		w.do(t, "apply "+name, func() (*unstructured.Unstructured, error) {
			return w.on(w.first).Apply(t.Context(), name, w.object(t, w.first, name, 1), metav1.ApplyOptions{FieldManager: "me"})
		})
	}
}

func pruning(t *testing.T, w *world) {
	w.mutating(t, hook{name: "adds", answer: patch(`[{"op":"add","path":"/spec/unknown","value":1}]`)})
	w.validating(t, hook{name: "validating", answer: w.noted(t, "validating", allow)})
	w.createOne(t, "a")
	stored, err := w.on(w.first).Get(t.Context(), "a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.note("  stored: %v", stored.Object["spec"])
}

func authorizes(t *testing.T, w *world) {
	asks := func(name, expression string) hook {
		return hook{name: name, answer: w.noted(t, name, allow), conditions: []registrationv1.MatchCondition{{Name: "may", Expression: expression}}}
	}
	const may = "authorizer.group('').resource('pods').check('get').allowed()"
	w.mutating(t, asks("may", may), asks("may-not", "!"+may))
	w.validating(t, asks("validating", may))
	w.createOne(t, "a")
}

func connect(t *testing.T, w *world) {
	phones := everything(phoneVersion.Group, "*")
	failing := hook{name: "failing", answer: broken, rules: phones, open: true}
	dial := patch(`[{"op":"replace","path":"/number","value":"2"}]`)
	check := func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if r.Name == "locked" {
			return deny("the phone is locked")(r)
		}
		return allow(r)
	}
	w.mutating(t, hook{name: "mutating", answer: w.noted(t, "mutating", dial), rules: phones}, failing)
	w.validating(t, hook{name: "validating", answer: w.noted(t, "validating", check), rules: phones}, failing)
	for _, name := range []string{"kitchen", "locked"} {
		w.note("connect %s", name)
		status, text := w.send(t, fmt.Sprintf("/apis/%s/namespaces/%s/phones/%s/call?number=1", phoneVersion, w.namespace, name))
		w.note("  %d: %s", status, w.plain(strings.TrimSpace(text)))
	}
}

// addsLabel adds a label to an object without labels.
const addsLabel = `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`

// calledBy makes a webhook write down how it was called.
func (w *world) calledBy(name string, a answer) answer {
	return func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		w.note("  %s: %s", name, w.hooks.caller(hookPath(w.namespace, name)))
		return a(r)
	}
}

func services(t *testing.T, w *world) {
	away := hook{name: "away", service: "away", answer: allow, open: true}
	w.mutating(t, hook{name: "mutating", service: plainService, answer: w.calledBy("mutating", patch(addsLabel))}, away)
	w.validating(t, hook{name: "validating", service: plainService, answer: w.calledBy("validating", deny("no"))}, away)
	w.createOne(t, "a")
}

func certificates(t *testing.T, w *world) {
	of := func(name, service string) hook {
		return hook{name: name, service: service, answer: w.calledBy(name, allow)}
	}
	failing := hook{name: "failing", service: certifiedService, answer: broken, open: true}
	w.mutating(t, of("certified", certifiedService), of("plain", plainService), of("url", ""), failing)
	w.validating(t, of("validating", certifiedService), failing)
	w.createOne(t, "a")
}

func manifests(t *testing.T, w *world) {
	for _, phase := range []string{"mutating", "validating"} {
		name := phase + "-" + staticHook
		w.hooks.serve(t, hookPath(w.namespace, name), w.noted(t, name, allow))
	}
	w.createOne(t, "a")
	const first = "mutating-" + staticHook
	w.hooks.serve(t, hookPath(w.namespace, first), w.noted(t, first, patch(addsLabel)))
	w.mutating(t, hook{name: "mutating", answer: w.noted(t, "mutating", allow)})
	w.createOne(t, "b")
	w.noteManifestMetrics(t)
}

// createOne creates an object with a name.
func (w *world) createOne(t *testing.T, name string) {
	t.Helper()
	w.do(t, "create", func() (*unstructured.Unstructured, error) {
		return w.on(w.first).Create(t.Context(), w.object(t, w.first, name, 1), metav1.CreateOptions{})
	})
}
