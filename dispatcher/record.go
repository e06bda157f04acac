package dispatcher

import (
	"context"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
)

// recordMatch tells metrics about conditions that were evaluated, and the
// observer about everything.
func (p *pass) recordMatch(ctx context.Context, m admission.Match) {
	metrics := p.d.config.Metrics
	if m.Conditions.Verdict == 0 {
		metrics = nil
	}
	if metrics == nil && p.observer == nil {
		return
	}
	p.told = m
	for _, r := range [...]Recorder{metrics, p.observer} {
		if r != nil {
			_ = guard.Do(func() { r.RecordMatch(ctx, &p.told) })
		}
	}
}

// recordCall gives a finished call its effects outside of the engine: audit
// annotations, warnings, metrics, observers.
func (p *pass) recordCall(ctx context.Context, c *admission.Call) {
	failpoint.Hit(ctx, failpoint.BeforeRecord)
	for _, a := range audit.Annotations(c) {
		if err := p.annotate(ctx, a); err != nil {
			key := limits.Cut(a.Key, p.d.config.Limits.Message)
			c.AuditErrors = append(c.AuditErrors, admission.AuditError{Key: key, Err: err})
		}
	}
	for _, text := range c.Warnings {
		_ = guard.Do(func() { warning.AddWarning(ctx, "", text) })
	}
	if metrics := p.d.config.Metrics; metrics != nil {
		_ = guard.Do(func() { metrics.RecordCall(ctx, c) })
	}
	if p.observer != nil {
		_ = guard.Do(func() { p.observer.RecordCall(ctx, c) })
	}
	failpoint.Hit(ctx, failpoint.AfterRecord)
}

// annotate adds an annotation to the request's attributes, which belong to the
// host and may refuse it (S-311, S-312).
func (p *pass) annotate(ctx context.Context, a admission.AuditAnnotation) error {
	return guard.Call(func() error { return p.addAnnotation(ctx, a) })
}

func (p *pass) addAnnotation(ctx context.Context, a admission.AuditAnnotation) (err error) {
	failpoint.Hit(ctx, failpoint.BeforeAnnotation)
	if a.Level == admission.AuditMetadata {
		err = p.attributes.AddAnnotation(a.Key, a.Value)
	} else {
		err = p.attributes.AddAnnotationWithLevel(a.Key, a.Value, auditinternal.Level(a.Level))
	}
	failpoint.Hit(ctx, failpoint.AfterAnnotation)
	return err
}
