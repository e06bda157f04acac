package plugin

import (
	"bytes"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2/textlogger"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// adviceRow is one configuration, given by the groups and resources of its
// rules.
type adviceRow struct {
	testtable.Row
	off   bool // the feature gate
	rules [][2][]string
	want  string // the excluded resources in the log; empty for no line
}

func adviceRows() []adviceRow {
	names := func(groups, resources string) [2][]string {
		return [2][]string{strings.Split(groups, ","), strings.Split(resources, ",")}
	}
	return []adviceRow{{
		Row:   testtable.Row{"named", "S-066: such a rule has no effect"},
		rules: [][2][]string{names("authentication.k8s.io", "tokenreviews")},
		want:  `["tokenreviews.authentication.k8s.io"]`,
	}, {
		Row: testtable.Row{"named twice", "S-066: sorted, each once, over all webhooks of the configuration"},
		rules: [][2][]string{
			names("authorization.k8s.io", "subjectaccessreviews"),
			names("authentication.k8s.io,authorization.k8s.io", "tokenreviews,subjectaccessreviews"),
		},
		want: `["subjectaccessreviews.authorization.k8s.io","tokenreviews.authentication.k8s.io"]`,
	}, {
		Row:   testtable.Row{"other resources", "S-066: what is not excluded is no news"},
		rules: [][2][]string{names("apps", "deployments"), names("", "tokenreviews")},
	}, {
		Row:   testtable.Row{"any group", "S-066: a wildcard means no resource in particular"},
		rules: [][2][]string{names("*", "tokenreviews")},
	}, {
		Row:   testtable.Row{"any resource", "S-066: a wildcard means no resource in particular"},
		rules: [][2][]string{names("authentication.k8s.io", "tokenreviews,*")},
	}, {
		Row: testtable.Row{"gate off", "S-066: then nothing is excluded"}, off: true,
		rules: [][2][]string{names("authentication.k8s.io", "tokenreviews")},
	}}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	testtable.Run(t, adviceRows(), func(t *testing.T, tc adviceRow) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			t.Run(phase.String(), func(t *testing.T) {
				t.Parallel()
				tc.run(t, phase)
			})
		}
	})
}

func (tc *adviceRow) run(t *testing.T, phase admission.Phase) {
	b := &base{phase: phase, exclude: !tc.off, host: host{excluded: sets.New(
		schema.GroupResource{Group: "authentication.k8s.io", Resource: "tokenreviews"},
		schema.GroupResource{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"},
	)}}
	var log bytes.Buffer
	logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log)))
	advice, compiler := b.newExcludedRuleWarnings(), matching.NewCompiler()
	snapshot := func(webhooks []*matching.Webhook) *matching.Snapshot {
		if phase == admission.Mutating {
			return matching.NewSnapshot(webhooks, nil)
		}
		return matching.NewSnapshot(nil, webhooks)
	}
	compile := func() []*matching.Webhook { return compiler.Compile(tc.declared(phase)) }
	expect := func(when, want string) {
		t.Helper()
		_, got, _ := strings.Cut(strings.TrimSpace(log.String()), "] ")
		if log.Reset(); got != want {
			t.Errorf("%s:\nwant %s\ngot  %s", when, want, got)
		}
	}
	line := ""
	if tc.want != "" {
		kind := map[admission.Phase]string{admission.Mutating: "Mutating", admission.Validating: "Validating"}[phase]
		line = `"Admission webhook configuration names resources that are excluded from admission webhooks; the matching rules will have no effect" kind="` +
			kind + `WebhookConfiguration" name="a" excludedResources=` + tc.want
	}
	webhooks := compile()
	advice.log(logger, snapshot(webhooks))
	expect("new", line)
	advice.log(logger, snapshot(webhooks))
	expect("unchanged", "")
	advice.log(logger, snapshot(compile()))
	expect("compiled again", line)
}

// declared returns a configuration with a webhook for each rule.
func (tc *adviceRow) declared(phase admission.Phase) []*admission.Webhook {
	var webhooks []*admission.Webhook
	for _, r := range tc.rules {
		webhooks = append(webhooks, &admission.Webhook{
			Phase: phase, Configuration: "a", Name: "w",
			Rules: []registrationv1.RuleWithOperations{{Rule: registrationv1.Rule{APIGroups: r[0], Resources: r[1]}}},
		})
	}
	return webhooks
}
