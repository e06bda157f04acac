package metrics_test

import (
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// matchRow is one match; what it counts as is in testdata/match.
type matchRow struct {
	name, why  string
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
		name: "no conditions", why: "S-153: without conditions there is nothing to count",
		webhook: mutating, stage: admission.StagePassed,
	}, {
		name: "all true", why: "S-153: not even the time is observed",
		webhook: mutating, stage: admission.StagePassed,
		conditions: admission.Conditions{Verdict: admission.ConditionsTrue},
	}, {
		name: "stopped earlier", why: "S-132: only conditions exclude; rules and selectors do not count",
		webhook: mutating, stage: admission.StageRules,
	}, {
		name: "no namespace", why: "an error of another stage is none of the conditions'",
		webhook: mutating, stage: admission.StageNamespaceSelector, err: forbidden,
	}, {
		name: "false mutating", why: "S-069, S-132, S-155: excluded, of type admit in both families",
		webhook: mutating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse},
	}, {
		name: "false validating", why: "S-069, S-155: the evaluation is of type validating, the exclusion of type validate",
		webhook: validating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse},
	}, {
		name: "false after errors", why: "S-150: the errors before the first false count, the webhook is excluded under any policy",
		webhook: failing, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFalse, Errors: 2},
	}, {
		name: "failed under Ignore", why: "S-151: a failure excludes like a false condition",
		webhook: mutating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 1},
	}, {
		name: "failed under Fail", why: "S-151: the request ends, so the webhook was not excluded",
		webhook: failing, stage: admission.StageConditions, err: forbidden,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 3},
	}, {
		name: "failed under an unknown policy", why: "S-152: the webhook is called, the errors count",
		webhook: webhook(admission.Mutating, "Whatever"), stage: admission.StagePassed,
		conditions: admission.Conditions{Verdict: admission.ConditionsFailed, Errors: 1},
	}, {
		name: "aborted under Ignore", why: "S-149, S-151: excluded, but no condition is to blame for an error",
		webhook: validating, stage: admission.StageConditions,
		conditions: admission.Conditions{Verdict: admission.ConditionsAborted},
	}, {
		name: "aborted under Fail", why: "S-149: only the time is observed",
		webhook: failing, stage: admission.StageConditions, err: forbidden,
		conditions: admission.Conditions{Verdict: admission.ConditionsAborted},
	}}
}

// TestRecordMatch compares whole scrapes: names, labels and buckets (S-335).
func TestRecordMatch(t *testing.T) {
	t.Parallel()
	names := rowNames{}
	for _, r := range matchRows() {
		names.check(t, r.name, r.why)
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			match := &admission.Match{
				Webhook: r.webhook, Operation: admissionv1.Update, Stage: r.stage, Err: r.err, Conditions: r.conditions,
			}
			match.Conditions.Elapsed = 2 * time.Millisecond
			reg := prometheus.NewPedanticRegistry()
			newMetrics(t, reg).RecordMatch(t.Context(), match)
			compareGolden(t, "match", r.name, exposition(t, reg), r.why)
		})
	}
}
