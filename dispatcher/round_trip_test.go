package dispatcher

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// answering is a transport with a list of responses.
type answering struct {
	asked  int
	bodies []string
	answer func(n int, r *http.Request) (*http.Response, error)
}

// RoundTrip implements http.RoundTripper.
func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked++
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		a.bodies = append(a.bodies, r.Method+" "+r.URL.String()+" "+string(body))
	}
	return a.answer(a.asked-1, r)
}

type row = testtable.Row

type tripCase struct {
	row
	answer func(n int, r *http.Request) (*http.Response, error)
	edit   func(*http.Client)
}

func saying(status int, location string) func(int, *http.Request) (*http.Response, error) {
	return func(n int, r *http.Request) (*http.Response, error) {
		response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("body")), Request: r}
		if n == 0 || location == "/loop" {
			response.StatusCode = status
			response.Header.Set("Location", location)
		}
		return response, nil
	}
}

func failing(err error) func(int, *http.Request) (*http.Response, error) {
	return func(int, *http.Request) (*http.Response, error) { return nil, err }
}

// TestTrip: everything is as if http.Client had done it.
func TestTrip(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []tripCase{
		{row{"answer", "nearly all are"}, saying(200, ""), nil},
		{row{"error", "it names method and address"}, failing(errors.New("no")), nil},
		{row{"plain HTTP", "it has a text of its own"}, failing(tls.RecordHeaderError{RecordHeader: [5]byte([]byte("HTTP/"))}), nil},
		{row{"no TLS at all", "it has not"}, failing(tls.RecordHeaderError{RecordHeader: [5]byte([]byte("SSH-2")), Msg: "m"}), nil},
		{row{"temporary redirect", "the body is sent again"}, saying(307, "/there"), nil},
		{row{"permanent redirect", "the same"}, saying(308, "/there"), nil},
		{row{"see other", "without the body"}, saying(303, "/there"), nil},
		{row{"moved", "without the body, too"}, saying(301, "/there"), nil},
		{row{"redirect to nowhere", "it is the answer"}, saying(307, ""), nil},
		{row{"malformed redirect", "an error"}, saying(307, "://"), nil},
		{row{"loop", "it ends after ten"}, saying(307, "/loop"), nil},
		{row{"not modified", "no redirect"}, saying(304, ""), nil},
		{row{"nothing announced", "a body is added"}, func(int, *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200}, nil
		}, nil},
		{row{"timeout", "it is http.Client's"}, saying(200, ""), func(c *http.Client) { c.Timeout = time.Minute }},
		{row{"cookies", "they are, too"}, saying(307, "/there"), func(c *http.Client) { c.Jar, _ = cookiejar.New(nil) }},
		{row{"own rules", "for redirects"}, saying(307, "/there"), func(c *http.Client) {
			c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		}},
	}, func(t *testing.T, tc tripCase) {
		want := tc.through(t, func(c *http.Client, r *http.Request) (*http.Response, error) { return c.Do(r) })
		got := tc.through(t, func(c *http.Client, r *http.Request) (*http.Response, error) { return roundTrip(c, r, r.URL.String()) })
		if got != want {
			t.Errorf("http.Client: %s\ntrip:        %s", want, got)
		}
	})
}

// through describes an exchange.
func (tc tripCase) through(t *testing.T, do func(*http.Client, *http.Request) (*http.Response, error)) string {
	t.Helper()
	transport := &answering{answer: tc.answer}
	client := &http.Client{Transport: transport}
	if tc.edit != nil {
		tc.edit(client)
	}
	c := &call{record: admission.Call{URL: "https://hook/x"}}
	request, err := c.newRequest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	response, err := do(client, request)
	text := strings.Join(append(transport.bodies, testtable.Text(err)), "; ")
	if err != nil {
		return text
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return strings.Join([]string{text, response.Status, http.StatusText(response.StatusCode), string(body), testtable.Text(err)}, "; ")
}
