package metrics_test

import (
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// matchRow is one match; what it counts as is in testdata/match.
type matchRow struct {
	row
	webhook    *admission.Webhook
	stage      admission.Stage
	err        error
	conditions admission.Conditions
}

func matchRows() []matchRow {
	mutating := webhook(admission.Mutating, registrationv1.Ignore)
	validating := webhook(admission.Validating, registrationv1.Ignore)
	failing := webhook(admission.Validating, registrationv1.Fail)
	forbidden := errors.New("forbidden")

	return []matchRow{{
		row:     row{"no conditions", "S-153: without conditions there is nothing to count"},
		webhook: mutating, stage: admission.StagePassed,
	}, {
		row:     row{"all true", "S-153: not even the time is observed"},
		webhook: mutating, stage: admission.StagePassed,
		conditions: admission.Conditions{Verdict: admission.ConditionsTrue},
	}, {
		row:     row{"stopped earlier", "S-132: only conditions exclude; rules and selectors do not count"},
		webhook: mutating, stage: admission.StageRules,
	}, {
		row:     row{"no namespace", "an error of another stage is none of the conditions'"},
		webhook: mutating, stage: admission.StageNamespaceSelector, err: forbidden,
	}, {
		row:     row{"false mutating", "S-069, S-132, S-155: excluded, of type admit in both families"},
		webhook: mutating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse},
	}, {
		row:     row{"false validating", "S-069, S-155: the evaluation is of type validating, the exclusion of type validate"},
		webhook: validating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse},
	}, {
		row:     row{"false after errors", "S-150: the errors before the first false count, the webhook is excluded under any policy"},
		webhook: failing, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse, Errors: 2},
	}, {
		row:     row{"failed under Ignore", "S-151: a failure excludes like a false condition"},
		webhook: mutating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 1},
	}, {
		row:     row{"failed under Fail", "S-151: the request ends, so the webhook was not excluded"},
		webhook: failing, stage: admission.StageConditions, err: forbidden,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 3},
	}, {
		row:     row{"failed under an unknown policy", "S-152: the webhook is called, the errors count"},
		webhook: webhook(admission.Mutating, "Whatever"), stage: admission.StagePassed,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 1},
	}, {
		row:     row{"aborted under Ignore", "S-149, S-151: excluded, but no condition is to blame for an error"},
		webhook: validating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsAborted},
	}, {
		row:     row{"aborted under Fail", "S-149: only the time is observed"},
		webhook: failing, stage: admission.StageConditions, err: forbidden,
		conditions: admission.Conditions{Verdict: admission.ConditionsAborted},
	}}
}

// TestRecordMatch compares whole scrapes: names, labels and buckets (S-335).
func TestRecordMatch(t *testing.T) {
	t.Parallel()
	testtable.Run(t, matchRows(), func(t *testing.T, r matchRow) {
		match := &admission.Match{
			Webhook: r.webhook, Operation: admissionv1.Update, Stage: r.stage, Err: r.err, Conditions: r.conditions,
		}
		match.Conditions.Elapsed = 2 * time.Millisecond
		reg := prometheus.NewPedanticRegistry()
		newMetrics(t, reg).RecordMatch(t.Context(), match)
		compareGolden(t, "match", r.Name(), exposition(t, reg))
	})
}
