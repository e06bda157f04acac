package metrics_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/metrics"
)

// failOpen describes a family that others may have registered before.
func failOpen() prometheus.Opts {
	return prometheus.Opts{
		Name: "apiserver_admission_webhook_fail_open_count",
		Help: "[ALPHA] Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).",
	}
}

// foreignGauge has the shape of a family of ours but not its type.
func foreignGauge() prometheus.Collector {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts(failOpen()), []string{"name", "type"})
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	holding := func(c prometheus.Collector) prometheus.Registerer {
		reg := prometheus.NewPedanticRegistry()
		reg.MustRegister(c)
		return reg
	}
	type test struct {
		row
		reg  prometheus.Registerer
		want []string
	}
	rows := []test{{
		row:  row{"no registerer", "the process's global registry is not a default"},
		want: []string{"metrics: no registerer"},
	}, {
		row:  row{"gauge of the same shape", "Prometheus considers the collectors equal; only the type differs"},
		reg:  holding(foreignGauge()),
		want: []string{"registering " + failOpen().Name, "*prometheus.GaugeVec"},
	}, {
		row:  row{"counter with other labels", "Prometheus itself refuses; its reason is kept"},
		reg:  holding(prometheus.NewCounterVec(prometheus.CounterOpts(failOpen()), []string{"name"})),
		want: []string{"registering " + failOpen().Name, "different label names"},
	}}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		m, err := metrics.New(r.reg)
		if m != nil || err == nil {
			t.Fatalf("New = %v, %v; want an error because %s", m, err, r.Why())
		}
		for _, part := range r.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %q does not say %q", err, part)
			}
		}
	})
}

func TestNewShares(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		view func(prometheus.Registerer) prometheus.Registerer
		want string
	}
	rows := []test{{
		row:  row{"same registry", "two dispatchers of one process add up"},
		view: func(reg prometheus.Registerer) prometheus.Registerer { return reg },
		want: `apiserver_admission_webhook_fail_open_count{name="hook.example.com",type="validating"} 2`,
	}, {
		row: row{"same registry behind two wrappers", "what is found behind a wrapper is the collector as it was given"},
		view: func(reg prometheus.Registerer) prometheus.Registerer {
			return prometheus.WrapRegistererWith(prometheus.Labels{"cluster": "a"}, reg)
		},
		want: `apiserver_admission_webhook_fail_open_count{cluster="a",name="hook.example.com",type="validating"} 2`,
	}}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		reg := prometheus.NewPedanticRegistry()
		record := call(webhook(admission.Validating, registrationv1.Ignore), admission.FailedOpen, 503)
		newMetrics(t, r.view(reg)).RecordCall(t.Context(), record)
		newMetrics(t, r.view(reg)).RecordCall(t.Context(), record)
		if got := exposition(t, reg); !strings.Contains(got, r.want+"\n") {
			t.Errorf("no line %s in\n%s", r.want, got)
		}
	})
}

// A New that fails half-way must not prevent a later one.
func TestNewAfterFailure(t *testing.T) {
	t.Parallel()
	reg, foreign := prometheus.NewPedanticRegistry(), foreignGauge()
	reg.MustRegister(foreign)
	if _, err := metrics.New(reg); err == nil {
		t.Fatal("New adopted a gauge")
	}
	if got := exposition(t, reg); got != "" {
		t.Errorf("a failed New shows in a scrape:\n%s", got)
	}
	reg.Unregister(foreign)
	newMetrics(t, reg)
}
