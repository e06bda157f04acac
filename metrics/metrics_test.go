package metrics_test

import (
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/metrics"
)

// update rewrites testdata; review the difference before keeping it.
var update = flag.Bool("update", false, "rewrite the expected texts in testdata")

// row is what every row of every table has to say about itself.
type row = testtable.Row

func newMetrics(t testing.TB, reg prometheus.Registerer) *metrics.Metrics {
	t.Helper()
	m, err := metrics.New(reg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// exposition is what a scrape of the registry would read.
func exposition(t testing.TB, g prometheus.Gatherer) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("scrape: %d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// compareGolden compares a scrape with the file of the test's row.
func compareGolden(t *testing.T, folder, row, got string) {
	t.Helper()
	file := filepath.Join("testdata", folder, strings.ReplaceAll(row, " ", "_")+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func webhook(phase admission.Phase, policy registrationv1.FailurePolicyType) *admission.Webhook {
	return &admission.Webhook{Phase: phase, Configuration: "config", Name: "hook.example.com", FailurePolicy: &policy}
}

// call is a call of 30 milliseconds that ended in the outcome.
func call(w *admission.Webhook, outcome admission.Outcome, code int) *admission.Call {
	c := &admission.Call{
		Webhook:   w,
		Operation: admissionv1.Create,
		Duration:  30 * time.Millisecond,
		Outcome:   outcome,
		Code:      code,
	}
	if outcome != admission.Allowed {
		c.Err = errors.New("it went wrong")
	}
	return c
}
