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

// recordMatch reports evaluated conditions to the metrics, and every match to
// the observer.
func (r *phaseRun) recordMatch(ctx context.Context, m admission.Match) {
	metrics := r.d.config.Metrics
	if m.Conditions.Verdict == 0 {
		metrics = nil
	}
	if metrics == nil && r.observer == nil {
		return
	}
	r.lastMatch = m
	for _, recorder := range [...]Recorder{metrics, r.observer} {
		if recorder != nil {
			_ = guard.Do(func() { recorder.RecordMatch(ctx, &r.lastMatch) })
		}
	}
}

// recordCall gives a finished call its effects outside of the engine: it adds
// audit annotations and warnings, and reports to the metrics and the observer.
func (r *phaseRun) recordCall(ctx context.Context, c *admission.Call) {
	failpoint.Hit(ctx, failpoint.BeforeRecord)
	for _, a := range audit.Annotations(c) {
		if err := r.annotate(ctx, a); err != nil {
			key := limits.Cut(a.Key, r.d.config.Limits.Message)
			c.AuditErrors = append(c.AuditErrors, admission.AuditError{Key: key, Err: err})
		}
	}
	for _, text := range c.Warnings {
		_ = guard.Do(func() { warning.AddWarning(ctx, "", text) })
	}
	for _, recorder := range [...]Recorder{r.d.config.Metrics, r.observer} {
		if recorder != nil {
			_ = guard.Do(func() { recorder.RecordCall(ctx, c) })
		}
	}
	failpoint.Hit(ctx, failpoint.AfterRecord)
}

// annotate adds an annotation to the request's attributes. They are the
// embedder's and may return an error (S-311, S-312).
func (r *phaseRun) annotate(ctx context.Context, a admission.AuditAnnotation) error {
	return guard.Call(func() error { return r.addAnnotation(ctx, a) })
}

func (r *phaseRun) addAnnotation(ctx context.Context, a admission.AuditAnnotation) (err error) {
	failpoint.Hit(ctx, failpoint.BeforeAnnotation)
	if a.Level == admission.AuditMetadata {
		err = r.attributes.AddAnnotation(a.Key, a.Value)
	} else {
		err = r.attributes.AddAnnotationWithLevel(a.Key, a.Value, auditinternal.Level(a.Level))
	}
	failpoint.Hit(ctx, failpoint.AfterAnnotation)
	return err
}
