package client

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/idna"
)

// FuzzRedirect responds to a review with any redirect, and checks the requests
// that http.Client makes: all of them go to the server of the first one, and
// the error of a refused redirect does not contain the path or the query of the
// Location. Paths and queries that are short, or a part of the host, are not
// checked: the error may contain them by chance.
func FuzzRedirect(f *testing.F) {
	for _, location := range []string{
		"/next?a=b", "other", "https://hook.example:8443/x", "HTTPS://Hook.Example:8443/", "", "//evil.example/x", "//hook.example:8443", "https:opaque", "https:///x",
		"https://hook.example:8443@evil.example/", "https://evil.example\\@hook.example:8443/", "https://hook.example:08443/", "http://hook.example:8443/", "file:///etc/passwd",
		"https://h\u0130ook.example:8443/", "https://hoo\u212a.example:8443/", "https://hook.example.:8443/", "https://[::1]:8443/", "https://hook.example:/", "/%zz", "?x", "#x", "https://hook%2eexample:8443/",
	} {
		f.Add("https://hook.example:8443/review", location, uint16(http.StatusTemporaryRedirect))
	}
	f.Add("https://hi.example/review", "https://h\u0130.example/review", uint16(http.StatusPermanentRedirect))
	f.Add("https://k.example/review", "https://\u212a.example/review", uint16(http.StatusFound))
	f.Add("https://hook.example", "https://hook.example:443/", uint16(http.StatusSeeOther))
	f.Add("http://hook.example", "http://HOOK.example:80", uint16(http.StatusMovedPermanently))
	f.Add("http://h", "https://h\u0130olk.exa://h\u0130olk.", uint16(http.StatusTemporaryRedirect))
	f.Add("https://[::1]/", "https://[::1]:443/", uint16(http.StatusTemporaryRedirect))
	f.Add("https://[fe80::1%25eth0]/", "https://[fe80::1%25ETH0]/", uint16(http.StatusTemporaryRedirect))
	f.Fuzz(func(t *testing.T, from, location string, status uint16) {
		u, err := url.Parse(from)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			t.Skip("webhooks have other addresses")
		}
		checkRedirected(t, u, location, int(status))
	})
}

func checkRedirected(t *testing.T, from *url.URL, location string, status int) {
	t.Helper()
	bait := &redirectOnce{location: location, status: status}
	client := &http.Client{Transport: SameOrigin(bait)}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, from.String(), strings.NewReader("{}"))
	if err != nil {
		t.Skip("such a request cannot be made")
	}
	request.Header.Set("Authorization", "Bearer secret")
	response, err := client.Do(request)
	if err == nil {
		_ = response.Body.Close()
	}
	for _, visited := range bait.visited {
		if want, got := dialled(from), dialled(visited); got != want {
			t.Errorf("redirect %q led from %q to %q", location, want, got)
		}
	}
	to, parseErr := from.Parse(location)
	if err == nil || len(bait.visited) != 1 || parseErr != nil {
		return
	}
	for _, part := range []string{to.Path, to.RawQuery} {
		known := from.String() + " " + to.Scheme + "://" + to.Host
		if len(part) > 8 && !strings.Contains(known, part) && strings.Contains(err.Error(), part) {
			t.Errorf("%q of %q is in the error %v", part, location, err)
		}
	}
}

// redirectOnce redirects the first request, and responds to all others with an
// empty body.
type redirectOnce struct {
	location string
	status   int
	visited  []*url.URL
}

func (b *redirectOnce) RoundTrip(r *http.Request) (*http.Response, error) {
	b.visited = append(b.visited, r.URL)
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: r}
	if len(b.visited) == 1 {
		response.StatusCode = b.status
		response.Header["Location"] = []string{b.location}
	}
	return response, nil
}

// dialled returns the scheme of a URL and the address that net/http connects
// to: the host in ASCII and the port, by default that of the scheme.
func dialled(u *url.URL) string {
	host, port := u.Hostname(), u.Port()
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(asciiLower(host), port)
}
