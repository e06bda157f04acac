package conformance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestLost has a webhook die for good of what is no review: what comes after it
// says nothing about the webhook.
func TestLost(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	server := httptest.NewTLSServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "application/json" {
			dead.Store(true)
		}
		if dead.Load() {
			panic(http.ErrAbortHandler)
		}
		probetest.Good().ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	r, err := conformance.Run(t.Context(), conformance.Subject{
		URL: "https://hook.example.com:443/", Resolve: []string{"hook.example.com:443:" + server.Listener.Addr().String()},
		Only: []string{"C-UID", "C-REQUEST-TYPE", "C-CONCURRENCY", "C-LARGE-OBJECT", "C-LATENCY"},
	})
	if err != nil {
		t.Fatal(err)
	}
	problems := r.Problems()
	if len(problems) != 1 || !strings.HasPrefix(problems[0].Problem, "it has not answered since C-REQUEST-TYPE: ") {
		t.Errorf("the problems are %v", problems)
	}
	if r.Conforms() {
		t.Error("a webhook that is gone conforms")
	}
	for _, result := range r.Results {
		if want := verdictAround(result.Check); result.Verdict != want {
			t.Errorf("%s is a %s, want a %s: %v", result.Check, result.Verdict, want, result.Findings)
		}
	}
}

// verdictAround returns what is said of a webhook that dies in C-REQUEST-TYPE.
func verdictAround(id string) report.Verdict {
	switch id {
	case "C-UID":
		return report.Pass
	case "C-REQUEST-TYPE":
		return report.Fail
	}
	return report.Skip
}

func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(probetest.Good())
	t.Cleanup(server.Close)
	r := run(t, conformance.Subject{
		URL: "https://hook.example.com:443/", Resolve: []string{"hook.example.com:443:" + server.Listener.Addr().String()},
	})
	if problems := r.Problems(); len(problems) != 1 || !strings.HasPrefix(problems[0].Problem, "it serves plain HTTP") {
		t.Errorf("the problems are %v", problems)
	}
	for _, result := range r.Results {
		if result.Verdict != report.Skip {
			t.Errorf("%s is a %s, want a skip", result.Check, result.Verdict)
		}
	}
}

func TestNothingLeft(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Subject{
		URL: "https://hook.example.com/", Handler: probetest.Good(), Only: []string{"C-UID"}, Skip: []string{"C-UID"},
	})
	if got, want := testtable.Text(err), "no check is left to run"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
