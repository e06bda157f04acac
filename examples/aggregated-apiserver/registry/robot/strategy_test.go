package robot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/registry/robot"
)

// change returns a valid robot with changes.
func change(changes ...func(*toys.Robot)) *toys.Robot {
	r := &toys.Robot{
		ObjectMeta: metav1.ObjectMeta{Name: "r", Namespace: "shop", ResourceVersion: "1", Generation: 7},
		Spec:       toys.RobotSpec{Model: "tin", Replicas: 1, Parts: []toys.Part{{Name: "arm", Quantity: 2}}},
		Status:     toys.RobotStatus{Replicas: 1, ObservedGeneration: 7},
	}
	for _, c := range changes {
		c(r)
	}
	return r
}

func wanted(n int32) func(*toys.Robot)     { return func(r *toys.Robot) { r.Spec.Replicas = n } }
func built(n int32) func(*toys.Robot)      { return func(r *toys.Robot) { r.Status.Replicas = n } }
func generation(n int64) func(*toys.Robot) { return func(r *toys.Robot) { r.Generation = n } }
func model(name string) func(*toys.Robot)  { return func(r *toys.Robot) { r.Spec.Model = name } }
func labelled(value string) func(*toys.Robot) {
	return func(r *toys.Robot) { r.Labels = map[string]string{"color": value} }
}
func parts(all ...toys.Part) func(*toys.Robot) { return func(r *toys.Robot) { r.Spec.Parts = all } }

func TestPrepare(t *testing.T) {
	t.Parallel()
	strategy := robot.NewStrategy(runtime.NewScheme())
	status := robot.StatusStrategy{Strategy: strategy}
	rows := []struct {
		name, why string
		prepare   func(r, old *toys.Robot)
		in, want  *toys.Robot
	}{
		{
			name: "create", why: "a client cannot say that its robots are built",
			prepare: func(r, _ *toys.Robot) { strategy.PrepareForCreate(t.Context(), r) },
			in:      change(), want: change(generation(1), func(r *toys.Robot) { r.Status = toys.RobotStatus{} }),
		},
		{
			name: "update of the spec", why: "the factory looks for generations that it has not seen",
			prepare: func(r, old *toys.Robot) { strategy.PrepareForUpdate(t.Context(), r, old) },
			in:      change(wanted(2), built(2), generation(1)), want: change(wanted(2), generation(8)),
		},
		{
			name: "update of labels", why: "labels are nothing that the factory has to do",
			prepare: func(r, old *toys.Robot) { strategy.PrepareForUpdate(t.Context(), r, old) },
			in:      change(labelled("red")), want: change(labelled("red")),
		},
		{
			name: "update of the status", why: "who reports cannot order",
			prepare: func(r, old *toys.Robot) { status.PrepareForUpdate(t.Context(), r, old) },
			in:      change(wanted(2), built(2), generation(1)), want: change(built(2)),
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: its name is not its own, or it has no reason", row.name)
		}
		seen[row.name] = true
		row.prepare(row.in, change())
		if diff := cmp.Diff(row.want, row.in); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", row.name, row.why, diff)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	strategy := robot.NewStrategy(runtime.NewScheme())
	status := robot.StatusStrategy{Strategy: strategy}
	rows := []struct {
		name, why string
		in        *toys.Robot
		// The invalid fields in a create, in an update from a valid robot, and
		// in an update of its status.
		create, update, status string
	}{
		{name: "good", why: "most robots are", in: change(wanted(0), parts())},
		{name: "no model", why: "it is what is built", in: change(model("")), create: "spec.model", update: "spec.model spec.model"},
		{name: "another model", why: "half of them may be built", in: change(model("gold")), update: "spec.model"},
		{name: "less than none", why: "also a webhook can ask for that", in: change(wanted(-1)), create: "spec.replicas", update: "spec.replicas"},
		{name: "nameless part", why: "it is the key of a list", in: change(parts(toys.Part{Quantity: 1})), create: "spec.parts[0].name", update: "spec.parts[0].name"},
		{
			name: "part twice", why: "server-side apply could not tell them apart",
			in:     change(parts(toys.Part{Name: "a", Quantity: 1}, toys.Part{Name: "a", Quantity: 1})),
			create: "spec.parts[1].name", update: "spec.parts[1].name",
		},
		{name: "none of a part", why: "then it is no part", in: change(parts(toys.Part{Name: "a"})), create: "spec.parts[0].quantity", update: "spec.parts[0].quantity"},
		{name: "less than none built", why: "a factory can miscount", in: change(built(-1)), status: "status.replicas"},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: its name is not its own, or it has no reason", row.name)
		}
		seen[row.name] = true
		got := [3][]string{}
		for _, err := range strategy.Validate(t.Context(), row.in) {
			got[0] = append(got[0], err.Field)
		}
		for _, err := range strategy.ValidateUpdate(t.Context(), row.in, change()) {
			got[1] = append(got[1], err.Field)
		}
		for _, err := range status.ValidateUpdate(t.Context(), row.in, change()) {
			got[2] = append(got[2], err.Field)
		}
		want := [3][]string{strings.Fields(row.create), strings.Fields(row.update), strings.Fields(row.status)}
		for i, on := range []string{"create", "update", "status"} {
			if diff := cmp.Diff(want[i], append([]string{}, got[i]...)); diff != "" {
				t.Errorf("%s, on %s: %s (-want +got):\n%s", row.name, on, row.why, diff)
			}
		}
	}
}
