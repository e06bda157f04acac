package dispatcher_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// limitRow is an answer at or beyond a limit. Limits that are not given are the
// defaults.
type limitRow struct {
	row
	limits limits.Limits
	answer exchange
	// outcome is Allowed if the limit is kept; else err is the end of the text,
	// and it names the limit.
	outcome admission.Outcome
	err     string
}

// within sets the limits of a testRequest.
func (s *testRequest) within(l limits.Limits) *testRequest {
	s.config = func(c *dispatcher.Config) { c.Limits = l }
	return s
}

// pad fills a text up with blanks.
func pad(size int, text string) string { return text + strings.Repeat(" ", size-len(text)) }

// padded has an answer filled up with blanks to a size.
func padded(size int, e exchange) exchange {
	return func(r *http.Request) (*http.Response, error) {
		answer, err := e(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body = io.NopCloser(strings.NewReader(pad(size, string(body))))
		return answer, err
	}
}

// headed gives an answer headers of a size, all in all.
func headed(size int, e exchange) exchange {
	return func(r *http.Request) (*http.Response, error) {
		answer, err := e(r)
		if err == nil {
			answer.Header = http.Header{"X": {strings.Repeat("x", size-len("X: \r\n"))}}
		}
		return answer, err
	}
}

func copying(size int) exchange {
	return patches(`[{"op":"add","path":"/metadata/labels/a","value":"` + strings.Repeat("x", size-2) + `"},` +
		`{"op":"copy","from":"/metadata/labels/a","path":"/metadata/labels/b"},{"op":"remove","path":"/metadata/labels/a"}]`)
}

func operationsOf(n int) exchange {
	return patches(`[` + strings.TrimSuffix(strings.Repeat(addLabel("a", "b")+",", n), ",") + `]`)
}

func responseLimitRows() []limitRow {
	const exceeded = admission.FailedClosed
	return []limitRow{
		{row{"body below", "a body of just this size"}, limits.Limits{ResponseBody: 1000}, padded(1000, allow()), admission.Allowed, ""},
		{row{"body above", "D1: one byte more"}, limits.Limits{ResponseBody: 1000}, padded(1001, allow()), exceeded,
			"failed to call webhook: reading response body: more than 1000 bytes (Limits.ResponseBody)"},
		{row{"body by default below", "8 MiB are allowed"}, limits.Limits{}, padded(8<<20, allow()), admission.Allowed, ""},
		{row{"body by default above", "D1: and no more"}, limits.Limits{}, padded(8<<20+1, allow()), exceeded,
			"more than 8388608 bytes (Limits.ResponseBody)"},
		{row{"body of an error above", "D1: an answer of any code has a body"}, limits.Limits{ResponseBody: 1000}, says(500, "text/plain", strings.Repeat("x", 1001)), exceeded,
			"more than 1000 bytes (Limits.ResponseBody)"},
		{row{"budget below", "the last doubling needs both rooms"}, limits.Limits{Budget: limits.NewBudget(64 << 10)}, padded(100_000, allow()), admission.Allowed, ""},
		{row{"budget above", "P12: one byte less in the budget"}, limits.Limits{Budget: limits.NewBudget(64<<10 - 1)}, padded(100_000, allow()), exceeded,
			"failed to call webhook: reading response body: responses of all calls in flight: more than 65535 bytes (Limits.Budget)"},
		{row{"budget used up", "P12: an answer of ordinary size needs none"}, limits.Limits{Budget: limits.NewBudget(1)}, padded(50_000, allow()), admission.Allowed, ""},
		{row{"headers below", "headers of just this size"}, limits.Limits{ResponseHeader: 1000}, headed(1000, allow()), admission.Allowed, ""},
		{row{"headers above", "D8: one byte more"}, limits.Limits{ResponseHeader: 1000}, headed(1001, allow()), exceeded,
			"failed to call webhook: receiving response headers: more than 1000 bytes (Limits.ResponseHeader)"},
		{row{"headers by default above", "D8: 64 KiB"}, limits.Limits{}, headed(64<<10+1, allow()), exceeded, "more than 65536 bytes (Limits.ResponseHeader)"},
	}
}

func patchLimitRows() []limitRow {
	const internal = admission.Internal
	long := func(size int) exchange { return patches(pad(size, `[`+addLabel("a", "b")+`]`)) }
	grown := func(size int) exchange { return patches(`[` + addLabel("a", strings.Repeat("x", size)) + `]`) }
	return []limitRow{
		{row{"patch size below", "a patch of just this size"}, limits.Limits{PatchSize: 100}, long(100), admission.Allowed, ""},
		{row{"patch size above", "one byte more"}, limits.Limits{PatchSize: 100}, long(101), internal,
			"Internal error occurred: patch cannot be applied: more than 100 bytes (Limits.PatchSize)"},
		{row{"patch size by default above", "3 MiB"}, limits.Limits{}, long(3<<20 + 1), internal, "more than 3145728 bytes (Limits.PatchSize)"},
		{row{"operations below", "as many as allowed"}, limits.Limits{}, operationsOf(10_000), admission.Allowed, ""},
		{row{"operations above", "G29: one more"}, limits.Limits{}, operationsOf(10_001), internal,
			"Internal error occurred: patch cannot be applied: more than 10000 operations (Limits.PatchOperations)"},
		{row{"copies below", "a copy of just this size"}, limits.Limits{PatchCopies: 100}, copying(100), admission.Allowed, ""},
		{row{"copies above", "G28: one byte more"}, limits.Limits{PatchCopies: 100}, copying(101), internal,
			"Internal error occurred: copies of the patch: more than 100 bytes (Limits.PatchCopies)"},
		{row{"object below", "an object below the limit"}, limits.Limits{PatchedObject: 1000}, grown(700), admission.Allowed, ""},
		{row{"object above", "an object above the limit"}, limits.Limits{PatchedObject: 1000}, grown(1000), internal,
			"Internal error occurred: patched object: more than 1000 bytes (Limits.PatchedObject)"},
		{row{"undecodable", "S-245: a failed call, not an internal error"}, limits.Limits{PatchSize: 100}, patches(pad(100, "{")), admission.FailedClosed,
			"unexpected end of JSON input"},
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(responseLimitRows(), patchLimitRows()...), func(t *testing.T, tc limitRow) {
		s := one(admission.Mutating, tc.answer, patient).within(tc.limits)
		s.request.object = pod("app", "web")
		call := s.run(t.Context(), t, admission.Mutating).calls[0]
		if call.Outcome != tc.outcome || !strings.HasSuffix(testtable.Text(call.Err), tc.err) || (tc.err == "") != (call.Err == nil) {
			t.Errorf("%v with error\n%v\nwant %v with\n%s", call.Outcome, call.Err, tc.outcome, tc.err)
		}
		var exceeded *limits.Error
		if named := errors.As(call.Err, &exceeded); tc.outcome == admission.FailedClosed && tc.Name() != "undecodable" && !named {
			t.Errorf("the error wraps no *limits.Error: %v", call.Err)
		}
		if b := tc.limits.Budget; b != nil && b.Used() != 0 {
			t.Errorf("%d bytes of the budget were not returned", b.Used())
		}
	})
}
