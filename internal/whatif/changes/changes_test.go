package changes

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

const before = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: shop, labels: {version: "1"}, resourceVersion: "7"}
webhooks:
- name: a.example.com
  clientConfig: {url: "https://a.example.com", caBundle: QQ==}
  rules:
  - {operations: [CREATE, UPDATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments/scale]}
  namespaceSelector: {matchLabels: {environment: prod}}
  matchConditions:
  - {name: labelled, expression: "has(object.metadata.labels)"}
  - {name: named, expression: "object.metadata.name != ''"}
- name: b.example.com
  failurePolicy: Fail
---
apiVersion: v1
kind: Namespace
metadata: {name: blue, labels: {environment: prod, app.kubernetes.io/part-of: shop}}
---
apiVersion: v1
kind: Secret
metadata: {name: params, namespace: blue}
stringData: {password: tiger}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  variables:
  - {name: a, expression: "1"}
  - {name: b, expression: "2"}
  validations:
  - {expression: "variables.a == 1"}
`

// edit replaces texts of before.
func edit(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(before) }

func read(t testing.TB, file, text string) *Set {
	t.Helper()
	s := &Set{objects: map[Identity]*object{}}
	for d, err := range manifest.Documents(file, strings.NewReader(text)) {
		if err == nil {
			err = s.add(d)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestCompare(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		after string
		want  []string
	}
	testtable.Run(t, []test{
		{row{"equal", "a set has no changes from itself"}, before, nil},
		{
			row{"labels of a configuration", "they have no effect on admission, and tools change them"},
			edit(`labels: {version: "1"}, resourceVersion: "7"`, `labels: {version: "2"}, uid: x`), nil,
		},
		{
			row{"selector", "a selector is one change, as kubectl prints it"},
			edit("matchLabels: {environment", "matchLabels: {enviroment"),
			[]string{"webhook a.example.com of configuration shop: namespaceSelector: " +
				"enviroment=prod instead of environment=prod (b:9, a:9)"},
		},
		{
			row{"rule", "a field of a rule is one change"},
			edit("deployments/scale", "deployments"),
			[]string{"webhook a.example.com of configuration shop: rules[0].resources: " +
				"deployments instead of deployments/scale (b:8, a:8)"},
		},
		{
			row{"operations", "of lists the items are named that are in one of them"},
			edit("[CREATE, UPDATE]", "[CREATE, DELETE]"),
			[]string{"webhook a.example.com of configuration shop: rules[0].operations: " +
				"with DELETE, without UPDATE (b:8, a:8)"},
		},
		{
			row{"condition", "conditions are compared by name"},
			edit("  - {name: labelled, expression: \"has(object.metadata.labels)\"}\n", ""),
			[]string{"webhook a.example.com of configuration shop: matchConditions[labelled] removed (b:11, a:10)"},
		},
		{
			row{"default", "a field that is set now"},
			edit("  failurePolicy: Fail\n", ""),
			[]string{"webhook b.example.com of configuration shop: failurePolicy: Fail removed (b:14, a:13)"},
		},
		{
			row{"certificate", "certificates are too long to be shown"},
			edit("QQ==", "Qg=="),
			[]string{"webhook a.example.com of configuration shop: clientConfig.caBundle: changed (b:6, a:6)"},
		},
		{
			row{"renamed configuration", "equal webhooks in a configuration of another name"},
			edit("name: shop", "name: market"),
			[]string{"configuration shop renamed to market (b:3, a:3)"},
		},
		{
			row{"renamed and changed", "webhooks of equal names show that it is the same configuration"},
			edit("{name: shop", "{name: market", "failurePolicy: Fail", "failurePolicy: Ignore"),
			[]string{
				"configuration shop renamed to market (b:3, a:3)",
				"webhook b.example.com of configuration shop: failurePolicy: Ignore instead of Fail (b:14, a:14)",
			},
		},
		{
			row{"renamed webhook", "an item that is equal but for its name"},
			edit("b.example.com", "c.example.com"),
			[]string{"webhook b.example.com of configuration shop renamed to c.example.com (b:13, a:13)"},
		},
		{
			row{"order", "variables are evaluated in their order"},
			edit(`- {name: a, expression: "1"}`, `- {name: b, expression: "2"}`,
				`- {name: b, expression: "2"}`, `- {name: a, expression: "1"}`),
			[]string{"policy limits: variables in another order: b, a instead of a, b (b:29, a:29)"},
		},
		{
			row{"secret", "the values of Secrets are not shown"},
			edit("tiger", "lion"), []string{"Secret blue/params: stringData.password: changed (b:23, a:23)"},
		},
		{
			row{"label", "keys of labels have dots"},
			edit("part-of: shop", "part-of: market"),
			[]string{"namespace blue: metadata.labels.app.kubernetes.io/part-of: market instead of shop (b:18, a:18)"},
		},
		{
			row{"removed object", "it has a position in the first set only"},
			before[:strings.Index(before, "---\napiVersion: v1\nkind: Secret")],
			[]string{"Secret blue/params removed (b:20)", "policy limits removed (b:25)"},
		},
		{
			row{"long expression", "only what is different is shown"},
			edit("variables.a == 1", strings.Repeat("variables.a == 1 && ", 20)+"variables.b == 3"),
			[]string{"policy limits: validations[0].expression: variables.a == 1 && variables.a == 1 && " +
				"variables.a == 1 && variables.a == 1 && variables.a == 1 &&… instead of variables.a == 1 (b:33, a:33)"},
		},
	}, func(t *testing.T, tc test) {
		c := Compare(read(t, "b", before), read(t, "a", tc.after))
		var got []string
		for i := range c.Changes {
			got = append(got, c.Changes[i].Text+" ("+positions(&c.Changes[i])+")")
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func positions(c *Change) string {
	var all []string
	for _, p := range []manifest.Position{c.Before, c.After} {
		if p.File != "" {
			line, _ := json.Marshal(p.Line)
			all = append(all, p.File+":"+string(line))
		}
	}
	return strings.Join(all, ", ")
}

// TestUndoAll: with all changes undone the second set is the first one, whatever was
// changed; with none undone it is itself, and each change undone is a change less.
func TestUndoAll(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		one, other := shuffled(t, random), shuffled(t, random)
		c := Compare(one, other)
		var all []int
		for i := range c.Changes {
			all = append(all, i)
		}
		check := func(want *Set, undone ...int) {
			t.Helper()
			documents, err := c.Documents(undone...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(content(t, want.Documents()), content(t, documents)); diff != "" {
				t.Fatalf("with %v of %v undone (-want +got):\n%s", undone, texts(c), diff)
			}
		}
		check(one, all...)
		check(other)
		for i := range all {
			documents, err := c.Documents(i)
			if err != nil {
				t.Fatal(err)
			}
			left := Compare(one, setOf(t, documents))
			if len(left.Changes) >= len(c.Changes) {
				t.Fatalf("with %q undone there are still %q", c.Changes[i].Text, texts(left))
			}
		}
	}
}

func texts(c *Comparison) []string {
	var all []string
	for i := range c.Changes {
		all = append(all, c.Changes[i].Text)
	}
	return all
}

// shuffled returns before with some items removed, renamed, changed and reordered.
func shuffled(t *testing.T, random *rand.Rand) *Set {
	s := read(t, "x", before)
	for _, id := range s.order {
		o := s.objects[id]
		shuffle(random, o.value)
		text, err := json.Marshal(o.value)
		if err != nil {
			t.Fatal(err)
		}
		o.document = &manifest.Document{Position: o.document.Position, Kind: o.document.Kind, JSON: text}
	}
	return setOf(t, s.Documents())
}

func setOf(t *testing.T, documents []*manifest.Document) *Set {
	s := &Set{objects: map[Identity]*object{}}
	for _, d := range documents {
		if err := s.add(d); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func shuffle(random *rand.Rand, value map[string]any) {
	for key, field := range value {
		switch field := field.(type) {
		case map[string]any:
			shuffle(random, field)
		case []any:
			if random.IntN(3) == 0 {
				random.Shuffle(len(field), func(i, j int) { field[i], field[j] = field[j], field[i] })
			}
			for _, item := range field {
				if m, ok := item.(map[string]any); ok {
					shuffle(random, m)
				}
			}
			if random.IntN(4) == 0 && len(field) > 1 {
				value[key] = slices.Delete(field, 0, 1)
			}
		case string:
			if key != "apiVersion" && key != "kind" && random.IntN(10) == 0 {
				value[key] = field + "x"
			}
		}
	}
}

// content returns the decoded documents by their identities.
func content(t *testing.T, documents []*manifest.Document) map[Identity]any {
	all := map[Identity]any{}
	for _, d := range documents {
		s := &Set{objects: map[Identity]*object{}}
		if err := s.add(d); err != nil {
			t.Fatal(err)
		}
		all[s.order[0]] = s.objects[s.order[0]].value
	}
	if len(all) != len(documents) {
		t.Fatal("two documents have the same identity")
	}
	return all
}

// TestUndoKeepsDocuments: an object without an undone change keeps its document, and
// so its position and notation.
func TestUndoKeepsDocuments(t *testing.T) {
	t.Parallel()
	after := read(t, "a", edit("deployments/scale", "deployments"))
	documents, err := Compare(read(t, "b", before), after).Documents()
	if err != nil || !reflect.DeepEqual(documents, after.Documents()) {
		t.Errorf("got %v, %v", documents, err)
	}
}
