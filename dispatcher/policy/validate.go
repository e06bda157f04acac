package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating/metrics"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
)

// validating is the run of the validating policies.
type validating struct {
	*run
	// versions are the objects in the versions that policies ask for, and requests
	// the request as expressions see it.
	versions map[schema.GroupVersionKind]*apiadmission.VersionedAttributes
	requests map[admission.Target]*admissionv1.AdmissionRequest
	// limited is the part of the namespace that validations see.
	limited *corev1.Namespace
	// denials are the reasons to deny the request; the first decides.
	denials  []denial
	failures []failure
}

// denial is a reason to deny a request. binding is empty if the policy itself
// cannot be used.
type denial struct {
	policy, binding, message string
	reason                   metav1.StatusReason
}

// failure is a failed validation, as kube-apiserver writes it into the audit
// annotation.
type failure struct {
	Message           string                            `json:"message"`
	Policy            string                            `json:"policy"`
	Binding           string                            `json:"binding"`
	ExpressionIndex   int                               `json:"expressionIndex"`
	ValidationActions []registrationv1.ValidationAction `json:"validationActions"`
}

// validate evaluates validating policies.
func (r *run) validate(ctx context.Context, policies []*applied) error {
	v := &validating{
		run: r, versions: map[schema.GroupVersionKind]*apiadmission.VersionedAttributes{},
		requests: map[admission.Target]*admissionv1.AdmissionRequest{},
	}
	for _, p := range policies {
		if err := v.policy(ctx, p); err != nil {
			return err
		}
	}
	v.publishFailures()
	if len(v.denials) > 0 {
		return v.denials[0].status(r.attributes)
	}
	return nil
}

// policy evaluates a policy with all of its bindings. An error ends the request
// whatever the failurePolicy.
func (v *validating) policy(ctx context.Context, p *applied) error {
	if p.err != nil {
		v.misconfigured(p, "", p.err)
		return nil
	}
	annotations := map[string][]string{}
	for i := range p.bindings {
		b := &p.bindings[i]
		if b.err != nil {
			v.misconfigured(p, b.name, b.err)
			continue
		}
		if err := v.binding(ctx, p, b, annotations); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		// Bindings may have different values, by their params. A key that the
		// host refuses does not affect the request.
		_ = v.attributes.AddAnnotation(p.name+"/"+key, strings.Join(annotations[key], ", "))
	}
	return nil
}

// misconfigured applies the failurePolicy to a policy or binding that cannot be
// used.
func (v *validating) misconfigured(p *applied, binding string, err error) {
	d := denial{policy: p.name, binding: binding, message: "failed to configure binding: " + err.Error()}
	switch {
	case p.ignoresFailures():
		return
	case p.failurePolicy != registrationv1.Fail:
		d.message = fmt.Sprintf("unrecognized failure policy: '%v'", p.failurePolicy)
	case binding == "":
		d.message = "failed to configure policy: " + err.Error()
	}
	v.denials = append(v.denials, d)
}

// binding evaluates a policy with each param of a binding, and then applies the
// actions.
func (v *validating) binding(
	ctx context.Context, p *applied, b *appliedBinding, annotations map[string][]string,
) error {
	object, err := v.object(p.target.Kind, len(b.params) > 0)
	if err != nil {
		v.misconfigured(p, b.name, fmt.Errorf("failed to convert object version: %w", err))
		return nil
	}
	ns, err := v.namespace(ctx)
	if err != nil {
		return err
	}
	results := make([]validated, len(b.params))
	for i, param := range b.params {
		failpoint.Hit(ctx, failpoint.BeforeEvaluation)
		results[i] = v.evaluate(ctx, p, b, object, param, ns)
		failpoint.Hit(ctx, failpoint.AfterEvaluation)
	}
	for i := range results {
		v.act(ctx, p, b, &results[i], annotations)
	}
	return nil
}

// object returns the object in a version. It is converted only if it is needed.
func (v *validating) object(
	kind schema.GroupVersionKind, needed bool,
) (*apiadmission.VersionedAttributes, error) {
	if object := v.versions[kind]; object != nil || !needed {
		return object, nil
	}
	object, err := apiadmission.NewVersionedAttributes(v.attributes, kind, v.objects)
	if err == nil {
		v.versions[kind] = object
	}
	return object, err
}

// request returns the request as expressions of policies with a target see it.
func (v *validating) request(t admission.Target) *admissionv1.AdmissionRequest {
	if r := v.requests[t]; r != nil {
		return r
	}
	r := cel.CreateAdmissionRequest(v.attributes, metav1.GroupVersionResource(t.Resource),
		metav1.GroupVersionKind(t.Kind))
	v.requests[t] = r
	return r
}

// limitedNamespace returns the part of the namespace that validations see.
func (v *validating) limitedNamespace(ns *corev1.Namespace) *corev1.Namespace {
	if v.limited == nil {
		v.limited = cel.CreateNamespaceObject(ns)
	}
	return v.limited
}

// evaluate evaluates a policy with a param, and records it.
func (v *validating) evaluate(
	ctx context.Context, p *applied, b *appliedBinding, object *apiadmission.VersionedAttributes,
	param runtime.Object, ns *corev1.Namespace,
) validated {
	ctx, record := p.begin(ctx, b, param)
	in := input{object: object, request: v.request(p.target), param: p.withKind(param), namespace: ns,
		limited: v.limitedNamespace(ns)}
	result := p.validate(ctx, v.run, in, record)
	if record != nil {
		for _, d := range result.decisions {
			record.Decisions = append(record.Decisions, d.PolicyDecision)
		}
		for _, a := range result.annotations {
			if a.err == "" {
				record.Annotations = append(record.Annotations,
					admission.AuditAnnotation{Key: a.key, Value: a.value})
			}
		}
	}
	return result
}

// maxAnnotation is the longest value of an audit annotation.
const maxAnnotation = 10 << 10

// act applies the actions of a binding to a result.
func (v *validating) act(
	ctx context.Context, p *applied, b *appliedBinding, result *validated,
	annotations map[string][]string,
) {
	for i := range result.decisions {
		v.decide(ctx, p, b, i, &result.decisions[i])
	}
	for _, a := range result.annotations {
		if a.err != "" {
			v.denials = append(v.denials, denial{policy: p.name, binding: b.name, message: a.err})
			metrics.Metrics.ObserveRejection(ctx, a.elapsed, p.name, b.name, errorType(a.err))
			continue
		}
		value := a.value[:min(len(a.value), maxAnnotation)]
		if !slices.Contains(annotations[a.key], value) {
			annotations[a.key] = append(annotations[a.key], value)
		}
	}
}

// decide applies the actions of a binding to the result of one validation.
func (v *validating) decide(
	ctx context.Context, p *applied, b *appliedBinding, index int, d *decision,
) {
	kind := errorType(d.Message)
	if !d.Denied {
		if d.Failed {
			metrics.Metrics.ObserveAdmission(ctx, d.elapsed, p.name, b.name, kind)
		}
		return
	}
	for _, action := range b.actions {
		switch action {
		case registrationv1.Deny:
			v.denials = append(v.denials, denial{p.name, b.name, d.Message, d.Reason})
			metrics.Metrics.ObserveRejection(ctx, d.elapsed, p.name, b.name, kind)
		case registrationv1.Audit:
			v.failures = append(v.failures, failure{d.Message, p.name, b.name, index, b.actions})
			metrics.Metrics.ObserveAudit(ctx, d.elapsed, p.name, b.name, kind)
		case registrationv1.Warn:
			warning.AddWarning(ctx, "", fmt.Sprintf(
				"Validation failed for ValidatingAdmissionPolicy '%s' with binding '%s': %s", p.name, b.name, d.Message))
			metrics.Metrics.ObserveWarn(ctx, d.elapsed, p.name, b.name, kind)
		}
	}
}

// errorType returns the label of a metric for the message of a failure.
func errorType(message string) metrics.ValidationErrorType {
	switch {
	case strings.HasPrefix(message, "compilation"):
		return metrics.ValidationCompileError
	case strings.HasPrefix(message, outOfBudget):
		return metrics.ValidatingOutOfBudget
	}
	return metrics.ValidatingInvalidError
}

// outOfBudget is the beginning of the error of apiserver for too high a cost.
const outOfBudget = "validation failed due to running out of cost budget"

const (
	failuresKey = "validation.policy.admission.k8s.io/validation_failure"
	maxFailures = 50
)

// publishFailures adds the audit annotation of the failures.
func (v *validating) publishFailures() {
	if len(v.failures) == 0 {
		return
	}
	text, err := json.Marshal(v.failures[:min(len(v.failures), maxFailures)])
	if err == nil {
		_ = v.attributes.AddAnnotation(failuresKey, string(text)) // see policy
	}
}

// status returns the error that the client receives.
func (d *denial) status(a apiadmission.Attributes) error {
	message := fmt.Sprintf("ValidatingAdmissionPolicy '%s' denied request: %s", d.policy, d.message)
	if d.binding != "" {
		message = fmt.Sprintf("ValidatingAdmissionPolicy '%s' with binding '%s' denied request: %s",
			d.policy, d.binding, d.message)
	}
	err := apiadmission.NewForbidden(a, errors.New(message))
	status, ok := err.(*apierrors.StatusError)
	if !ok {
		return err // not reached: NewForbidden returns no other
	}
	status.ErrStatus.Reason = d.reason
	if d.reason == "" {
		status.ErrStatus.Reason = metav1.StatusReasonInvalid
	}
	status.ErrStatus.Code = codeOf(status.ErrStatus.Reason)
	status.ErrStatus.Details.Causes = append(status.ErrStatus.Details.Causes,
		metav1.StatusCause{Message: message})
	return status
}

// codeOf returns the HTTP status for a reason.
func codeOf(r metav1.StatusReason) int32 {
	switch r {
	case metav1.StatusReasonForbidden:
		return 403
	case metav1.StatusReasonUnauthorized:
		return 401
	case metav1.StatusReasonRequestEntityTooLarge:
		return 413
	}
	return 422
}

// withKind returns a param with apiVersion and kind, which those of built-in
// kinds do not have.
func (p *policy) withKind(param runtime.Object) runtime.Object {
	if param == nil || !param.GetObjectKind().GroupVersionKind().Empty() {
		return param
	}
	param = param.DeepCopyObject()
	param.GetObjectKind().SetGroupVersionKind(p.kindOfParams())
	return param
}

// decision is the result of a validation.
type decision struct {
	admission.PolicyDecision
	elapsed time.Duration
}
