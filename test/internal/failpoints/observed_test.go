//go:build failpoints

package failpoints

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// report is what can be seen of a run from outside, as text.
type report struct {
	Code                           int
	Took                           time.Duration
	Object                         string
	Annotations, Warnings, Metrics []string
}

// observe returns the outcome of a request.
func (w *world) observe(t *testing.T, err error, took time.Duration) report {
	t.Helper()
	code := 0
	if err != nil {
		code = -1 // which is none of a status
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			code = int(status.Status().Code)
		}
	}
	return report{
		Code: code, Took: took, Object: text(t, w.request.GetObject()),
		Annotations: w.annotations(), Warnings: w.request.warnings, Metrics: w.counts(t),
	}
}

// annotations are those that the host has been told.
func (w *world) annotations() []string {
	var lines []string
	for _, a := range w.request.Annotations() {
		lines = append(lines, fmt.Sprintf("%s %s=%s", a.Level, a.Key, a.Value))
	}
	return lines
}

// counts are the counters, and the number of observations of the histogram.
func (w *world) counts(t *testing.T) []string {
	t.Helper()
	families, err := w.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, family := range families {
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, l := range m.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			name, _ := strings.CutPrefix(family.GetName(), "apiserver_admission_webhook_")
			lines = append(lines, counted(name, labels, m.GetCounter().GetValue()+float64(m.GetHistogram().GetSampleCount())))
		}
	}
	slices.Sort(lines)
	return lines
}

func counted(name string, labels map[string]string, count float64) string {
	return fmt.Sprintf("%s %v %v", name, labels, count)
}

// text is an object without its own type, which only those need that have none
// in Go.
func text(t *testing.T, object runtime.Object) string {
	t.Helper()
	shown := object.DeepCopyObject()
	if _, custom := shown.(runtime.Unstructured); !custom {
		shown.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	encoded, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// report is what should be seen.
func (e *expected) report(t *testing.T, r *run) report {
	t.Helper()
	want := report{Code: e.code, Took: e.took}
	labels := map[string]string{}
	for i := range e.calls {
		c := &e.calls[i]
		annotations := r.annotations(c)
		if c.unnoted {
			annotations = annotations[1:]
		}
		want.Annotations = append(want.Annotations, annotations...)
		if c.heard {
			want.Warnings = append(want.Warnings, names[c.webhook])
		}
		want.Metrics = append(want.Metrics, r.metrics(c)...)
		if c.outcome == admission.Allowed && r.phase == admission.Mutating {
			labels[names[c.webhook]] = "seen"
		}
	}
	slices.Sort(want.Metrics)
	object := r.kind.object()
	if e.code == 0 {
		accessor, err := meta.Accessor(object)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(labels, accessor.GetLabels())
		accessor.SetLabels(labels)
	}
	want.Object = text(t, object)
	return want
}

// annotations are those of a call.
func (r *run) annotations(c *called) []string {
	const mine = `"configuration":"config","webhook":`
	at, name := fmt.Sprintf("round_0_index_%d", c.webhook), webhookName(c.webhook)
	var list []string
	if c.heard {
		list = append(list, "Metadata "+name+"/seen=yes")
	}
	patched := c.outcome == admission.Allowed
	if r.phase == admission.Mutating {
		if patched {
			list = append(list, fmt.Sprintf(`Request patch.webhook.admission.k8s.io/%s={%s%q,"patch":[%s],"patchType":"JSONPatch"}`, at, mine, name, r.operations(c.webhook)))
		}
		list = append(list, fmt.Sprintf(`Metadata mutation.webhook.admission.k8s.io/%s={%s%q,"mutated":%v}`, at, mine, name, patched))
	}
	switch {
	case c.outcome == admission.FailedOpen && r.phase == admission.Mutating:
		list = append(list, "Metadata failed-open.mutation.webhook.admission.k8s.io/"+at+"="+name)
	case c.outcome == admission.FailedOpen, c.outcome == admission.Panicked && r.ignore:
		list = append(list, "Metadata failed-open.validating.webhook.admission.k8s.io/"+at+"="+name)
	}
	return list
}

// operations are those of a webhook's patch as the annotation shows them.
func (r *run) operations(webhook int) string {
	times := 1
	if r.long {
		times = many
	}
	return strings.TrimSuffix(strings.Repeat(fmt.Sprintf(operation, names[webhook])+",", times), ",")
}

// metrics are what is counted for a call: the table is that of package metrics.
func (r *run) metrics(c *called) []string {
	kind := "validating"
	if r.phase == admission.Mutating {
		kind = "admit"
	}
	with := func(name string, more ...string) string {
		labels := map[string]string{"name": webhookName(c.webhook), "type": kind}
		for i := 0; i < len(more); i += 2 {
			labels[more[i]] = more[i+1]
		}
		return counted(name, labels, 1)
	}
	rejected := c.outcome != admission.Allowed && c.outcome != admission.FailedOpen && !(c.outcome == admission.Canceled && r.ignore)
	code := strconv.Itoa(c.code)
	if c.outcome == admission.Internal {
		code = "0"
	}
	list := []string{
		with("request_total", "operation", "CREATE", "code", code, "rejected", strconv.FormatBool(rejected)),
		with("admission_duration_seconds", "operation", "CREATE", "rejected", strconv.FormatBool(rejected)),
	}
	switch c.outcome {
	case admission.Internal:
		list = append(list, with("rejection_count", "operation", "CREATE", "error_type", "apiserver_internal_error", "rejection_code", "0"))
	case admission.FailedClosed:
		list = append(list, with("rejection_count", "operation", "CREATE", "error_type", "calling_webhook_error", "rejection_code", code))
	case admission.FailedOpen:
		list = append(list, with("fail_open_count"))
	case admission.Panicked:
		list = nil
		if r.ignore {
			list = []string{with("fail_open_count")}
		}
	}
	return list
}
