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

// FuzzAddress reads any name as an address. Its usual form is read as the same address,
// and the patterns that fit it begin with itself and never are "*", which is for all.
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
		// An empty port is none, but for kube-apiserver a part of the host (S-279); and a
		// host has one final dot at most.
		if err == nil && u.Host == name && u.Hostname() != "" && !strings.HasSuffix(name, ":") && !strings.HasSuffix(u.Hostname(), "..") {
			checkURLHost(t, u, a)
		}
	})
}

// checkURLHost compares the address of a URL's host with what net/url makes of it, and
// what the webhook of that URL is looked up as.
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

// FuzzGunzip answers with any bytes, called gzip, in pieces of any size. What is read is
// what compress/gzip makes of them, up to the same place; what has another name stays as
// it is.
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
		response, err := gunzipTransport{next}.RoundTrip(request)
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

// mostBytes is where reading ends, as it does for a limit.
const mostBytes = 64 << 10

// readIn reads a body in pieces.
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

// plainly is readIn for all at once. Nothing at all is an empty body, not half of one.
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
