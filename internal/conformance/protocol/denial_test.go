package protocol

import (
	"net/http"
	"testing"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// denying is a webhook that denies with this status; nil is none.
func denying(status map[string]any) http.Handler {
	return probetest.Handler(func(_ probe.Review, response map[string]any) {
		response["allowed"] = false
		if status != nil {
			response["status"] = status
		}
	})
}

// denies403 is a webhook that says no, and why.
func denies403(message string) http.Handler {
	return denying(map[string]any{"code": 403, "message": message})
}

func TestDenial(t *testing.T) {
	t.Parallel()
	const id = "C-DENIAL"
	runAll(t, []seen{
		{row{"good", "code and message say it all"}, id, validating(), denies403("no pods today"), one(), report.Pass, ""},
		{row{"nothing", "the user reads “without explanation”"}, id, validating(), denying(nil), one(), report.Fail,
			"the denial has no message, and status.code is 0"},
		{row{"no message", "a reason is a word, and no explanation"}, id, validating(), denying(map[string]any{"code": 403, "reason": "Forbidden"}), one(), report.Fail,
			"the denial has no message"},
		{row{"no code", "it becomes 400"}, id, validating(), denying(map[string]any{"message": "no pods today"}), one(), report.Fail,
			"status.code of the denial is 0, which is not that of an error"},
		{row{"success", "200 is for what was allowed"}, id, validating(), denying(map[string]any{"code": 200, "message": "no pods today"}), one(), report.Fail,
			"status.code of the denial is 200, which is not that of an error"},
		{row{"far out", "HTTP has no such status"}, id, validating(), denying(map[string]any{"code": 700, "message": "no pods today"}), one(), report.Fail,
			"status.code of the denial is 700, which is not that of an error"},
		{row{"allowed", "a yes needs no explanation"}, id, validating(), good(), one(), report.Skip, "the webhook denied none of the samples"},
	})
}

type verdictRow struct {
	row
	status  map[string]any
	verdict report.Verdict
}

// TestDenialWithoutAllowed is about encoders that leave out what is false:
// C-ALLOWED fails, and what is there of the denial is looked at all the same.
func TestDenialWithoutAllowed(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []verdictRow{
		{row{"explained", "it is a denial, and a good one"}, map[string]any{"code": 403, "message": "no pods today"}, report.Pass},
		{row{"unexplained", "it is a denial, and a bad one"}, map[string]any{"code": 403}, report.Fail},
		{row{"no status", "nothing says that it is a denial"}, nil, report.Skip},
	}, func(t *testing.T, tc verdictRow) {
		omits := probetest.Handler(func(_ probe.Review, response map[string]any) {
			delete(response, "allowed")
			response["status"] = tc.status
		})
		s := seen{id: "C-DENIAL", webhook: validating(), handler: omits, requests: one()}
		if got := s.look(t).Verdict; got != tc.verdict {
			t.Errorf("got %s, want %s", got, tc.verdict)
		}
	})
}

// TestDenialWithAnotherStatus is about denials that C-STATUS fails: what is
// good about them counts, and what is not does not.
func TestDenialWithAnotherStatus(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []verdictRow{
		{row{"explained", "it has to be sent with another status, and says what it should"}, map[string]any{"code": 403, "message": "no pods today"}, report.Pass},
		{row{"unexplained", "it comes from where errors are handled"}, map[string]any{"message": "no pods today"}, report.Skip},
	}, func(t *testing.T, tc verdictRow) {
		forbids := writes(func(out http.ResponseWriter, review map[string]any) {
			out.WriteHeader(http.StatusForbidden)
			review["response"] = map[string]any{"allowed": false, "status": tc.status}
		})
		s := seen{id: "C-DENIAL", webhook: validating(), handler: forbids, requests: one()}
		if got := s.look(t).Verdict; got != tc.verdict {
			t.Errorf("got %s, want %s", got, tc.verdict)
		}
	})
}
