package client

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// FuzzAddress parses any name. The String of an address parses to the same
// address, and the address is the first of its patterns, none of which is "*".
func FuzzAddress(f *testing.F) {
	for _, name := range []string{
		"hook.example", "Hook.Example.:8443", "*.example:443", "[::1]:8443", "[[::1]]:443", "::1", "0:0::1", "*", "*.", ".", "", ":", ":443", "a:b:c", "[a]:1", "[]:1", "h\u0130:1",
		"fe80::1%eth0", "[fe80::1%25eth0]:1", "1.2.3.4:5", "::ffff:1.2.3.4", "system:serviceaccount:a:b", "a..b:443", "]:1", "[::1]]:1",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		a := parseAddress(name)
		patterns := a.patterns()
		if patterns[0] != a {
			t.Errorf("%q is %+v, but the first pattern is %+v", name, a, patterns[0])
		}
		for _, p := range patterns[1:] {
			if p.host == "*" {
				t.Errorf("%q has the pattern %+v, which matches every host", name, p)
			}
		}
		u, err := url.Parse("https://" + name + "/")
		// An empty port is no port, but kube-apiserver keeps its colon in the
		// host (S-279); and a host has one final dot at most.
		if err == nil && u.Host == name && u.Hostname() != "" && !strings.HasSuffix(name, ":") && !strings.HasSuffix(u.Hostname(), "..") {
			checkURLHost(t, u, a)
		}
	})
}

// checkURLHost compares the address of a URL's host with net/url's parts, and
// with the key under which the credentials of that URL's webhook are looked up.
func checkURLHost(t *testing.T, u *url.URL, a address) {
	t.Helper()
	if again := parseAddress(a.String()); again != a {
		t.Errorf("%q is %+v, and %q is %+v", u.Host, a, a, again)
	}
	if a.port != u.Port() {
		t.Errorf("%q has the port %q, for net/url %q", u.Host, a.port, u.Port())
	}
	written := u.String()
	target, err := targetOf(&admission.Webhook{ClientConfig: registrationv1.WebhookClientConfig{URL: &written}})
	if err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	want := a
	if want.port == "" {
		want.port = "443"
	}
	if got := parseAddress(target.authKey); got != want {
		t.Errorf("%q is looked up as %+v, want %+v", written, got, want)
	}
}

// FuzzGunzip responds with any bytes and any Content-Encoding, and reads them
// in chunks of any size. For gzip the result is that of compress/gzip, up to
// the same error; other encodings are not decoded.
func FuzzGunzip(f *testing.F) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(bytes.Repeat([]byte("review "), 100))
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	for _, encoding := range []string{"gzip", "GZIP", "x-gzip", ""} {
		f.Add(packed.Bytes(), encoding, uint8(7))
	}
	f.Add(append(packed.Bytes(), packed.Bytes()...), "gzip", uint8(0))
	f.Add(append(packed.Bytes(), "tail"...), "gzip", uint8(1))
	f.Add(packed.Bytes()[:20], "gzip", uint8(200))
	f.Add([]byte{}, "gzip", uint8(1))
	f.Add([]byte("no gzip"), "gzip", uint8(3))
	f.Fuzz(func(t *testing.T, body []byte, encoding string, size uint8) {
		next := roundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {encoding}}, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
		})
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hook.example", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := gunzipTransport{wrapper{next}}.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		got, gotErr := readChunks(response.Body, int(size)+1)
		want, wantErr := body, error(nil)
		if response.Uncompressed {
			want, wantErr = gunzipAll(body)
		}
		if !bytes.Equal(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q of %q gave %q, %v, want %q, %v", body, encoding, got, gotErr, want, wantErr)
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// mostBytes is how much of a body is read, as with a size limit.
const mostBytes = 64 << 10

// readChunks reads a body in chunks of size.
func readChunks(body io.Reader, size int) ([]byte, error) {
	var all []byte
	piece := make([]byte, size)
	for len(all) < mostBytes {
		n, err := body.Read(piece)
		all = append(all, piece[:n]...)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
	return all[:mostBytes], nil
}

// gunzipAll decompresses body with compress/gzip. An empty body is valid.
func gunzipAll(body []byte) ([]byte, error) {
	if len(body) == 0 {
		return nil, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return readChunks(r, mostBytes)
}
