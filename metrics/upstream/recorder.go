package upstream

import (
	"context"

	apiadmission "k8s.io/apiserver/pkg/admission"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"

	"example.com/gatehouse/admission"
)

// Recorder writes to apiserver's admissionmetrics.Metrics. It implements
// dispatcher.Recorder. The zero value is ready to use.
//
// Package metrics, which counts the same in another registry, documents what each outcome
// counts as. Tests compare the two with each other and with kube-apiserver's plugins.
type Recorder struct{}

// RecordMatch counts the evaluation of a webhook's matchConditions (S-153, S-155, S-335).
func (Recorder) RecordMatch(ctx context.Context, m *admission.Match) {
	c := &m.Conditions
	if c.Verdict == 0 || c.Verdict == admission.ConditionsTrue {
		return
	}
	const kind = "webhook"
	name, operation := m.Webhook.Name, string(m.Operation)
	sink := admissionmetrics.Metrics
	sink.ObserveMatchConditionEvaluationTime(ctx, c.Elapsed, name, kind, callType(m.Webhook), operation)
	for range c.Errors {
		sink.ObserveMatchConditionEvalError(ctx, name, kind, callType(m.Webhook), operation)
	}
	if m.Stage == admission.StageConditions && m.Err == nil {
		sink.ObserveMatchConditionExclusion(ctx, name, kind, exclusionType(m.Webhook), operation)
	}
}

// RecordCall counts a finished call by its outcome (S-330…S-334).
func (Recorder) RecordCall(ctx context.Context, c *admission.Call) {
	switch c.Outcome {
	case admission.Allowed, admission.Canceled:
		request(ctx, c)
	case admission.Rejected:
		request(ctx, c)
		rejection(ctx, c, admissionmetrics.WebhookRejectionNoError)
	case admission.FailedClosed:
		request(ctx, c)
		rejection(ctx, c, admissionmetrics.WebhookRejectionCallingWebhookError)
	case admission.Internal:
		request(ctx, c)
		rejection(ctx, c, admissionmetrics.WebhookRejectionAPIServerInternalError)
	case admission.FailedOpen:
		request(ctx, c)
		failOpen(ctx, c)
	case admission.Panicked:
		if c.Webhook.IgnoresFailures() {
			failOpen(ctx, c)
		}
	}
}

func request(ctx context.Context, c *admission.Call) {
	admissionmetrics.Metrics.ObserveWebhook(ctx, c.Webhook.Name, c.Duration, c.Rejects(),
		operationAttributes{name: apiadmission.Operation(c.Operation)}, callType(c.Webhook), c.Code)
}

func rejection(ctx context.Context, c *admission.Call, errorType admissionmetrics.WebhookRejectionErrorType) {
	admissionmetrics.Metrics.ObserveWebhookRejection(ctx, c.Webhook.Name, callType(c.Webhook), string(c.Operation), errorType, c.Code)
}

func failOpen(ctx context.Context, c *admission.Call) {
	admissionmetrics.Metrics.ObserveWebhookFailOpen(ctx, c.Webhook.Name, callType(c.Webhook))
}

// operationAttributes implements the only method of the request's attributes that the
// metrics call.
type operationAttributes struct {
	apiadmission.Attributes
	name apiadmission.Operation
}

func (o operationAttributes) GetOperation() apiadmission.Operation { return o.name }

// callType returns the label "type" of calls and evaluations.
//
// Compat: S-155: the validating phase has two names.
func callType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validating"
}

// exclusionType returns the label "type" of exclusions.
func exclusionType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validate"
}
