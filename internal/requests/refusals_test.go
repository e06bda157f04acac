package requests_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/requests"
	"example.com/gatehouse/internal/testtable"
)

// refusalRow is something that cannot become requests.
type refusalRow struct {
	row
	settings     settings
	text, stored string
	want         []string
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	testtable.Run(t, refusalRows(), func(t *testing.T, tc refusalRow) {
		got, err := w.make(t, tc.settings, tc.text, tc.stored)
		if err == nil {
			t.Fatalf("%s: it became %s", tc.Why(), got)
		}
		if diff := cmp.Diff(strings.Join(tc.want, "\n"), err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func refusalRows() []refusalRow {
	lines := func(l ...string) []string { return l }
	updating := with(func(s *settings) { s.Operation = "UPDATE" })
	return []refusalRow{
		{row{"two mistakes", "all are told at once"}, ann(), scale + "---\n" + exec, "", lines(
			"in.yaml: document 1 (line 1): kind: many resources take a Scale: say which one is meant, as in deployments.apps/scale",
			"in.yaml: document 2 (line 3): making a request to CONNECT pods/exec: --name: required",
		)},
		{row{"alone", "nothing is there to be updated"}, updating, config + "---\n" + grown + "---\n" + changed, "", lines(
			"in.yaml: document 2 (line 3): an UPDATE has two objects, but this is all there is of deployments.apps/web in shop: give the stored one with --old, or before it",
		)},
		{row{"not among the stored", "something else is"}, ann(), config, deployed, lines(
			"in.yaml: document 1 (line 1): an UPDATE has two objects, but configmaps/a in shop is not among those of --old",
		)},
		{row{"stored twice", "either may be meant"}, ann(), config, config + "---\n" + changed, lines(
			"old.yaml: document 2 (line 3): metadata.name: configmaps/a in shop is already given in old.yaml: document 1 (line 1)",
		)},
		{row{"nameless to delete", "a field of the object, and its line"}, with(func(s *settings) { s.Operation = "DELETE" }),
			"apiVersion: v1\nkind: Pod\nmetadata:\n  generateName: a-\n", "", lines(
				"in.yaml: document 1 (line 3): making a request to DELETE pods: old.metadata.name: required",
			)},
		{row{"unknown subresource", "in the word of the flag"}, with(func(s *settings) { s.Subresource = "logs" }), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to CREATE configmaps/logs: --subresource: configmaps have none that is called "logs"`,
		)},
		{row{"unknown resource", "what is before the slash"}, with(func(s *settings) { s.Subresource = "deploys/scale" }), scale, "", lines(
			`in.yaml: document 1 (line 1): no resource "deploys" is known: resources are named in the plural, with their group, as in deployments.apps; custom ones need their CustomResourceDefinition among the inputs`,
		)},
		{row{"no scale", "not everything has one"}, with(func(s *settings) { s.Subresource = "scale" }), changed, config, lines(
			"old.yaml: document 1 (line 1): v1 ConfigMap has no subresource scale",
		)},
		{row{"options of others", "in the word of the flag"}, with(func(s *settings) { s.By.GracePeriodSeconds = new(int64) }), config, "", lines(
			"in.yaml: document 1 (line 1): making a request to CREATE configmaps: --grace-period: CREATE has none",
		)},
		{row{"another name", "what is said twice has to agree"}, with(func(s *settings) { s.Name = "b" }), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to CREATE configmaps: object.metadata.name: "a", but the request is for "b"`,
		)},
		{row{"patch of nonsense", "in the words of a server"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{"datum":1}`)}
		}), config, "", lines(
			`in.yaml: document 1 (line 1): "" is invalid: patch: Invalid value: strict decoding error: unknown field "datum"`,
		)},
	}
}

// TestCheck looks at settings that contradict each other.
func TestCheck(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		settings settings
		stored   bool
		want     string
	}
	patch := &requests.Patch{Type: types.MergePatchType}
	testtable.Run(t, []test{
		{row{"nothing", "the usual"}, ann(), false, ""},
		{row{"stored", "an UPDATE, without saying so"}, ann(), true, ""},
		{row{"all of an update", "it may be said"}, settings{Operation: "UPDATE", Subresource: "status"}, true, ""},
		{row{"unknown operation", "they are written in capitals"}, settings{Operation: "update"}, false, `--operation "update": want CREATE, UPDATE, DELETE or CONNECT`},
		{row{"collection", "nothing else is done to collections"}, settings{Collection: true}, false, "--collection: only what is deleted is a member of a collection: it needs --operation DELETE"},
		{row{"patch and apply", "either would do"}, settings{Patch: patch, Apply: true}, false, "--apply and --patch: an object is either applied or patched"},
		{row{"patch creating", "S-362: only apply does"}, settings{Patch: patch, Operation: "CREATE"}, false, "--operation CREATE and --patch: a patch is an UPDATE"},
		{row{"apply as told", "it depends on what is stored"}, settings{Apply: true, Operation: "UPDATE"}, false, "--operation UPDATE and --apply: what is applied is an UPDATE if it is among the objects of --old, and otherwise a CREATE"},
		{row{"force", "nothing else conflicts"}, settings{Force: true}, false, "--force-conflicts is for --apply"},
		{row{"patch of stored", "the arguments are"}, settings{Patch: patch}, true, "--old and --patch: the arguments are the stored objects that the patch changes"},
		{row{"stored to delete", "the arguments are"}, settings{Operation: "DELETE"}, true, "--operation DELETE and --old: stored objects are for an UPDATE"},
	}, func(t *testing.T, tc test) {
		if got := testtable.Text(tc.settings.Check(tc.stored)); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.Why(), got, tc.want)
		}
	})
}
