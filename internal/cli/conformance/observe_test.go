package conformance

import (
	"bytes"
	"context"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestLook(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		serve http.HandlerFunc
		// want is the body, wantErr the end of the error.
		want, wantErr string
	}
	testtable.Run(t, []test{
		{
			row{"seen", "the body is compared"},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) }, "[]", "",
		},
		{
			row{"method", "reading must have no side effects"},
			func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(r.Method)) }, "GET", "",
		},
		{
			row{"status", "an error page is not the content"},
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, "",
			": status 403, want 200",
		},
		{
			row{"redirect", "another URL has other content"},
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/else", http.StatusFound) }, "",
			": status 302, want 200",
		},
		{
			row{"too much", "the body is kept in memory"},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), maxBody+1)) }, "",
			": the body exceeds 8 MiB",
		},
		{
			row{"as much as there may be", "the limit is inclusive"},
			func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), maxBody)) },
			strings.Repeat("x", maxBody), "",
		},
		{
			row{"half", "the missing part may have changed"},
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "10")
				_, _ = w.Write([]byte("[]"))
			}, "", ": reading the body: unexpected EOF",
		},
	}, func(t *testing.T, tc test) {
		server := httptest.NewTLSServer(tc.serve)
		defer server.Close()
		observer := observing(t, server)
		defer observer.close()
		got, err := observer.read(t.Context())
		if string(got) != tc.want {
			t.Errorf("%s: got %d bytes, want %d", tc.Why(), len(got), len(tc.want))
		}
		if (err == nil) != (tc.wantErr == "") || err != nil && !strings.HasSuffix(err.Error(), tc.wantErr) {
			t.Errorf("%s: the error is %v, want %q", tc.Why(), err, tc.wantErr)
		}
	})
}

// observing returns an observer of a server, which it trusts by a file as a
// user would.
func observing(t *testing.T, server *httptest.Server) *observer {
	t.Helper()
	ca := filepath.Join(t.TempDir(), "ca.crt")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	if err := os.WriteFile(ca, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &options{observe: server.URL, caFile: ca}
	access, err := o.access()
	if err != nil {
		t.Fatal(err)
	}
	observer, err := o.observer(access)
	if err != nil {
		t.Fatal(err)
	}
	return observer
}

// TestLookEnds with the context.
func TestLookEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	observer := observing(t, server)
	defer observer.close()
	if _, err := observer.read(ctx); err == nil {
		t.Error("it has seen something")
	}
}
