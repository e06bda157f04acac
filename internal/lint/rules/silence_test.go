package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/rules"
	"example.com/gatehouse/internal/testutil/testtable"
)

// toSilence has places for comments: letters in angle brackets. Its findings are timeout-long
// on line 16, and blocks-nodes on line 11.
const toSilence = `# <A>

# <B>
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration # <C>
metadata:
  name: guard
  annotations: {a: b} # <D>
webhooks: # <E>
# <F>
- name: guard.example.com # <G>
  # <H>
  clientConfig: {service: {namespace: guard, name: guard}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [nodes]}] # <I>
  # <J>
  timeoutSeconds: 20 # <K>
  admissionReviewVersions: [v1]
  # <L>

  sideEffects: None
`

// TestSilences: a comment silences what is on its line, on the next line, or in the field
// that begins there. What silences nothing is in the report.
func TestSilences(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		at       string // letters
		comment  string
		silenced string // rules
		unused   string // lines
	}
	const timeout, nodes = "gatehouse:ignore timeout-long: slow", "gatehouse:ignore blocks-nodes: no nodes"
	testtable.Run(t, []test{
		{row{"behind", "it is about the line"}, "K", timeout, "timeout-long", ""},
		{row{"above", "it is about the line below"}, "J", timeout, "timeout-long", ""},
		{row{"webhook", "the field is in what the comment is about"}, "F", timeout, "timeout-long", ""},
		{row{"list", "the field is in what the comment is about"}, "E", timeout, "timeout-long", ""},
		{row{"object", "all fields are in the object"}, "B", timeout, "timeout-long", ""},
		{row{"header", "a blank line does not make it be about something else"}, "A", timeout, "timeout-long", ""},
		{row{"no field", "failurePolicy is not written, so the finding is on the line of the webhook"}, "G", nodes, "blocks-nodes", ""},
		{row{"several", "each line is a comment of its own"}, "F", nodes + "\n# " + timeout, "blocks-nodes timeout-long", ""},
		{row{"elsewhere", "it is about another line"}, "CDGHIL", timeout, "", "5 8 11 12 14 17"},
		{row{"twice", "one is enough, and both apply"}, "FK", timeout, "timeout-long", ""},
		{row{"other rule", "it is about one rule"}, "B", "gatehouse:ignore deadlock: a", "", "3"},
		{row{"remark", "another comment means nothing"}, "K", "timeout-long: slow", "", ""},
		{row{"more space", "people write comments in different ways"}, "K", "  gatehouse:ignore   timeout-long :slow  ", "timeout-long", ""},
	}, func(t *testing.T, tc test) {
		report := examine(t, withComments(tc.at, tc.comment), rules.All()...)
		var silenced, lines []string
		for _, f := range report.Findings {
			if f.Silenced != "" {
				silenced = append(silenced, f.Rule.ID)
			}
		}
		for _, s := range report.Unused {
			lines = append(lines, fmt.Sprint(s.Position.Line))
		}
		slices.Sort(silenced)
		if got := strings.Join(silenced, " "); got != tc.silenced {
			t.Errorf("%s: %q is silenced, want %q", tc.Why(), got, tc.silenced)
		}
		if got := strings.Join(lines, " "); got != tc.unused {
			t.Errorf("%s: lines %q silence nothing, want %q", tc.Why(), got, tc.unused)
		}
	})
}

// withComments returns the text with a comment at some places, and none at the others.
func withComments(at, comment string) string {
	var pairs []string
	for _, letter := range "ABCDEFGHIJKL" {
		text := "x"
		if strings.ContainsRune(at, letter) {
			text = comment
		}
		pairs = append(pairs, "# <"+string(letter)+">", "# "+text)
	}
	return strings.NewReplacer(pairs...).Replace(toSilence)
}

// TestSilencedCause: what follows from a finding is silenced with it.
func TestSilencedCause(t *testing.T) {
	t.Parallel()
	text := strings.Replace(webhookWith(`"*/*"`, ""), `apiGroups: [""]`, `apiGroups: ["*"]`, 1)
	text = strings.Replace(text, "  admission", "  # gatehouse:ignore matches-everything: an engine for policies\n  admission", 1)
	text = strings.Replace(text, "- name:", "# gatehouse:ignore matches-everything: an engine\n# gatehouse:ignore blocks-nodes: few\n- name:", 1)
	report := examine(t, text, rules.All()...)
	for _, group := range report.ByCause() {
		for i, f := range group {
			want := ""
			switch {
			case group[0].Rule.ID == "matches-everything" && f.Rule.ID == "blocks-nodes":
				want = "few"
			case group[0].Rule.ID == "matches-everything":
				want = "an engine"
			}
			if f.Silenced != want {
				t.Errorf("%d %s: %q, want %q", i, f.ID, f.Silenced, want)
			}
		}
	}
	if len(report.Unused) != 1 {
		t.Errorf("%d comments silence nothing, want 1", len(report.Unused))
	}
}

func TestSilenceMistakes(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	const timeout = "standard input: document 1 (line 16): silences timeout-long without a reason: want timeout-long: REASON"
	testtable.Run(t, []test{
		{row{"right", "there is no mistake"}, "gatehouse:ignore timeout-long: slow", "<nil>"},
		{row{"no reason", "the reader of a report asks for it"}, "gatehouse:ignore timeout-long", timeout},
		{row{"empty reason", "the reader of a report asks for it"}, "gatehouse:ignore timeout-long: ", timeout},
		{row{"nothing", "all rules at once would hide new ones"}, "gatehouse:ignore",
			"standard input: document 1 (line 16): gatehouse:ignore: want RULE: REASON"},
		{row{"unknown", "it is a slip"}, "gatehouse:ignore timeout-lon: slow",
			`standard input: document 1 (line 16): silences "timeout-lon": there is no such rule: did you mean timeout-long, timeout-long-ignored?`},
	}, func(t *testing.T, tc test) {
		c := cluster(t, withComments("K", tc.text))
		var known []string
		for _, r := range rules.All() {
			known = append(known, r.ID)
		}
		for _, s := range lint.SilencesOf(c.Inventory) {
			if got := fmt.Sprint(s.Check(known)); got != tc.want {
				t.Errorf("%s: got %s, want %s", tc.Why(), got, tc.want)
			}
		}
	})
}
