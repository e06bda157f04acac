package crdconversion_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/testtable"
)

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// uid reads what the request wants to hear.
func uid(r *http.Request) string {
	var review struct {
		Request struct{ UID string }
	}
	_ = json.NewDecoder(r.Body).Decode(&review)
	return review.Request.UID
}

// review answers with a success of which the text of the converted objects is
// given.
func review(objects string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
			"response": {"uid": %q, "result": {"status": "Success"}, "convertedObjects": %s}}`, uid(r), objects)
	}
}

func endless(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	blank := bytes.Repeat([]byte(" "), 1<<16)
	for r.Context().Err() == nil {
		if _, err := w.Write(blank); err != nil {
			return
		}
	}
}

// bomb is a body that is small until it is unpacked.
func bomb(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_, _ = z.Write(append([]byte("{"), bytes.Repeat([]byte(" "), 16<<20)...))
	_ = z.Close()
}

func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler) // an answer might still be heard
}

func later(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Retry-After", "3600")
	http.Error(w, "busy", http.StatusTooManyRequests)
}

func redirect(status int, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Location", to)
		w.WriteHeader(status)
	}
}

func hangUp(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	panic(http.ErrAbortHandler)
}

// TestHostileWebhooks has servers that are no conversion webhooks, or not good
// ones. All of them end in an error, and in time.
func TestHostileWebhooks(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		handler http.HandlerFunc
		timeout time.Duration // zero for the default
		want    string        // is in the error
	}
	nested := func(open, end string) string { return strings.Repeat(open, 1<<20) + strings.Repeat(end, 1<<20) }
	inside := `[{"apiVersion":"example.com/v3","kind":"Widget","metadata":{"name":"one","namespace":"shop","uid":"11-22"},"spec":%s}]`
	rows := []test{
		{row{"not JSON", "a page of another server"}, says(200, "<html>"), 0, "couldn't get version/kind"},
		{row{"cut", "half an answer"}, says(200, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "Conv`), 0, "unexpected end of JSON input"},
		{row{"empty", "no answer"}, says(200, ""), 0, "0-length response with status code: 200"},
		{row{"no content", "it says so itself"}, says(204, ""), 0, "0-length response with status code: 204"},
		{row{"nothing", "JSON, but nothing"}, says(200, "null"), 0, "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind="},
		{row{"empty object", "JSON, but without a kind"}, says(200, "{}"), 0, "failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind="},
		{row{"status", "API machinery knows the kind, and it is no review"},
			says(200, `{"apiVersion": "v1", "kind": "Status", "status": "Failure", "message": "go away"}`), 0, "converting (v1.Status) to (v1.ConversionReview): unknown conversion"},
		{row{"other kind", "a kind of the group that is no review"},
			says(200, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": {"conversion": {"strategy": "Webhook"}}}`), 0, "converting (v1.CustomResourceDefinition) to (v1.ConversionReview): unknown conversion"},
		{row{"other review", "the version that was not asked for"},
			says(200, `{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "ConversionReview", "response": {}}`), 0, "converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion"},
		{row{"protobuf", "an encoding that API machinery knows, with nonsense in it"}, says(200, "k8s\x00\xff\xff\xff\xff\xff"), 0, failed + "failed: "},
		{row{"CBOR", "another one"}, says(200, "\xd9\xd9\xf7\xbf\xff"), 0, failed + "failed: "},
		{row{"not found", "a wrong path"}, says(404, "404 page not found"), 0, "the server could not find the requested resource"},
		{row{"error", "a webhook that fails"}, says(500, "out of order"), 0, `an error on the server ("out of order") has prevented the request from succeeding`},
		{row{"unsupported", "client-go has a path of its own for it"}, says(415, "no"), 0, failed + "failed: no"},
		{row{"hang", "it never answers"}, hang, 500 * time.Millisecond, "exceeded"},
		{row{"later", "it asks to be called in an hour, which is too late"}, later, 500 * time.Millisecond, "exceeded"},
		{row{"endless", "it never stops"}, endless, 0, "the response is longer than 8388608 bytes"},
		{row{"bomb", "what is unpacked counts"}, bomb, 0, "the response is longer than 8388608 bytes"},
		{row{"much YAML", "it would take minutes to read"}, says(200, "a: ["+strings.Repeat("[],", 1<<20)+"]"), 0, "the response is not a JSON object and is longer than 262144 bytes"},
		{row{"late YAML", "blanks before it are read, too"}, says(200, strings.Repeat(" ", 1<<20)+"a: b"), 0, "the response is not a JSON object and is longer than 262144 bytes"},
		{row{"hang up", "it closes the connection"}, hangUp, 0, "EOF"},
		{row{"redirect to another host", "the object would go to another server"}, redirect(307, "https://10.1.2.3/secret?x"), 0,
			"redirect to https://10.1.2.3 refused: another scheme, host or port than the webhook's"},
		{row{"redirect to plain HTTP", "the object would go in clear"}, redirect(308, "http://127.0.0.1/"), 0, "redirect to http://127.0.0.1 refused"},
		{row{"redirect to nonsense", "an address that cannot be read is not shown"}, redirect(302, "https://%zz/"), 0, "redirect to a malformed address refused"},
		{row{"redirect to itself", "it would go on forever"}, redirect(307, "/convert"), 0, "stopped after 10 redirects"},
		{row{"redirect nowhere", "the status is all there is"}, redirect(302, ""), 0, "the server responded with the status code 302"},
		{row{"response is a list", "a wrong type where it hurts"},
			says(200, `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": []}`), 0, "cannot unmarshal array"},
		{row{"nested in an object", "depth is bounded where objects are read"}, review(fmt.Sprintf(inside, nested("[", "]"))), 0, "exceeded max depth"},
		{row{"nested objects", "and where the answer is"}, review(nested("[", "]")), 0, "exceeded max depth"},
		{row{"nested YAML", "and where it is no JSON"}, says(200, "a: "+strings.Repeat("[", 20000)), 0, "yaml: exceeded max depth of 10000"},
		{row{"YAML aliases", "few lines that mean many"}, says(200, laughs()), 0, "yaml: document contains excessive aliasing"},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		w := newHandler(t, tc.handler)
		config := w.config()
		config.Timeout = tc.timeout
		got, err := mustMake(t, config, w.crd("v1")).ConvertToVersion(widget("v1", 5), gv("v3"))
		if !strings.Contains(testtable.Text(err), tc.want) || got != nil {
			t.Errorf("got %v, error %.500v, want %q", got, err, tc.want)
		}
	})
}

// laughs is YAML whose every line means ten times the line before.
func laughs() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	return b.String()
}

// TestLongestAnswer has an answer that is just as long as it may be.
func TestLongestAnswer(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		more int
		want string
	}
	testtable.Run(t, []test{
		{row{"longest", "the bound is part of what may be"}, 0, ""},
		{row{"too long", "and nothing more is"}, 1, "the response is longer than 8388608 bytes"},
	}, func(t *testing.T, tc test) {
		right := newWebhook(t, nil)
		w := newHandler(t, func(out http.ResponseWriter, r *http.Request) {
			var review map[string]any
			_ = json.NewDecoder(r.Body).Decode(&review)
			right.answer(review)
			data, _ := json.Marshal(review)
			_, _ = out.Write(append(data, bytes.Repeat([]byte("\n"), 8<<20+tc.more-len(data))...))
		})
		_, err := w.convertor(t, "v1").ConvertToVersion(widget("v1", 5), gv("v3"))
		if text := testtable.Text(err); !strings.Contains(text, tc.want) || (text == "") != (tc.want == "") {
			t.Errorf("error %q, want %q", text, tc.want)
		}
	})
}

// TestSameOriginRedirect follows a redirect to another path of the same server.
func TestSameOriginRedirect(t *testing.T) {
	t.Parallel()
	right := newWebhook(t, nil)
	right.Config.Handler = moved(right.Config.Handler)
	if _, err := right.convertor(t, "v1").ConvertToVersion(widget("v1", 5), gv("v3")); err != nil {
		t.Error(err)
	}
	if got := right.last.Load().URL.Path; got != "/moved" {
		t.Errorf("served at %q", got)
	}
}

func moved(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			next.ServeHTTP(w, r)
			return
		}
		redirect(http.StatusTemporaryRedirect, "/moved")(w, r)
	})
}

// TestRetries has a webhook that asks to be called again, and is.
func TestRetries(t *testing.T) {
	t.Parallel()
	right := newWebhook(t, nil)
	next := right.Config.Handler
	var calls atomic.Int32
	right.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
	if _, err := right.convertor(t, "v1").ConvertToVersion(widget("v1", 5), gv("v3")); err != nil || calls.Load() != 2 {
		t.Errorf("%d calls, error %v", calls.Load(), err)
	}
}

// TestClosedPort connects to a port without a listener.
func TestClosedPort(t *testing.T) {
	t.Parallel()
	w := newWebhook(t, nil)
	w.Close()
	_, err := w.convertor(t, "v1").ConvertToVersion(widget("v1", 5), gv("v3"))
	if text := testtable.Text(err); !strings.HasPrefix(text, failed+"failed: Post ") || !strings.HasSuffix(text, "connection refused") {
		t.Errorf("error %q", text)
	}
}
