package webhooktest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// lineNumber finds the lines of Go code in messages.
var lineNumber = regexp.MustCompile(`\.go:\d+`)

type mistakeRow struct {
	row
	c    Case
	want string
}

// TestMistakesInCases knows what is said of cases that cannot be meant.
func TestMistakesInCases(t *testing.T) {
	t.Parallel()
	s := New(t, Objects(labeler, policy), Handler(answer(reviewtest.Allow)))
	ask := func(r Request) Case { return Case{Name: "c", Request: r, Want: Allowed()} }
	want := func(w Want) Case { return Case{Name: "c", Request: Create(configMap), Want: w} }
	rows := []mistakeRow{
		{row{"no request", "a field was forgotten"}, ask(Request{}), "nothing is requested: Request is missing, such as Create(pod)"},
		{row{"no want", "a test that wants nothing says nothing"}, want(Want{}), "nothing is wanted: Want is missing, such as Allowed()"},
		{row{"bad YAML", "the line is that of the text"}, ask(Create("apiVersion: v1\nkind: ConfigMap\ndata: [")),
			"object: document 1 (line 3): invalid YAML: did not find expected node content"},
		{row{"unknown field", "it is misspelt, and would have no effect"}, ask(Create("apiVersion: v1\nkind: ConfigMap\ndate: {}")),
			`object: document 1 (line 3): unknown field "date"`},
		{row{"two objects", "which one is not clear"}, ask(Create(configMap + "\n---\n" + configMap)), "object: holds 2 objects, but one is wanted"},
		{row{"empty text", "a file was not found, perhaps"}, ask(Create("# nothing")), "object: holds nothing"},
		{row{"nil", "an object is missing altogether"}, ask(Create(nil)), "the request: object: required for CREATE: the new object"},
		{row{"nil pointer", "it is not as nil as nil"}, ask(Update(configMap, (*corev1.Pod)(nil))), "object: a *v1.Pod is nil"},
		{row{"no kind", "only types of Kubernetes tell"}, ask(Update(map[string]any{"data": 1}, configMap)), "oldObject: a map[string]interface {} without apiVersion and kind"},
		{row{"struct", "pointers have the methods of objects"}, ask(Create(corev1.Pod{})), "object: a v1.Pod is no object, but a pointer to it is: use a pointer"},
		{row{"no object", "a number is nothing to admit"}, ask(Create(7)), "object: a int is no object"},
		{row{"not to be written", "functions are not data"}, ask(Create(func() {})), "object: a func() cannot be written as JSON: json: unsupported type: func()"},
		{row{"unknown kind", "there is no definition"}, ask(Create("{apiVersion: example.com/v1, kind: Widget}")),
			`object: document 1 (line 1): kind: unknown kind "Widget" in example.com/v1: `},
		{row{"patch for apply", "an apply is no patch like others"}, ask(Patch(configMap, types.ApplyYAMLPatchType, "{}")),
			`the patch has the type "application/apply-patch+yaml": use Apply for server-side apply`},
		{row{"bad patch", "its text is no YAML"}, ask(Patch(configMap, types.MergePatchType, "{")), "patch.content: the text: document 1 (line 1): invalid YAML: did not find expected node content"},
		{row{"patch that does not fit", "the engine finds that out"}, ask(Patch(configMap, types.JSONPatchType, "{}")),
			"the request: patch.content: must be a list of operations for the type json"},
		{row{"bad fields to own", "they are an object"}, ask(Apply(nil, "[]").FieldManager("m")), "patch.content: document 1 (line 1): a manifest must be an object with apiVersion and kind"},
		{row{"force", "only Apply can force"}, ask(Create(configMap).Force()), "Force is for Apply"},
		{row{"delete options", "what a file cannot say"}, ask(Delete(configMap).DeleteOptions(metav1.DeleteOptions{IgnoreStoreReadErrorWithClusterBreakingPotential: new(true)})),
			`DeleteOptions: not supported: {"ignoreStoreReadErrorWithClusterBreakingPotential":true}`},
		{row{"file and more", "it says all about itself"}, ask(FromFile("testdata/delete.yaml").As("ann").DryRun()),
			"testdata/delete.yaml: As, DryRun: a request in a file says all about itself"},
		{row{"no file", "the path is relative to the test's folder"}, ask(FromFile("testdata/none.yaml")), "testdata/none.yaml: cannot be read: no such file or directory"},

		{row{"two mistakes", "all are told, the request's first"}, Case{Name: "c", Request: Patch(configMap, types.JSONPatchType, "{}"), Want: Allowed().Called("x")},
			"the request: patch.content: must be a list of operations for the type json\nCalled: there is no webhook \"x\""},
		{row{"unknown webhook", "no webhook has that name"}, want(Allowed().Called("labels.example.com")),
			`Called: there is no webhook "labels.example.com"`},
		{row{"bad regexp", "it is not compiled before"}, want(Denied().Message("(")), "Message: error parsing regexp: missing closing ): `(`"},
		{row{"contradiction", "only denials have a code"}, want(Allowed().Code(403)), "Code: "},
		{row{"golden of a denial", "nothing is stored"}, want(Denied().Golden("x.yaml")), "Golden: "},
		{row{"reason for a call", "there is none"}, want(Allowed().Webhook(Webhook{Name: "policy.example.com", Why: "x"})), `Webhook "policy.example.com": a Why requires NotCalled`},
		{row{"reason for an evaluation", "there is none"}, want(Allowed().Policy(Policy{Name: "sky", Why: "x"})), `Policy "sky": a Why requires NotEvaluated`},
		{row{"unknown policy", "no policy has that name"}, want(Allowed().Policy(Policy{Name: "sky"})), `Policy "sky": Name: `},
		{row{"bad reason", "the webhook is told by its name"}, want(Allowed().Called().NotCalled("policy.example.com", "(")),
			`Webhook "policy.example.com": Why: error parsing regexp`},
		{row{"no outcome", "there are seven"}, want(Allowed().Webhook(Webhook{Name: "policy.example.com", Outcome: 99})),
			`Webhook "policy.example.com": Outcome: "unknown": must be one of allowed, rejected`},
		{row{"empty key", "each annotation has a method call"}, want(Allowed().NoAuditAnnotation("")), "AuditAnnotation: a key is empty"},
		{row{"part of a struct", "what is set in it is not to be seen"}, want(Allowed().Object(corev1.Pod{})),
			"Object: a v1.Pod is no object, but a pointer to it is: use a pointer"},
		{row{"bad object", "its text is no YAML"}, want(Allowed().Object("{")), "Object: the text: document 1 (line 1): invalid YAML: did not find expected node content"},
		{row{"patch that is no list", "its text is something else"}, want(Allowed().Patch("{}")), "Patch: must be a list of operations"},
		{row{"bad patch of a webhook", "the text is nothing at all"}, want(Allowed().Webhook(Webhook{Name: "policy.example.com", Patch: ""})), `Webhook "policy.example.com": the text: holds nothing`},
	}
	testtable.Run(t, rows, func(t *testing.T, r mistakeRow) {
		_, err := s.prepare(&r.c)
		if err == nil {
			t.Fatal("it passes")
		}
		if got := errorText(err); !strings.HasPrefix(got, r.want) {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
	})
}

type optionRow struct {
	row
	options []Option
	want    string
}

// TestMistakesInOptions knows what is said of suites that cannot be made.
func TestMistakesInOptions(t *testing.T) {
	t.Parallel()
	h := answer(reviewtest.Allow)
	rows := []optionRow{
		{row{"nothing", "there is no webhook"}, nil, "it has no webhooks: Files or Objects are missing"},
		{row{"no webhook", "all objects are of other kinds"}, []Option{Namespace("shop", nil)}, "configurations: they have no webhook and no policy"},
		{row{"no file", "the path is wrong"}, []Option{Files("testdata/none.yaml")}, "testdata/none.yaml: cannot be read: no such file or directory"},
		{row{"stray file", "a named file must be useful"}, []Option{Files("testdata/webhooks", "testdata/delete.yaml")},
			"testdata/delete.yaml: document 1 (line 2): kind: AdmissionRequest does not describe the cluster"},
		{row{"stray object", "it is not part of a cluster's description"}, []Option{Objects(policy, configMap)},
			"mistakes_test.go:LINE: Objects[1]: document 1 (line 1): kind: ConfigMap does not describe the cluster: put objects to admit into the requests of cases"},
		{row{"nil object", "a variable is not set"}, []Option{Objects(policy, nil)}, "mistakes_test.go:LINE: Objects[1]: a <nil> is nil"},
		{row{"bad object", "it is told by its place"}, []Option{Objects(policy, 7)}, "mistakes_test.go:LINE: Objects[1]: a int is no object"},
		{row{"bad text", "with its line"}, []Option{Objects("{")}, "mistakes_test.go:LINE: Objects[0]: document 1 (line 1): invalid YAML: did not find expected node content"},
		{row{"bad configuration", "a server would not create it"}, []Option{Objects(strings.Replace(policy, "sideEffects: None", "sideEffects: Some", 1))},
			`mistakes_test.go:LINE: Objects[0]: document 1 (line 8): webhooks[0].sideEffects`},
		{row{"two descriptions", "either could be true"}, []Option{Objects(policy), Namespace("shop", nil), Namespace("shop", map[string]string{"team": "a"})},
			`mistakes_test.go:LINE: Namespace: metadata.name: Namespace "shop" is already given in mistakes_test.go:LINE: Namespace`},
		{row{"authorizer", "there are two answers"}, []Option{Objects(policy), Authorizer("maybe")}, `Authorizer("maybe"): must be allow or deny`},
		{row{"unknown webhook", "its name is misspelt"}, []Option{Objects(labeler, policy), Handler(h, "label")},
			`Handler(…, "label"): there is no such webhook: there are labels/label.example.com, policies/policy.example.com`},
		{row{"no handler", "a variable is not set"}, []Option{Objects(policy), Handler(nil)}, `Handler(…): nothing is given that would answer`},
		{row{"no server", "a variable is not set"}, []Option{Objects(policy), ServedBy(nil)}, `ServedBy(…): nothing is given that would answer`},
		{row{"no address", "a variable is not set"}, []Option{Objects(policy), Address("", nil)}, `Address(…): nothing is given that would answer`},
		{row{"one of several", "the others are known"}, []Option{Objects(policy), Handler(h, "policy.example.com", "x")},
			`Handler(…, "x"): there is no such webhook: there are policies/policy.example.com`},
		{row{"empty name", "it is not the same as none"}, []Option{Objects(policy), Handler(h, "")}, `Handler(…, ""): a name is empty: say none for all webhooks`},
		{row{"two handlers for all", "either could be meant"}, []Option{Objects(policy), Handler(h), Address("127.0.0.1:1", nil)},
			`Address(…): there is Handler(…) already`},
		{row{"two handlers", "either could be meant"}, []Option{Objects(policy), Handler(h, "b", "a"), Address("127.0.0.1:1", nil, "a", "c")},
			`Address(…, "a"): there is Handler(…, "a") already`},
	}
	testtable.Run(t, rows, func(t *testing.T, r optionRow) {
		_, err := newSuite(t, r.options)
		if err == nil {
			t.Fatal("it passes")
		}
		if got := lineNumber.ReplaceAllString(errorText(err), ".go:LINE"); !strings.HasPrefix(got, r.want) {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
	})
}

// TestZeroHandler is a nil handler of a type, which is no mistake: it may well
// answer.
func TestZeroHandler(t *testing.T) {
	t.Parallel()
	s := New(t, Objects(policy), Handler(http.HandlerFunc(nil)))
	s.Run(t, Case{"panics", Create(configMap), Denied().Message("failed calling webhook").Webhook(Webhook{Name: "policy.example.com", Outcome: admission.FailedClosed})})
}
