package dispatcher

import (
	"context"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/warning"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/engine/failpoint"
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
			contain(func() { r.RecordMatch(ctx, &p.told) })
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
		contain(func() { warning.AddWarning(ctx, "", text) })
	}
	if metrics := p.d.config.Metrics; metrics != nil {
		contain(func() { metrics.RecordCall(ctx, c) })
	}
	if p.observer != nil {
		contain(func() { p.observer.RecordCall(ctx, c) })
	}
	failpoint.Hit(ctx, failpoint.AfterRecord)
}

// annotate adds an annotation to the request's attributes, which belong to the
// host and may refuse it (S-311, S-312).
func (p *pass) annotate(ctx context.Context, a admission.AuditAnnotation) error {
	return guard(func() error { return p.addAnnotation(ctx, a) })
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

// contain runs something that reports and must not be able to do harm.
func contain(report func()) {
	defer func() { _ = recover() }()
	report()
}
