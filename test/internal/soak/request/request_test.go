package request_test

import (
	"cmp"
	"fmt"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/request"
)

type row = testtable.Row

// makers are Pod and Widget, and what else is to be known of each.
func makers() map[string]func(int, map[string]string) (*request.Attributes, apiadmission.ObjectInterfaces) {
	return map[string]func(int, map[string]string) (*request.Attributes, apiadmission.ObjectInterfaces){
		"pod": request.Pod, "widget": request.Widget,
	}
}

func TestRequestsFollowFromTheirNumber(t *testing.T) {
	t.Parallel()
	labels := map[string]string{"team": "checkout"}
	for name, create := range makers() {
		first, _ := create(7, labels)
		second, _ := create(7, labels)
		other, _ := create(8, labels)
		if diff := gocmp.Diff(first.GetObject(), second.GetObject()); diff != "" {
			t.Errorf("%s: two objects of one number differ:\n%s", name, diff)
		}
		if gocmp.Equal(first.GetObject(), other.GetObject()) {
			t.Errorf("%s: objects of two numbers are equal", name)
		}
		if want := map[string]string{"team": "checkout", "number": "7"}; !gocmp.Equal(first.Labels(), want) {
			t.Errorf("%s: labels %v, want %v", name, first.Labels(), want)
		}
		if first.GetName() != request.Named(7) || first.GetNamespace() != request.Namespace || first.GetOperation() != apiadmission.Create {
			t.Errorf("%s: %s of %s/%s", name, first.GetOperation(), first.GetNamespace(), first.GetName())
		}
		first.Labels()["team"] = "other"
	}
	if labels["team"] != "checkout" {
		t.Error("the caller's labels became the object's")
	}
}

// TestDefaultingAddsNothing: the object already has all defaults, so that a
// patch changes nothing else.
func TestDefaultingAddsNothing(t *testing.T) {
	t.Parallel()
	for name, create := range makers() {
		a, interfaces := create(1, nil)
		before := a.GetObject().DeepCopyObject()
		interfaces.GetObjectDefaulter().Default(a.GetObject())
		if diff := gocmp.Diff(before, a.GetObject()); diff != "" {
			t.Errorf("%s: defaulting changes it:\n%s", name, diff)
		}
	}
}

func TestInterfacesKnowTheirObjects(t *testing.T) {
	t.Parallel()
	for name, create := range makers() {
		a, interfaces := create(1, nil)
		kinds, _, err := interfaces.GetObjectTyper().ObjectKinds(a.GetObject())
		if err != nil || len(kinds) != 1 || kinds[0] != a.GetKind() {
			t.Errorf("%s: kinds %v, %v", name, kinds, err)
		}
		created, err := interfaces.GetObjectCreater().New(a.GetKind())
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%T", created) != fmt.Sprintf("%T", a.GetObject()) {
			t.Errorf("%s: made a %T", name, created)
		}
		mapper := interfaces.GetEquivalentResourceMapper()
		if got := mapper.KindFor(a.GetResource(), ""); got != a.GetKind() {
			t.Errorf("%s: the resource's kind is %v", name, got)
		}
		equivalent := mapper.EquivalentResourcesFor(a.GetResource(), "")
		if len(equivalent) != map[string]int{"pod": 1, "widget": 2}[name] || equivalent[0] != a.GetResource() {
			t.Errorf("%s: equivalent resources %v", name, equivalent)
		}
		for _, resource := range equivalent {
			if got := mapper.KindFor(resource, "").GroupVersion(); got != resource.GroupVersion() {
				t.Errorf("%s: the kind of %v is of %v", name, resource, got)
			}
		}
		if got := mapper.EquivalentResourcesFor(a.GetResource(), "status"); got != nil {
			t.Errorf("%s: a subresource is served as %v", name, got)
		}
	}
}

func TestWidgetsAreConvertedByCopying(t *testing.T) {
	t.Parallel()
	a, interfaces := request.Widget(3, nil)
	var copied unstructured.Unstructured
	if err := interfaces.GetObjectConvertor().Convert(a.GetObject(), &copied, nil); err != nil {
		t.Fatal(err)
	}
	copied.SetLabels(nil)
	if a.Labels() == nil {
		t.Error("the copy shares its labels")
	}
	err := interfaces.GetObjectConvertor().Convert(a.GetObject(), &corev1.Pod{}, nil)
	if got := testtable.Text(err); got != "cannot convert *unstructured.Unstructured to *v1.Pod" {
		t.Errorf("got %q", got)
	}
}

// TestDetails looks at requests that are no creation of an object in the usual
// namespace.
func TestDetails(t *testing.T) {
	t.Parallel()
	labels := map[string]string{"team": "checkout"}
	old := map[string]string{"team": "billing"}
	type details struct {
		row
		request.Details
		object, old map[string]string
	}
	testtable.Run(t, []details{
		{row{"creation", "there is no old object"}, request.Details{Labels: labels, OldLabels: old}, labels, nil},
		{row{"update", "there are two objects"}, request.Details{Operation: apiadmission.Update, Labels: labels, OldLabels: old, DryRun: true}, labels, old},
		{row{"deletion", "there is the old object alone"}, request.Details{Operation: apiadmission.Delete, Labels: labels, OldLabels: old, Namespace: "other"}, nil, old},
	}, func(t *testing.T, tc details) {
		pod, _ := request.PodOf(1, tc.Details)
		tc.Version = request.WidgetV2
		widget, interfaces := request.WidgetOf(1, tc.Details)
		for _, a := range []*request.Attributes{pod, widget} {
			if a.IsDryRun() != tc.DryRun || a.GetNamespace() != cmp.Or(tc.Namespace, request.Namespace) {
				t.Errorf("%v in %s, dry run %v", a.GetKind(), a.GetNamespace(), a.IsDryRun())
			}
			for want, o := range map[string]runtime.Object{tc.object["team"]: a.GetObject(), tc.old["team"]: a.GetOldObject()} {
				if labelled, ok := o.(metav1.Object); ok != (want != "") || ok && labelled.GetLabels()["team"] != want {
					t.Errorf("%v: got %v, want one of %q", a.GetKind(), o, want)
				}
			}
		}
		if o, ok := widget.GetObject().(*unstructured.Unstructured); ok {
			v1 := request.WidgetKind()
			converted, err := apiadmission.ConvertToGVK(o, v1, interfaces)
			if err != nil {
				t.Fatal(err)
			}
			first, _ := request.WidgetOf(1, request.Details{Labels: tc.Labels, Namespace: tc.Namespace})
			if diff := gocmp.Diff(first.GetObject(), converted); diff != "" {
				t.Errorf("converted to v1: -want +got:\n%s", diff)
			}
		}
	})
}

func TestExec(t *testing.T) {
	t.Parallel()
	a, interfaces := request.Exec(7, request.Details{Namespace: "other"})
	kinds, _, err := interfaces.GetObjectTyper().ObjectKinds(a.GetObject())
	if err != nil || kinds[0] != a.GetKind() || a.GetSubresource() != "exec" || a.GetOperation() != apiadmission.Connect {
		t.Errorf("%v of %v/%s: %v, %v", a.GetOperation(), a.GetResource(), a.GetSubresource(), kinds, err)
	}
	if got := a.Labels(); got != nil {
		t.Errorf("it has %v", got)
	}
	a.GetObject().(*corev1.PodExecOptions).Container = "proxy"
	if got := a.Labels()[request.ContainerKey]; got != "proxy" {
		t.Errorf("the container is %q", got)
	}
}

func TestEither(t *testing.T) {
	t.Parallel()
	for number, want := range []runtime.Object{&corev1.Pod{}, &unstructured.Unstructured{}} {
		a, _ := request.Either(number, nil)
		if got := fmt.Sprintf("%T", a.GetObject()); got != fmt.Sprintf("%T", want) {
			t.Errorf("%d is a %s, want a %T", number, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	type numberCase struct {
		row
		name   string
		number int
		ok     bool
	}
	testtable.Run(t, []numberCase{
		{row{"first", "numbers begin with 0"}, "object-0", 0, true},
		{row{"large", "a soak makes millions of requests"}, request.Named(259_000_000), 259_000_000, true},
		{row{"leading zero", "one object has one name"}, "object-07", 7, false},
		{row{"sign", "one object has one name"}, "object-+7", 7, false},
		{row{"no number", "not an object of the soak"}, "object-", 0, false},
		{row{"no prefix", "not an object of the soak"}, "7", 7, false},
	}, func(t *testing.T, tc numberCase) {
		if number, ok := request.Number(tc.name); ok != tc.ok || ok && number != tc.number {
			t.Errorf("got %d, %v", number, ok)
		}
	})
}

// TestAnnotations: they are kept in order, those that apiserver refuses are
// not, and goroutines do not get in each other's way.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	a, _ := request.Pod(1, nil)
	_ = a.AddAnnotation("a.example.com/first", "1")
	_ = a.AddAnnotationWithLevel("a.example.com/second", "2", auditinternal.LevelRequest)
	if err := a.AddAnnotation("no domain", "3"); err == nil {
		t.Error("a key without a domain was accepted")
	}
	want := []request.Annotation{
		{Key: "a.example.com/first", Value: "1", Level: auditinternal.LevelMetadata},
		{Key: "a.example.com/second", Value: "2", Level: auditinternal.LevelRequest},
	}
	if diff := gocmp.Diff(want, a.Annotations()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	a, _ = request.Pod(2, nil)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			_ = a.AddAnnotation(fmt.Sprintf("a.example.com/%d", i), "v")
			_ = a.Annotations()
		})
	}
	all.Wait()
	if got := len(a.Annotations()); got != 8 {
		t.Errorf("%d of 8 annotations were kept", got)
	}
}
