package expect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite/expect"
	"example.com/gatehouse/internal/testutil/testtable"
)

type checkCase struct {
	row
	// say is what the policies deny the pod with, labels are those that it has.
	say    string
	labels []string
	// expect is written in YAML.
	expect string
	want   []string
}

func check(t *testing.T, cases []checkCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc checkCase) {
		got := texts(compile(t, tc.expect).Check(created(t, tc.say, tc.labels...)))
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

const denied = `admission webhook "policy.example.com" denied the request: `

func TestCheckVerdict(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"nothing said", "a request is to be admitted"}, "", nil, `{}`, nil},
		{row{"denied", "who expected a yes wants to know why not"}, "no", nil, `{}`,
			[]string{`allowed: want true, got false: ` + denied + `no`}},
		{row{"admitted", "what a denial should be is one failure, and not four"}, "", nil, `{code: 403, reason: Forbidden, message: x}`,
			[]string{"allowed: want false, got true"}},
		{row{"as denied", "all that a denial has"}, "no", nil, `{code: 418, reason: Teapot, message: "^admission webhook .*: no$"}`, nil},
		{row{"denied otherwise", "each part of it is a failure"}, "no", nil, `{code: 403, reason: Forbidden, message: signed}`, []string{
			"code: want 403, got 418", `reason: want "Forbidden", got "Teapot"`,
			"message: want one that matches \"signed\", got `" + denied + "no`"}},
		{row{"no reason", "a status may have none, which is not the same as not to say it"}, "no", nil, `{reason: ""}`,
			[]string{`reason: want "", got "Teapot"`}},
		{row{"denied is expected", "without saying how"}, "no", nil, `{allowed: false}`, nil},
		{row{"terminals", "a webhook must not write to them"}, "\x1b[2Jgone\n", nil, `{}`,
			[]string{`allowed: want true, got false: ` + denied + `\x1b[2Jgone\n`}},
	})
}

func TestCheckRemarks(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"warnings", "each matches in its turn"}, "", nil, `{warnings: [no team]}`, nil},
		{row{"another warning", "both texts are needed"}, "", nil, `{warnings: ["^team"]}`,
			[]string{`warnings[0]: want one that matches "^team", got "there was no team"`}},
		{row{"no warnings", "an empty list is none at all"}, "", nil, `{warnings: []}`, []string{`warnings: want 0, got 1: "there was no team"`}},
		{row{"more warnings", "they are not compared one by one"}, "", nil, `{warnings: [x, y]}`, []string{`warnings: want 2, got 1: "there was no team"`}},
		{row{"annotations", "those of the audit event, with their prefix"}, "", nil,
			`{auditAnnotations: {labels.example.com/team: "^guessed$", other: null}}`, nil},
		{row{"other annotations", "each is a failure, in the order of the keys"}, "", nil,
			`{auditAnnotations: {labels.example.com/team: known, a: x, mutation.webhook.admission.k8s.io/round_0_index_0: null}}`, []string{
				`auditAnnotations: a: want one that matches "x", but it is absent`,
				`auditAnnotations: labels.example.com/team: want one that matches "known", got "guessed"`,
				"auditAnnotations: mutation.webhook.admission.k8s.io/round_0_index_0: want it absent, got " +
					"`" + `{"configuration":"platform","webhook":"labels.example.com","mutated":true}` + "`"}},
	})
}

func TestCheckPatch(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"as expected", "of operations only what is written counts"}, "", nil,
			`{patch: [{op: add, path: /metadata/labels/team}]}`, nil},
		{row{"values", "they are compared as JSON"}, "", nil,
			`{patch: [{op: add, path: /metadata/labels/team, value: blue}]}`, nil},
		{row{"other members", "each is a failure"}, "", nil,
			`{patch: [{op: replace, path: /a, from: /b, value: {c: 1}}]}`, []string{
				`patch[0].op: want "replace", got "add"`, `patch[0].path: want "/a", got "/metadata/labels/team"`,
				`patch[0].from: want "/b", but it is absent`, `patch[0].value: want {"c":1}, got "blue"`}},
		{row{"none", "an empty list is no patch at all"}, "", nil,
			`{patch: []}`, []string{"patch: want 0 operations, got 1: add /metadata/labels/team"}},
		{row{"of all webhooks", "in the order of the calls"}, "", []string{"mesh", "on"},
			`{patch: [{op: add, path: /x}]}`, []string{"patch: want 1 operation, got 4: add /metadata/labels/team, " +
				"add /spec/containers/0, add /metadata/labels/meshed, add /metadata/labels/team"}},
	})
}

func TestCheckObject(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"a part", "the rest is not looked at"}, "", []string{"mesh", "on"},
			`{object: {kind: Pod, metadata: {labels: {team: blue, other: null}}, spec: {containers: [{name: web}]}}}`, nil},
		{row{"differences", "one for each, in document order"}, "", []string{"mesh", "on"}, `
object:
  spec: {containers: [{name: web, image: "a:2"}, {name: proxy}], tolerations: []}
  metadata: {labels: {team: red, tier: x, app: null}}`, []string{
			`object: metadata.labels.app: want it absent, got "web"`,
			`object: metadata.labels.team: want "red", got "blue"`,
			`object: metadata.labels.tier: want "x", but it is absent`,
			`object: spec.containers[name=web].image: want "a:2", got "a:1"`,
			`object: spec.containers[name=proxy]: want {"name":"proxy"}, but it is absent`,
			`object: spec.tolerations: want [], but it is absent`}},
		{row{"length", "a list without names has all of its items"}, "", nil, `{object: {spec: {containers: [{image: "a:1"}, {image: b}]}}}`,
			[]string{`object: spec.containers: want 2 items, got 1: [{"image":"a:1","name":"web","resources":{}}]`}},
		{row{"of a denied request", "as far as it came"}, "no", nil, `{allowed: false, object: {metadata: {labels: {team: blue}}}}`, nil},
		{row{"terminals", "keys of others are escaped"}, "", []string{"a", "\x1b"}, `{object: {metadata: {labels: {a: b}}}}`,
			[]string{`object: metadata.labels.a: want "b", got "\u001b"`}},
	})
}

func TestCheckCalled(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"as expected", "the order does not matter"}, "", nil, `{called: [company/policy.example.com, labels.example.com]}`, nil},
		{row{"with configurations", "two webhooks of a name are two"}, "", []string{"strict", "yes"},
			`{called: [platform/labels.example.com, team/policy.example.com, company/policy.example.com]}`, nil},
		{row{"one of two", "the other one of that name is not meant"}, "", []string{"strict", "yes"}, `{called: [labels.example.com, team/policy.example.com]}`,
			[]string{"called: company/policy.example.com is called, but not expected"}},
		{row{"one more", "it is told with its configuration if there is another one of its name"}, "", nil, `{called: [labels.example.com]}`,
			[]string{"called: company/policy.example.com is called, but not expected"}},
		{row{"called twice", "it is one webhook"}, "", []string{"mesh", "on"}, `{called: [mesh.example.com, company/policy.example.com]}`,
			[]string{"called: labels.example.com is called, but not expected"}},
		{row{"one less", "the reason is what is missing"}, "", nil, `{called: [labels.example.com, mesh.example.com, company/policy.example.com]}`,
			[]string{"called: want mesh.example.com, which is not called: " + unlabeled}},
		{row{"none", "an empty list is none at all"}, "", nil, `{called: []}`,
			[]string{"called: labels.example.com is called, but not expected", "called: company/policy.example.com is called, but not expected"}},
	})
}

const unlabeled = "objectSelector: the object's labels {app=web,strict=no,team=blue} do not match mesh=on"

func TestCheckFields(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		say, expect string
		want        expect.Failure
	}
	testtable.Run(t, []test{
		{row{"verdict", "programs do not read sentences"}, "no", `{}`,
			expect.Failure{Field: "allowed", Want: "true", Got: "false", Text: "allowed: want true, got false: " + denied + "no"}},
		{row{"object", "the path is one that explanations understand"}, "", `{object: {spec: {containers: [{name: web, image: "a:2"}]}}}`,
			expect.Failure{Field: "object", Path: "spec.containers[0].image", Want: `"a:2"`, Got: `"a:1"`,
				Text: `object: spec.containers[name=web].image: want "a:2", got "a:1"`}},
		{row{"list", "the whole of it, although the text has only the beginning"}, "", `{object: {spec: {containers: []}}}`,
			expect.Failure{Field: "object", Path: "spec.containers", Want: `[]`, Got: `[{"image":"a:1","name":"web","resources":{}}]`,
				Text: `object: spec.containers: want 0 items, got 1: [{"image":"a:1","name":"web","resources":{}}]`}},
		{row{"webhook", "fields of webhooks have an index"}, "", `{webhooks: [{name: labels.example.com, patch: [{op: add, path: /x}]}]}`,
			expect.Failure{Field: "webhooks[0].patch[0].path", Want: `"/x"`, Got: `"/metadata/labels/team"`,
				Text: `webhooks[0].patch[0].path: want "/x", got "/metadata/labels/team"`}},
		{row{"unexpected call", "nothing was wanted"}, "", `{called: [company/policy.example.com]}`,
			expect.Failure{Field: "called", Got: "labels.example.com", Text: "called: labels.example.com is called, but not expected"}},
	}, func(t *testing.T, tc test) {
		if d := cmp.Diff([]expect.Failure{tc.want}, compile(t, tc.expect).Check(created(t, tc.say))); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}
