package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	apiadmission "k8s.io/apiserver/pkg/admission"
	auditinternal "k8s.io/apiserver/pkg/apis/audit"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
)

// recorder records everything that the engine reports: matches, calls, warnings
// and annotations.
type recorder struct {
	matches     []admission.Match
	calls       []admission.Call
	warnings    []string
	annotations []admission.AuditAnnotation
}

func (j *recorder) RecordMatch(_ context.Context, m *admission.Match) {
	j.matches = append(j.matches, *m)
}

func (j *recorder) RecordCall(_ context.Context, c *admission.Call) { j.calls = append(j.calls, *c) }

func (j *recorder) AddWarning(_, text string) { j.warnings = append(j.warnings, text) }

// recordingAttributes are attributes that record the annotations they accept.
type recordingAttributes struct {
	apiadmission.Attributes
	recorder *recorder
}

func (a *recordingAttributes) AddAnnotation(key, value string) error {
	return a.AddAnnotationWithLevel(key, value, auditinternal.LevelMetadata)
}

func (a *recordingAttributes) AddAnnotationWithLevel(key, value string, level auditinternal.Level) error {
	err := a.Attributes.AddAnnotationWithLevel(key, value, level)
	if err == nil {
		a.recorder.annotations = append(a.recorder.annotations,
			admission.AuditAnnotation{Key: key, Value: value, Level: admission.AuditLevel(level)})
	}
	return err
}

// recorders is a Recorder that calls several.
type recorders []dispatcher.Recorder

func (t recorders) RecordMatch(ctx context.Context, m *admission.Match) {
	for _, r := range t {
		r.RecordMatch(ctx, m)
	}
}

func (t recorders) RecordCall(ctx context.Context, c *admission.Call) {
	for _, r := range t {
		r.RecordCall(ctx, c)
	}
}

// describe returns the result as text, with UID for the uids of the reviews.
func (r *result) describe(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	describeError(&b, r.err)
	var uids []string
	for i := range r.calls {
		describeCall(&b, &r.calls[i])
		if uid := string(r.calls[i].UID); uid != "" {
			uids = append(uids, uid, "UID")
		}
	}
	for _, a := range r.annotations {
		fmt.Fprintf(&b, "annotation: %s %s = %s\n", a.Level, a.Key, a.Value)
	}
	for _, w := range r.warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	for _, m := range counts(t, r.registry) {
		fmt.Fprintf(&b, "metric: %s\n", m)
	}
	if object := r.attributes.GetObject(); object != nil {
		m, err := meta.Accessor(object)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "object: %T %s %v\n", object, m.GetName(), m.GetLabels())
	}
	return strings.NewReplacer(uids...).Replace(b.String())
}

func describeError(b *strings.Builder, err error) {
	var status *apierrors.StatusError
	switch {
	case err == nil:
		b.WriteString("passed\n")
	case !errors.As(err, &status):
		fmt.Fprintf(b, "error: %T: %v\n", err, err)
	default:
		s := status.ErrStatus
		fmt.Fprintf(b, "error: %d %q %s\n       %s\n", s.Code, s.Reason, s.Status, err)
		if s.Details == nil {
			return
		}
		fmt.Fprintf(b, "       details: kind %q name %q retry after %d\n", s.Details.Kind, s.Details.Name, s.Details.RetryAfterSeconds)
		for _, cause := range s.Details.Causes {
			fmt.Fprintf(b, "       cause: %s\n", cause.Message)
		}
	}
}

func describeCall(b *strings.Builder, c *admission.Call) {
	fmt.Fprintf(b, "call: %s, code %d, changed %v, %s %s, %s %s, round %d, index %d\n",
		c.Outcome, c.Code, c.Changed, c.Operation, c.Target.Kind.Kind, c.ReviewVersion, c.URL, c.Round, c.Index)
	if c.Err != nil {
		fmt.Fprintf(b, "      %v\n", c.Err)
	}
	if c.Patch != nil {
		fmt.Fprintf(b, "      patch %s\n", c.Patch)
	}
	for _, refused := range c.AuditErrors {
		fmt.Fprintf(b, "      audit error: %v\n", refused.Err)
	}
}

// counts returns all counters, and of histograms how much they counted.
func counts(t *testing.T, registry *prometheus.Registry) []string {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, family := range families {
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			value := m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
			name := strings.TrimPrefix(family.GetName(), "apiserver_admission_")
			lines = append(lines, fmt.Sprintf("%s{%s} %v", name, strings.Join(labels, ","), value))
		}
	}
	slices.Sort(lines)
	return lines
}
