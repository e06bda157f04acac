package requests_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/testutil/testtable"
)

// rejectionRow is something that cannot become requests.
type rejectionRow struct {
	row
	settings     settings
	text, stored string
	want         []string
}

func TestRejections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	testtable.Run(t, slices.Concat(rejectionRows(), subresourceRejections(), wordRejections()), func(t *testing.T, tc rejectionRow) {
		got, err := w.make(t, tc.settings, tc.text, tc.stored)
		if err == nil {
			t.Fatalf("%s: it became %s", tc.Why(), got)
		}
		if diff := cmp.Diff(strings.Join(tc.want, "\n"), err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func lines(l ...string) []string { return l }

func rejectionRows() []rejectionRow {
	updating := with(func(s *settings) { s.Operation = "UPDATE" })
	return []rejectionRow{
		{row{"two mistakes", "all are told at once"}, ann(), scale + "---\n" + exec, "", lines(
			"in.yaml: document 1 (line 1): kind: several resources take a Scale: name one, as in deployments.apps/scale",
			"in.yaml: document 2 (line 3): making a request to CONNECT pods/exec: --name: required",
		)},
		{row{"alone", "nothing is there to be updated"}, updating, config + "---\n" + grown + "---\n" + changed, "", lines(
			"in.yaml: document 2 (line 3): an UPDATE needs the stored object of deployments.apps/web in shop: give it with --old, or before the new object",
		)},
		{row{"not among the stored", "something else is"}, ann(), config, deployed, lines(
			"in.yaml: document 1 (line 1): an UPDATE needs the stored object, but --old does not have configmaps/a in shop",
		)},
		{row{"stored twice", "either may be meant"}, ann(), config, config + "---\n" + changed, lines(
			"old.yaml: document 2 (line 3): metadata.name: configmaps/a in shop is already given in old.yaml: document 1 (line 1)",
		)},
		{row{"nameless to delete", "a field of the object, and its line"}, with(func(s *settings) { s.Operation = "DELETE" }),
			"apiVersion: v1\nkind: Pod\nmetadata:\n  generateName: a-\n", "", lines(
				"in.yaml: document 1 (line 3): making a request to DELETE pods: metadata.name: required",
			)},
		{row{"unknown subresource", "in the word of the flag"}, with(func(s *settings) { s.Subresource = "logs" }), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to CREATE configmaps/logs: --subresource: configmaps have no subresource "logs"`,
		)},
		{row{"unknown resource", "what is before the slash"}, with(func(s *settings) { s.Subresource = "deploys/scale" }), scale, "", lines(
			`in.yaml: document 1 (line 1): unknown resource "deploys": write the plural with the group, as in deployments.apps; for a custom resource, add its CustomResourceDefinition to the inputs`,
		)},
		{row{"no scale", "not everything has one"}, with(func(s *settings) { s.Subresource = "scale" }), changed, config, lines(
			"old.yaml: document 1 (line 1): --subresource: configmaps have no subresource scale",
			"in.yaml: document 1 (line 1): --subresource: configmaps have no subresource scale",
		)},
		{row{"options of others", "in the word of the flag"}, with(func(s *settings) { s.By.GracePeriodSeconds = new(int64) }), config, "", lines(
			"in.yaml: document 1 (line 1): making a request to CREATE configmaps: --grace-period: must be absent for CREATE",
		)},
		{row{"another name", "what is said twice has to agree"}, with(func(s *settings) { s.Name = "b" }), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to CREATE configmaps: metadata.name: "a", but the request is for "b"`,
		)},
		{row{"patch of nonsense", "in the words of a server"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{"datum":1}`)}
		}), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to UPDATE configmaps: --patch: strict decoding error: unknown field "datum"`,
		)},
	}
}

// subresourceRejections are about subresources that do not exist, or take
// something else.
func subresourceRejections() []rejectionRow {
	updating := with(func(s *settings) { s.Operation = "UPDATE" })
	return []rejectionRow{
		{row{"no status", "the kind has none"}, with(func(s *settings) { s.Subresource = "status" }), config, "", lines(
			"in.yaml: document 1 (line 1): --subresource: configmaps have no subresource status",
		)},
		{row{"no scale of pods", "in full"}, with(func(s *settings) { s.Subresource = "pods/scale" }), scale, "", lines(
			"in.yaml: document 1 (line 1): --subresource: pods have no subresource scale",
		)},
		{row{"no status of this version", "another version has one"}, with(func(s *settings) { s.Subresource = "status" }),
			"{apiVersion: example.com/v3, kind: Gizmo, metadata: {name: g}}", "", lines(
				"in.yaml: document 1 (line 1): --subresource: gizmos.example.com have no subresource status in v3: see spec.versions of the CustomResourceDefinition gizmos.example.com",
			)},
		{row{"patch of an eviction", "it is a creation"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{}`)}
		}), eviction, "", lines(
			"in.yaml: document 1 (line 1): making a request to UPDATE pods/eviction: --patch: requests to pods/eviction are CREATE, but a patch is an UPDATE",
		)},
		{row{"patch of exec", "it is a connection"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{}`)}
		}), exec, "", lines(
			"in.yaml: document 1 (line 1): making a request to UPDATE pods/exec: --patch: requests to pods/exec are CONNECT, but a patch is an UPDATE",
		)},
		{row{"apply of a token", "it is a creation"}, with(func(s *settings) { s.Apply, s.Name, s.By.FieldManager = true, "robot", "me" }),
			"{apiVersion: authentication.k8s.io/v1, kind: TokenRequest}", "", lines(
				"in.yaml: document 1 (line 1): making a request to UPDATE serviceaccounts/token: --apply: requests to serviceaccounts/token are CREATE, but an apply is a CREATE or an UPDATE",
			)},
		{row{"update of an eviction", "no flag names a subresource"}, updating, eviction, "", lines(
			"in.yaml: document 1 (line 1): making a request to UPDATE pods/eviction: --operation: requests to pods/eviction are CREATE, not UPDATE",
		)},
		{row{"apply to no status", "only whole objects are created"}, with(func(s *settings) {
			s.Apply, s.Subresource, s.By.FieldManager = true, "status", "me"
		}), grown, "", lines(
			"in.yaml: document 1 (line 1): making a request to UPDATE deployments.apps/status: --old: required: an apply to a subresource cannot create an object",
		)},
		{row{"apply to a scale", "nothing tells who owns the replicas"}, with(func(s *settings) {
			s.Apply, s.Subresource, s.By.FieldManager = true, "scale", "me"
		}), grown, "", lines(
			"in.yaml: document 1 (line 1): making a request to UPDATE deployments.apps/scale: --apply: not supported for scales: only the object itself records who owns the replicas: apply to the object, or patch the scale",
		)},
	}
}

// wordRejections are found by package request, and told in the words of the
// flags.
func wordRejections() []rejectionRow {
	return []rejectionRow{
		{row{"member with options of others", "the collection does not hide the flag"}, with(func(s *settings) {
			s.Operation, s.Collection, s.By.FieldManager = "DELETE", true, "me"
		}), config, "", lines(
			"in.yaml: document 1 (line 1): making a request to DELETE configmaps: --field-manager: must be absent for DELETE",
		)},
		{row{"namespaces as a collection", "a server does not offer it"}, with(func(s *settings) { s.Operation, s.Collection = "DELETE", true }),
			"{apiVersion: v1, kind: Namespace, metadata: {name: own}}", "", lines(
				"in.yaml: document 1 (line 1): making a request to DELETE namespaces: --collection: namespaces are deleted one by one",
			)},
		{row{"options of no sort", "in the word of the flag"}, with(func(s *settings) { s.By.FieldValidation = "Maybe" }), config, "", lines(
			`in.yaml: document 1 (line 1): making a request to CREATE configmaps: --field-validation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"`,
		)},
		{row{"no user name", "the error names the flag"}, with(func(s *settings) { s.By.User.Username = "" }), config, "", lines(
			"in.yaml: document 1 (line 1): making a request to CREATE configmaps: --as: required: every request has a user name",
		)},
		{row{"generated name", "no Go name is in the text"}, with(func(s *settings) { s.Name = "b" }),
			"{apiVersion: v1, kind: ConfigMap, metadata: {generateName: a-}}", "", lines(
				`in.yaml: document 1 (line 1): making a request to CREATE configmaps: metadata.name: empty, but the request is for "b"`,
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
		{row{"name of a collection", "S-217: it has none"}, settings{Collection: true, Operation: "DELETE", Name: "a"}, false,
			"--collection and --name: a request to delete a collection has no name"},
		{row{"no subresource", "half of two names is none"}, settings{Subresource: "deployments.apps/"}, false,
			`--subresource "deployments.apps/": want SUBRESOURCE or RESOURCE/SUBRESOURCE, such as status or deployments.apps/scale`},
		{row{"no resource", "the other half"}, settings{Subresource: "/status"}, false,
			`--subresource "/status": want SUBRESOURCE or RESOURCE/SUBRESOURCE, such as status or deployments.apps/scale`},
		{row{"three names", "no path has them"}, settings{Subresource: "apps/deployments/scale"}, false,
			`--subresource "apps/deployments/scale": want SUBRESOURCE or RESOURCE/SUBRESOURCE, such as status or deployments.apps/scale`},
		{row{"resource and subresource", "both halves"}, settings{Subresource: "deployments.apps/scale"}, false, ""},
		{row{"collection", "nothing else is done to collections"}, settings{Collection: true}, false, "--collection needs --operation DELETE"},
		{row{"patch and apply", "either would do"}, settings{Patch: patch, Apply: true}, false, "--apply and --patch cannot be combined"},
		{row{"patch creating", "S-362: only apply does"}, settings{Patch: patch, Operation: "CREATE"}, false, "--operation CREATE and --patch: a patch is an UPDATE"},
		{row{"apply as told", "it depends on what is stored"}, settings{Apply: true, Operation: "UPDATE"}, false, "--operation UPDATE and --apply: an apply is an UPDATE if --old has the object, and otherwise a CREATE"},
		{row{"force", "nothing else conflicts"}, settings{Force: true}, false, "--force-conflicts needs --apply"},
		{row{"patch of stored", "the arguments are"}, settings{Patch: patch}, true, "--old and --patch: the arguments are the stored objects that the patch changes"},
		{row{"stored to delete", "the arguments are"}, settings{Operation: "DELETE"}, true, "--operation DELETE and --old: stored objects are for an UPDATE"},
	}, func(t *testing.T, tc test) {
		if got := testtable.Text(tc.settings.Check(tc.stored)); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.Why(), got, tc.want)
		}
	})
}
