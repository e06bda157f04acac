package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"example.com/gatehouse/internal/hostname"
)

// SameOrigin returns a round tripper that refuses redirects to another scheme, host or
// port than that of the request, as New's client does, for other clients that call
// webhooks. The others are left to http.Client. The error of a refusal is an *AnswerError.
func SameOrigin(next http.RoundTripper) http.RoundTripper { return sameOrigin{next: next} }

// sameOrigin refuses redirects to another scheme, host or port; the others are
// left to http.Client, which follows up to ten (S-284).
//
// kube-apiserver follows any redirect, with the review and the credentials,
// even to plain http (CVE-2020-8561). No honest webhook needs that.
//
// It is a round tripper and not the client's CheckRedirect, because http.Client
// puts the whole Location into the error that CheckRedirect returns. That would
// hand path and query, chosen by the webhook, to whoever made the request.
type sameOrigin struct {
	next http.RoundTripper
}

var _ utilnet.RoundTripperWrapper = sameOrigin{}

// RoundTrip passes on, and turns a redirect that must not be followed into an
// error.
func (s sameOrigin) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := s.next.RoundTrip(req)
	if err != nil || !isRedirect(resp.StatusCode) {
		return resp, err
	}
	if err := checkRedirect(req.URL, resp.Header.Get("Location")); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// WrappedRoundTripper lets others look underneath.
func (s sameOrigin) WrappedRoundTripper() http.RoundTripper { return s.next }

// isRedirect reports whether http.Client would follow such a response.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// checkRedirect returns an error if location leads away from the origin of
// from. Its text has no part of location but scheme and host, and not much of
// these: it is an *AnswerError nevertheless, because a host may be a secret, too.
func checkRedirect(from *url.URL, location string) error {
	// Without a location there is nothing to follow; the status speaks.
	if location == "" {
		return nil
	}
	to, err := from.Parse(location)
	if err != nil {
		return errors.New("redirect to a malformed address refused")
	}
	if originOf(from) != originOf(to) {
		return &AnswerError{fmt.Errorf("redirect to %.16s://%.255s refused: another scheme, host or port than the webhook's", to.Scheme, to.Host)}
	}
	return nil
}

// origin is what two URLs have in common if they lead to the same server.
type origin struct{ scheme, host, port string }

// originOf normalizes what may be spelled in different ways.
func originOf(u *url.URL) origin {
	o := origin{scheme: strings.ToLower(u.Scheme), host: hostname.Lower(u.Hostname()), port: u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o
}
