package faultserver_test

import (
	"testing"
	"time"

	"example.com/gatehouse/test/faultserver"
)

// TestNamedFaults asks every fault once. TestKeepAliveClose and TestGoAwayOnce
// ask again.
func TestNamedFaults(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"slow": "deadline exceeded", "gzip": "200 " + allowed, "huge-body": "too large", "gzip-bomb": "too large",
		"refuse": "connection refused", "full-queue": "deadline exceeded", "close": "EOF", "reset": "connection reset",
		"reset-in-body": "connection reset", "half-close": "EOF", "no-answer": "EOF", "keep-alive-close": "200 ",
		"hang": "deadline exceeded", "never-read": "deadline exceeded", "slow-headers": "deadline exceeded",
		"drip-body": "deadline exceeded", "first-fails": "503", "allow": "200 " + allowed, "deny": `"code":403,"reason":"Forbidden","message":"denied`,
		"deny-silently": `"allowed":false}}`, "deny-1200": `"code":1200`, "deny-5mib": "too large",
		"http-400": "400 ", "http-401": "401 ", "http-404": "404 ", "http-429": "429 ", "http-500": "500 ",
		"http-503-retry-after": "503 ", "http-204": "204 ", "redirect-same": "307 ", "redirect-other": "308 ",
		"redirect-plain": "307 ", "redirect-loop": "307 ", "switching-protocols": "101 ", "many-interim": "exceeded",
		"huge-headers": "exceeded", "empty": "200 ", "not-json": "<html>", "truncated": "unexpected EOF",
		"wrong-length": "200 {", "bad-chunk": "invalid byte in chunk length", "unfinished": "unexpected EOF",
		"endless-body": "too large", "deep-json": "too large", "wrong-uid": `"uid":"somebody-else"`,
		"wrong-kind": `"kind":"Pod"`, "no-response": `"kind":"AdmissionReview"}`, "echo": review,
		"old-version": "v1beta1", "bad-patch": `"patch":"W3`, "panic-patch": `"patch":"W3`, "copy-bomb": `"patchType":"JSONPatch"`,
		"huge-patch": "too large", "many-warnings": `"warning 9999"]}}`, "many-annotations": "too large",
		"many-warning-headers": "500 ", "plain-http": "EOF", "garbage": "first record does not look like",
		"banner": "malformed HTTP response", "tls-hang": "deadline exceeded", "tls-stall": "deadline exceeded",
		"old-tls": "protocol version", "client-certificate": "certificate required", "expired-cert": "has expired",
		"future-cert": "not yet valid", "wrong-name": "IP SANs", "unknown-authority": "unknown authority",
		"missing-intermediate": "unknown authority", "goaway": "deadline exceeded", "goaway-once": "200 " + allowed,
		"enhance-your-calm": "ENHANCE_YOUR_CALM", "rst-stream": "INTERNAL_ERROR", "refused-stream": "deadline exceeded",
		"no-end-of-stream": "deadline exceeded",
	}
	for _, fault := range faultserver.Named() {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			if want[fault.Name] == "" {
				t.Fatal("nothing is wanted of it")
			}
			onBoth(t, fault.Script, func(t *testing.T, s *server) {
				wants(t, askNamed(t, s, want[fault.Name]), want[fault.Name], fault.Summary)
			})
		})
	}
}

// askNamed has no patience with what will not come.
func askNamed(t *testing.T, s *server, want string) string {
	t.Helper()
	patience := 10 * time.Second
	if want == "deadline exceeded" {
		patience = 100 * time.Millisecond
	}
	return ask(t, s, patience).text()
}
