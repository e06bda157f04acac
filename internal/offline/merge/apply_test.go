package merge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/applyconfigurations"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	clienttesting "k8s.io/client-go/testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// head is the beginning of configurations of the deployment.
const head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n"

// sequence is who applies what, one after the other.
type sequence struct {
	row
	steps []step
}

type step struct {
	manager, config string
	force           bool
}

func sequences() []sequence {
	const three, five = head + "spec: {replicas: 3}", head + "spec: {replicas: 5}"
	const image = head + `spec: {template: {spec: {containers: [{name: web, image: "web:2"}]}}}`
	return []sequence{
		{row{"create", "no field has an owner yet"}, []step{{"a", three, false}}},
		{row{"again", "nothing changes"}, []step{{"a", three, false}, {"a", three, false}}},
		{row{"other value", "its own field"}, []step{{"a", three, false}, {"a", five, false}}},
		{row{"gives up", "what it does not give any more is removed"}, []step{{"a", three, false}, {"a", head, false}}},
		{row{"share", "two own the same value, and one gives it up"}, []step{{"a", three, false}, {"b", three, false}, {"a", head, false}}},
		{row{"conflict", "another value needs force"}, []step{{"a", three, false}, {"b", five, false}}},
		{row{"force", "the field changes hands"}, []step{{"a", three, false}, {"b", five, true}, {"a", three, false}}},
		{row{"elements", "lists are merged by their keys"}, []step{{"a", image, false}, {"b", head + `spec: {template: {spec: {containers: [{name: log, image: "l"}]}}}`, false}, {"a", head, false}}},
		{row{"conflicts", "several in one message"}, []step{{"a", image, false}, {"b", three, false}, {"c", head + `spec: {replicas: 1, template: {spec: {containers: [{name: web, image: "x"}]}}}`, false}}},
		{row{"unknown field", "the schema knows"}, []step{{"a", head + "spec: {bogus: 1}", false}}},
		{row{"element twice", "keys are unique"}, []step{{"a", head + "spec: {template: {spec: {containers: [{name: a}, {name: a}]}}}", false}}},
	}
}

// TestApplyIsUpstreams compares every step with client-go's fake API server.
func TestApplyIsUpstreams(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	converter := applyconfigurations.NewTypeConverter(scheme)
	deployments := appsv1.SchemeGroupVersion.WithResource("deployments")
	testtable.Run(t, sequences(), func(t *testing.T, tc sequence) {
		tracker := clienttesting.NewFieldManagedObjectTracker(scheme, clientscheme.Codecs.UniversalDecoder(), converter)
		var old runtime.Object
		for i, s := range tc.steps {
			wantErr := tracker.Apply(deployments, config(t, s.config), "shop", metav1.PatchOptions{FieldManager: s.manager, Force: &s.force})
			got, err := m.Apply(old, config(t, s.config), Options{Manager: s.manager, Force: s.force})
			if untimed(coding(err)) != untimed(coding(wantErr)) {
				t.Fatalf("step %d: error %v, want %v", i, err, wantErr)
			}
			if err != nil {
				continue
			}
			want, err := tracker.Get(deployments, "shop", "web")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
				t.Fatalf("step %d:\n%s", i, diff)
			}
			old = got
		}
	})
}

// untimed cuts a message where it says when something happened.
func untimed(text string) string {
	text, _, _ = strings.Cut(text, " at ")
	return text
}

type applyRow struct {
	row
	stored, config, manager string
	force, schemaless       bool
	// want is part of the result, fails the error.
	want, fails string
}

func TestApply(t *testing.T) {
	t.Parallel()
	const part = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"
	known, unknown := merger(t, true), merger(t, false)
	testtable.Run(t, []applyRow{
		{row{"never applied", "fields without an owner belong to before-first-apply"}, deployment, head + "spec: {replicas: 3}", "me", false, false, "",
			`409 Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1`},
		{row{"never applied and forced", "only the one field changes hands"}, deployment, head + "spec: {replicas: 3}", "me", true, false,
			`{"manager":"me","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}},{"manager":"before-first-apply","operation":"Update",`, ""},
		{row{"custom list by key", "the schema has the keys"}, widget, part + "spec: {parts: [{name: z, count: 2}]}", "me", false, false, `"parts":[{"count":1,"name":"x"},{"count":2,"name":"z"}]`, ""},
		{row{"custom set", "the schema says that it is one"}, widget, part + "spec: {tags: [b]}", "me", false, false, `"tags":["a","b"]`, ""},
		{row{"custom atomic list", "it conflicts as a whole"}, widget, part + "spec: {plain: [b]}", "me", false, false, "", `conflict with "before-first-apply" using example.com/v1`},
		{row{"custom finalizers", "metadata is merged like that of all objects"}, strings.Replace(widget, "uid: u2", "finalizers: [a.example.com/x]", 1),
			strings.Replace(part, "name: w", "name: w, finalizers: [b.example.com/y]", 1), "me", false, false, `"finalizers":["a.example.com/x","b.example.com/y"]`, ""},
		{row{"custom unknown field", "the schema knows"}, widget, part + "spec: {bogus: 1}", "me", false, false, "", ".spec.bogus: field not declared in schema"},
		{row{"custom kept fields", "the schema does not want to know"}, widget, part + "spec: {any: {x: [1]}, limit: 10%}", "me", false, false, `"any":{"x":[1]},"limit":"10%"`, ""},
		{row{"custom embedded object", "it has what all objects have"}, widget, part + "spec: {template: {apiVersion: v1, kind: X, metadata: {labels: {a: b}}, data: d}}", "me", false, false, `"labels":{"a":"b"}`, ""},
		{row{"custom version without a schema", "it may have any field"}, "", strings.Replace(part, "/v1", "/v2", 1) + "spec: {bogus: 1}", "me", false, false, `"spec":{"bogus":1}`, ""},
		{row{"deduced list", "without a schema it is replaced as a whole"}, widget, part + "spec: {parts: [{name: z}]}", "me", true, true, `"parts":[{"name":"z"}]`, ""},
		{row{"deduced field", "without a schema no field is unknown"}, widget, part + "spec: {bogus: 1}", "me", false, true, `"bogus":1`, ""},
		{row{"definition", "client-go has no schema of definitions"}, "", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {group: b}", "me", false, false, `"group":"b"`, ""},
		{row{"namespace is filled in", "it is that on the URL"}, widget, part + "spec: {size: 1}", "me", false, false, `"namespace":"shop"`, ""},
		{row{"other namespace", "it is that on the URL"}, widget, strings.Replace(part, "name: w", "name: w, namespace: x", 1), "me", false, false, "", "400 the namespace of the provided object does not match the namespace sent on the request"},
		{row{"other name", "it is that on the URL"}, widget, strings.Replace(part, "name: w", "name: x", 1), "me", false, false, "", "400 the name of the object does not match the name on the URL (w)"},
		{row{"other version", "an applied object has that of the URL"}, widget, strings.Replace(part, "/v1", "/v2", 1), "me", false, false, "", "400 invalid object type: example.com/v2, Kind=Widget"},
		{row{"other kind", "an applied object has that of the URL"}, deployment, part, "me", false, false, "", "400 invalid object type: example.com/v1, Kind=Widget"},
		{row{"managedFields", "they are the server's"}, widget, strings.Replace(part, "name: w", "name: w, managedFields: []", 1), "me", false, false, "", "400 metadata.managedFields must be nil"},
		{row{"no manager", "it has to be said"}, widget, part, "", false, false, "", `422 PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch`},
		{row{"no name", "what is created needs one"}, "", "apiVersion: v1\nkind: Namespace", "me", false, false, "", "400 metadata.name is required for apply: it is the name on the URL"},
		{row{"UID of what is created", "it would be another object"}, "", namespace, "me", false, false, "",
			`409 Operation cannot be fulfilled on namespaces "shop": uid mismatch: the provided object specified a uid, and no existing object was found`},
		{row{"unknown kind", "it has no type"}, "", "apiVersion: x.y/v1\nkind: Nope\nmetadata: {name: a}", "me", false, false, "", "500 failed to create new object: the configuration has an unknown kind"},
		{row{"no kind", "it cannot be decoded"}, "", "metadata: {name: a}", "me", false, false, "", "400 error decoding patch: Object 'Kind' is missing"},
	}, func(t *testing.T, tc applyRow) {
		var old runtime.Object
		if tc.stored != "" {
			old = object(t, tc.stored)
		}
		m := known
		if tc.schemaless {
			m = unknown
		}
		checkApplied(t, m, old, tc)
	})
}

func checkApplied(t *testing.T, m *Merger, old runtime.Object, tc applyRow) {
	t.Helper()
	given := config(t, tc.config)
	configBefore := given.DeepCopy()
	var oldBefore runtime.Object
	if old != nil {
		oldBefore = old.DeepCopyObject()
	}
	got, err := m.Apply(old, given, Options{Manager: tc.manager, Force: tc.force})
	if diff := cmp.Diff(oldBefore, old) + cmp.Diff(configBefore, given); diff != "" {
		t.Errorf("an argument was modified:\n%s", diff)
	}
	if tc.fails != "" {
		if got != nil || !strings.Contains(coding(err), tc.fails) {
			t.Errorf("got %v and error\n%s\nwant\n%s", got, coding(err), tc.fails)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if text := asJSON(t, got); !strings.Contains(text, tc.want) {
		t.Errorf("got\n%s\nwant in it\n%s", text, tc.want)
	}
}

// TestConflictNamesFields looks at what programs read of a conflict.
func TestConflictNamesFields(t *testing.T) {
	t.Parallel()
	_, err := merger(t, true).Apply(object(t, deployment), config(t, head+"spec: {replicas: 3}"), Options{Manager: "me"})
	causes, ok := apierrors.StatusCause(err, metav1.CauseTypeFieldManagerConflict)
	if !ok || !apierrors.IsConflict(err) || causes.Field != ".spec.replicas" {
		t.Errorf("error %v has the cause %v, want a conflict about .spec.replicas", err, causes)
	}
}
