package crdconversion

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// sameOrigin refuses redirects to another scheme, host or port, as they are refused
// for admission webhooks; the others are left to http.Client, which follows ten.
type sameOrigin struct{ next http.RoundTripper }

// RoundTrip passes on, and turns a redirect that leads away into an error.
func (s sameOrigin) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := s.next.RoundTrip(r)
	if err != nil || response.StatusCode/100 != 3 {
		return response, err
	}
	if err := checkRedirect(r.URL, response.Header.Get("Location")); err != nil {
		_ = response.Body.Close()
		return nil, err
	}
	return response, nil
}

// WrappedRoundTripper lets client-go find the transport below.
func (s sameOrigin) WrappedRoundTripper() http.RoundTripper { return s.next }

// checkRedirect shows scheme and host only, and not much of these: the rest of the
// location is the webhook's to choose.
func checkRedirect(from *url.URL, location string) error {
	to, err := from.Parse(location)
	if err != nil {
		return errors.New("redirect to a malformed address refused")
	}
	if origin(from) != origin(to) {
		return fmt.Errorf("redirect to %.16s://%.255s refused: another scheme, host or port than the webhook's", to.Scheme, to.Host)
	}
	return nil
}

// origin is the same for two URLs that lead to the same server over HTTPS.
func origin(u *url.URL) [3]string {
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return [3]string{u.Scheme, strings.ToLower(u.Hostname()), port}
}
