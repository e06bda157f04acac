package install_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/install"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1alpha1"
)

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme, err := install.Scheme()
	if err != nil {
		t.Fatal(err)
	}
	return scheme
}

func TestVersionsAreTheSameRobot(t *testing.T) {
	t.Parallel()
	meta := metav1.ObjectMeta{Name: "r", Namespace: "shop", Labels: map[string]string{"a": "b"}, Generation: 3}
	rows := []struct {
		name, why string
		alpha     v1alpha1.Robot
		hub       toys.Robot
		current   v1.Robot
	}{
		{
			name: "every field", why: "a field that is forgotten is lost when it is stored",
			alpha: v1alpha1.Robot{
				ObjectMeta: meta,
				Spec:       v1alpha1.RobotSpec{Type: "tin", Count: ptr.To[int32](4), Pieces: []v1alpha1.Piece{{Name: "arm", Count: ptr.To[int32](2)}}},
				Status:     v1alpha1.RobotStatus{Built: 1, ObservedGeneration: 2},
			},
			hub: toys.Robot{
				ObjectMeta: meta,
				Spec:       toys.RobotSpec{Model: "tin", Replicas: 4, Parts: []toys.Part{{Name: "arm", Quantity: 2}}},
				Status:     toys.RobotStatus{Replicas: 1, ObservedGeneration: 2},
			},
			current: v1.Robot{
				ObjectMeta: meta,
				Spec:       v1.RobotSpec{Model: "tin", Replicas: ptr.To[int32](4), Parts: []v1.Part{{Name: "arm", Quantity: ptr.To[int32](2)}}},
				Status:     v1.RobotStatus{Replicas: 1, ObservedGeneration: 2},
			},
		},
		{
			name: "zero", why: "zero replicas differ from an absent number",
			alpha:   v1alpha1.Robot{Spec: v1alpha1.RobotSpec{Type: "tin", Count: ptr.To[int32](0)}},
			hub:     toys.Robot{Spec: toys.RobotSpec{Model: "tin"}},
			current: v1.Robot{Spec: v1.RobotSpec{Model: "tin", Replicas: ptr.To[int32](0)}},
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: its name is not its own, or it has no reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, in := range []runtime.Object{&row.alpha, &row.hub, &row.current} {
				convertsTo(t, in, &row.alpha)
				convertsTo(t, in, &row.hub)
				convertsTo(t, in, &row.current)
			}
			alpha, hub, current := &v1alpha1.RobotList{Items: []v1alpha1.Robot{row.alpha}}, &toys.RobotList{Items: []toys.Robot{row.hub}}, &v1.RobotList{Items: []v1.Robot{row.current}}
			convertsTo(t, alpha, hub)
			convertsTo(t, alpha, current)
			convertsTo(t, current, hub)
			convertsTo(t, current, alpha)
			if t.Failed() {
				t.Log(row.why)
			}
		})
	}
}

// convertsTo converts as the server does, from one version to the hub and then
// to another version.
func convertsTo(t *testing.T, in, want runtime.Object) {
	t.Helper()
	scheme := newScheme(t)
	kinds, _, err := scheme.ObjectKinds(want)
	if err != nil {
		t.Fatal(err)
	}
	hub, err := scheme.ConvertToVersion(in, schema.GroupVersion{Group: toys.GroupName, Version: runtime.APIVersionInternal})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scheme.ConvertToVersion(hub, kinds[0].GroupVersion())
	if err != nil {
		t.Fatal(err)
	}
	got.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%T as %T (-want +got):\n%s", in, want, diff)
	}
}

func TestWhatIsLeftOutIsOne(t *testing.T) {
	t.Parallel()
	want := toys.RobotSpec{Model: "tin", Replicas: 1, Parts: []toys.Part{{Name: "arm", Quantity: 1}}}
	decoder := serializer.NewCodecFactory(newScheme(t)).UniversalDecoder(schema.GroupVersion{Group: toys.GroupName, Version: runtime.APIVersionInternal})
	for version, spec := range map[string]string{
		"v1":       `{"model":"tin","parts":[{"name":"arm"}]}`,
		"v1alpha1": `{"type":"tin","pieces":[{"name":"arm"}]}`,
	} {
		one := `{"apiVersion":"toys.example.com/` + version + `","kind":"Robot","spec":` + spec + `}`
		list := `{"apiVersion":"toys.example.com/` + version + `","kind":"RobotList","items":[{"spec":` + spec + `}]}`
		robot, err := runtime.Decode(decoder, []byte(one))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, robot.(*toys.Robot).Spec); diff != "" {
			t.Errorf("%s (-want +got):\n%s", version, diff)
		}
		robots, err := runtime.Decode(decoder, []byte(list))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, robots.(*toys.RobotList).Items[0].Spec); diff != "" {
			t.Errorf("a list of %s (-want +got):\n%s", version, diff)
		}
	}
}

// TestCopiesShareNothing writes to everything that a copy could share. What the originals
// must be still is made anew, because copies cannot tell.
func TestCopiesShareNothing(t *testing.T) {
	t.Parallel()
	internal := func() *toys.RobotList {
		return &toys.RobotList{ListMeta: metav1.ListMeta{RemainingItemCount: ptr.To[int64](1)}, Items: []toys.Robot{{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
			Spec:       toys.RobotSpec{Parts: []toys.Part{{Name: "arm", Quantity: 1}}},
		}}}
	}
	hub := internal()
	changed := hub.DeepCopyObject().(*toys.RobotList)
	*changed.RemainingItemCount = 2
	changed.Items[0].Labels["a"] = "c"
	changed.Items[0].Spec.Parts[0].Name = "leg"
	if diff := cmp.Diff(internal(), hub); diff != "" {
		t.Errorf("internal (-before +after):\n%s", diff)
	}

	later := func() *v1.RobotList {
		return &v1.RobotList{Items: []v1.Robot{{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
			Spec:       v1.RobotSpec{Replicas: ptr.To[int32](1), Parts: []v1.Part{{Name: "arm", Quantity: ptr.To[int32](1)}}},
		}}}
	}
	current := later()
	robot := &current.DeepCopyObject().(*v1.RobotList).Items[0]
	robot.Labels["a"] = "c"
	*robot.Spec.Replicas, *robot.Spec.Parts[0].Quantity = 2, 2
	if diff := cmp.Diff(later(), current); diff != "" {
		t.Errorf("v1 (-before +after):\n%s", diff)
	}

	earlier := func() *v1alpha1.RobotList {
		return &v1alpha1.RobotList{Items: []v1alpha1.Robot{{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
			Spec:       v1alpha1.RobotSpec{Count: ptr.To[int32](1), Pieces: []v1alpha1.Piece{{Name: "arm", Count: ptr.To[int32](1)}}},
		}}}
	}
	first := earlier()
	early := &first.DeepCopyObject().(*v1alpha1.RobotList).Items[0]
	early.Labels["a"] = "c"
	*early.Spec.Count, *early.Spec.Pieces[0].Count = 2, 2
	if diff := cmp.Diff(earlier(), first); diff != "" {
		t.Errorf("v1alpha1 (-before +after):\n%s", diff)
	}
}

func TestScaleIsItsOwnInternalVersion(t *testing.T) {
	t.Parallel()
	internal := schema.GroupVersionKind{Group: "autoscaling", Version: runtime.APIVersionInternal, Kind: "Scale"}
	if !newScheme(t).Recognizes(internal) {
		t.Errorf("the server cannot decode a Scale: %v is not known", internal)
	}
	published, err := install.Published()
	if err != nil {
		t.Fatal(err)
	}
	for kind := range published.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal && !strings.HasSuffix(kind.Kind, "Event") {
			t.Errorf("%v is published", kind)
		}
	}
}
