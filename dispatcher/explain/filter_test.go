package explain

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// twoWebhooks returns a request that was matched by webhooks of two
// configurations, which both have a webhook b.
func twoWebhooks() *Explanation {
	a, b, other := Writer{By: ByWebhook, Configuration: "c", Webhook: "a"}, Writer{By: ByWebhook, Configuration: "c", Webhook: "b"}, Writer{By: ByWebhook, Configuration: "d", Webhook: "b"}
	call := func(warning string) *Call { return &Call{Warnings: []string{warning}} }
	user := Write{Writer: Writer{By: ByUser}, Value: json.RawMessage(`0`)}
	return &Explanation{
		Rounds: []Round{
			{Phase: mutating, Webhooks: []Webhook{
				{Configuration: "c", Name: "a", Call: call("of a")}, {Configuration: "c", Name: "b", Call: call("of b")}, {Configuration: "d", Name: "b"},
			}},
			{Phase: mutating, Round: 1, Webhooks: []Webhook{{Configuration: "c", Name: "a"}}},
			{Phase: validating, Webhooks: []Webhook{{Configuration: "d", Name: "b"}}},
		},
		Fields: []Field{
			{Path: "spec.x[0].y", Writer: a, Earlier: []Write{user}}, {Path: "spec.x[1].y", Writer: b, Earlier: []Write{user, {Writer: a}}},
			{Path: "spec.z", Writer: user.Writer}, {Path: "meta", Writer: other},
		},
		Removed:  []Field{{Path: "spec.gone", Writer: Writer{By: ByDefaulting, Configuration: "c", Webhook: "a"}}},
		Fights:   []Fight{{Path: "spec.x[1].y", Writes: []Write{{Writer: a}, {Writer: b}, {Writer: a}}}},
		Warnings: []string{"of a", "of b"},
		AuditAnnotations: []Annotation{
			{Key: "mutation/round_0_index_0", Value: `{"configuration":"c","webhook":"a","mutated":true}`},
			{Key: "mutation/round_0_index_1", Value: `{"configuration":"c","webhook":"b","mutated":true}`},
			{Key: "failed-open/round_0_index_2", Value: "b"}, {Key: "a/own", Value: "1"},
		},
		Metrics: []Metric{{Name: "m", Labels: map[string]string{"name": "a"}}, {Name: "m", Labels: map[string]string{"name": "b"}}},
		Object:  json.RawMessage(`{}`),
	}
}

// contents are the parts of an Explanation that filters limit.
type contents struct {
	Hooks, Paths, Warnings, Annotations, Metrics []string
}

func contentsOf(e *Explanation) (g contents) {
	for _, r := range e.Rounds {
		for _, w := range r.Webhooks {
			g.Hooks = append(g.Hooks, w.Configuration+"/"+w.Name)
		}
	}
	for _, fields := range [][]Field{e.Fields, e.Removed} {
		for _, f := range fields {
			g.Paths = append(g.Paths, f.Path)
		}
	}
	for _, f := range e.Fights {
		g.Paths = append(g.Paths, "fight "+f.Path)
	}
	for _, a := range e.AuditAnnotations {
		g.Annotations = append(g.Annotations, a.Key)
	}
	for _, m := range e.Metrics {
		g.Metrics = append(g.Metrics, m.Labels["name"])
	}
	g.Warnings = append(g.Warnings, e.Warnings...)
	return g
}

func TestForWebhook(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		webhook string
		want    contents
	}
	testtable.Run(t, []test{
		{row{"name", "fields that it wrote, also if overwritten, and defaulting after its patch"}, "a", contents{
			Hooks: []string{"c/a", "c/a"}, Paths: []string{"spec.x[0].y", "spec.x[1].y", "spec.gone", "fight spec.x[1].y"},
			Warnings: []string{"of a"}, Annotations: []string{"mutation/round_0_index_0", "a/own"}, Metrics: []string{"a"},
		}},
		{row{"shared name", "it selects all webhooks with the name"}, "b", contents{
			Hooks: []string{"c/b", "d/b", "d/b"}, Paths: []string{"spec.x[1].y", "meta", "fight spec.x[1].y"},
			Warnings: []string{"of b"}, Annotations: []string{"mutation/round_0_index_1", "failed-open/round_0_index_2"}, Metrics: []string{"b"},
		}},
		{row{"full name", "it selects one webhook"}, "c/b", contents{
			Hooks: []string{"c/b"}, Paths: []string{"spec.x[1].y", "fight spec.x[1].y"},
			Warnings: []string{"of b"}, Annotations: []string{"mutation/round_0_index_1", "failed-open/round_0_index_2"}, Metrics: []string{"b"},
		}},
		{row{"unknown name", "no webhook has this name"}, "z", contents{}},
	}, func(t *testing.T, tc test) {
		e := twoWebhooks()
		if diff := cmp.Diff(tc.want, contentsOf(e.ForWebhook(tc.webhook))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(twoWebhooks(), e); diff != "" {
			t.Errorf("the explanation itself has changed:\n%s", diff)
		}
	})
}

func TestForPath(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path string
		want []string
	}
	testtable.Run(t, []test{
		{row{"leaf", "one field"}, "spec.x[1].y", []string{"spec.x[1].y", "fight spec.x[1].y"}},
		{row{"part", "all fields below it"}, "spec.x", []string{"spec.x[0].y", "spec.x[1].y", "fight spec.x[1].y"}},
		{row{"wildcard", "the fields of all items"}, "spec.x[*].y", []string{"spec.x[0].y", "spec.x[1].y", "fight spec.x[1].y"}},
		{row{"removed", "removed fields are kept"}, "spec.gone", []string{"spec.gone"}},
		{row{"root", "all fields"}, "", []string{"spec.x[0].y", "spec.x[1].y", "spec.z", "meta", "spec.gone", "fight spec.x[1].y"}},
		{row{"nowhere", "a path without fields is no error"}, "spec.x[7]", nil},
	}, func(t *testing.T, tc test) {
		path, err := ParsePath(tc.path)
		if err != nil {
			t.Fatal(err)
		}
		e := twoWebhooks()
		want := contentsOf(e)
		want.Paths = tc.want
		if diff := cmp.Diff(want, contentsOf(e.ForPath(path))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestForItems finds items by their keys, also removed ones.
func TestForItems(t *testing.T) {
	t.Parallel()
	text := func(path, value string) Field { return Field{Path: path, Value: json.RawMessage(value)} }
	e := &Explanation{
		Fields: []Field{
			text("containers[0].image", `"a"`), text("containers[0].name", `"web"`), text("containers[0].ports[0].containerPort", `80`),
			text("containers[0].ports[0].protocol", `"TCP"`), text("containers[0].ports[1].containerPort", `80`), text("containers[0].ports[1].protocol", `"UDP"`),
			text("containers[1].name", `"db"`), text("finalizers[0]", `"x"`), text("finalizers[1]", `"y"`), text("map.name", `"web"`),
		},
		Removed: []Field{{Path: "containers[1].name", Earlier: []Write{{Value: json.RawMessage(`"old"`)}, {}}}},
	}
	type test struct {
		row
		path string
		want []string
	}
	testtable.Run(t, []test{
		{row{"key", "one field of one item"}, "containers[name=web].image", []string{"containers[0].image"}},
		{row{"all keys", "the other port has another protocol"}, `containers[name="web"].ports[containerPort=80,protocol="UDP"]`, []string{"containers[0].ports[1].containerPort", "containers[0].ports[1].protocol"}},
		{row{"any list", "a wildcard before the item"}, "containers[*].ports[protocol=TCP].containerPort", []string{"containers[0].ports[0].containerPort"}},
		{row{"value", "items of a set"}, `finalizers[="y"]`, []string{"finalizers[1]"}},
		{row{"removed", "the item that had the key"}, "containers[name=old]", []string{"containers[1].name", "containers[1].name"}},
		{row{"no such item", "nothing is there"}, "containers[name=proxy]", nil},
		{row{"no list", "a map has no items"}, "map[name=web]", nil},
	}, func(t *testing.T, tc test) {
		path, err := ParsePath(tc.path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, contentsOf(e.ForPath(path)).Paths); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestFilteredListsAreNotNil wants empty lists in JSON, as Complete makes them.
func TestFilteredListsAreNotNil(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(twoWebhooks().ForWebhook("z").ForPath(Path{}.Key("nowhere")))
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rounds", "fields", "removed", "fights", "warnings", "auditAnnotations"} {
		if string(lists[name]) != "[]" {
			t.Errorf("%s is %s", name, lists[name])
		}
	}
}
