package upstream

import (
	"context"

	apiadmission "k8s.io/apiserver/pkg/admission"
	admissionmetrics "k8s.io/apiserver/pkg/admission/metrics"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/metrics/internal/counts"
)

// Recorder writes to apiserver's admissionmetrics.Metrics. It implements
// dispatcher.Recorder. The zero value is ready to use.
//
// Package metrics, which counts the same in another registry, documents how it
// counts each outcome. Tests compare the two with each other and with
// kube-apiserver's plugins.
type Recorder struct{}

// RecordMatch counts the evaluation of a webhook's matchConditions (S-153,
// S-155, S-335).
func (Recorder) RecordMatch(ctx context.Context, m *admission.Match) {
	if !counts.Evaluated(m) {
		return
	}
	c, sink := &m.Conditions, admissionmetrics.Metrics
	name, phase, operation := m.Webhook.Name, counts.CallType(m.Webhook), string(m.Operation)
	sink.ObserveMatchConditionEvaluationTime(ctx, c.Elapsed, name, counts.Kind, phase, operation)
	for range c.Errors {
		sink.ObserveMatchConditionEvalError(ctx, name, counts.Kind, phase, operation)
	}
	if counts.Excluded(m) {
		sink.ObserveMatchConditionExclusion(ctx, name, counts.Kind,
			counts.ExclusionType(m.Webhook), operation)
	}
}

// RecordCall counts a finished call by its outcome (S-330…S-334).
func (Recorder) RecordCall(ctx context.Context, c *admission.Call) {
	counted, sink := counts.OfCall(c), admissionmetrics.Metrics
	name, phase := c.Webhook.Name, counts.CallType(c.Webhook)
	if counted.Request {
		operation := operationAttributes{name: apiadmission.Operation(c.Operation)}
		sink.ObserveWebhook(ctx, name, c.Duration, c.Rejects(), operation, phase, c.Code)
	}
	if counted.Rejection != "" {
		errorType := admissionmetrics.WebhookRejectionErrorType(counted.Rejection)
		sink.ObserveWebhookRejection(ctx, name, phase, string(c.Operation), errorType, c.Code)
	}
	if counted.FailOpen {
		sink.ObserveWebhookFailOpen(ctx, name, phase)
	}
}

// operationAttributes implements the only method of the request's attributes
// that the metrics call.
type operationAttributes struct {
	apiadmission.Attributes
	name apiadmission.Operation
}

// GetOperation implements the method of apiadmission.Attributes.
func (o operationAttributes) GetOperation() apiadmission.Operation { return o.name }
