package churn

import (
	"fmt"

	dto "github.com/prometheus/client_model/go"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/test/internal/soak/model"
)

// counted returns what the engine's metrics say about a phase.
func (e *subject) counted(phase admission.Phase) (model.Counts, error) {
	families, err := e.metrics.Gather()
	if err != nil {
		return model.Counts{}, err
	}
	var c model.Counts
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if labelOf(m, "type") != typeOf(phase) {
				continue
			}
			to, counts := counterOf(&c, f.GetName(), labelOf(m, "error_type"))
			switch {
			case to != nil:
				*to += int64(m.GetCounter().GetValue())
			case counts:
				return c, fmt.Errorf("the metric %s has the unknown error type %q", f.GetName(), labelOf(m, "error_type"))
			}
		}
	}
	return c, nil
}

// counterOf returns what a metric is counted as, and whether it has to be
// something.
func counterOf(c *model.Counts, metric, errorType string) (to *int64, counts bool) {
	const prefix = "apiserver_admission_webhook_"
	switch metric {
	case prefix + "request_total":
		return &c.Calls, true
	case prefix + "fail_open_count":
		return &c.FailedOpen, true
	case prefix + "rejection_count":
		return map[string]*int64{
			"no_error": &c.Denied, "calling_webhook_error": &c.FailedClosed, "apiserver_internal_error": &c.Internal,
		}[errorType], true
	}
	return nil, false
}

func labelOf(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}

// typeOf is how metrics call a phase.
func typeOf(phase admission.Phase) string {
	if phase == admission.Mutating {
		return "admit"
	}
	return "validating"
}
