package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/gatehouse/internal/engine/neterror"
	"example.com/gatehouse/internal/hostname"
)

// SameOrigin returns a round tripper that refuses redirects to another scheme,
// host or port than that of the request, as New's client does, for other
// clients that call webhooks. http.Client follows the others. The error of a
// refusal is a *neterror.ResponseError.
func SameOrigin(next http.RoundTripper) http.RoundTripper {
	return sameOriginTransport{wrapper{next}}
}

// sameOriginTransport refuses redirects to another scheme, host or port;
// http.Client follows the others, up to ten (S-284).
//
// kube-apiserver follows any redirect, with the review and the credentials,
// even to plain http (CVE-2020-8561). No correct webhook needs that.
//
// It is a round tripper and not the client's CheckRedirect, because http.Client
// adds the whole Location to the error of CheckRedirect. The webhook could send
// data to the client of the request in the path and the query.
type sameOriginTransport struct{ wrapper }

// RoundTrip returns an error for a redirect to another origin.
func (t sameOriginTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil || !isRedirect(resp.StatusCode) {
		return resp, err
	}
	if err := checkRedirect(req.URL, resp.Header.Get("Location")); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// isRedirect reports whether http.Client would follow such a response.
func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// checkRedirect returns an error if location has another origin than from. The
// text contains only scheme and host of location, truncated. The error is a
// *neterror.ResponseError nevertheless, because a host may be a secret, too.
func checkRedirect(from *url.URL, location string) error {
	// Without a Location http.Client returns the response, and the status is an
	// error.
	if location == "" {
		return nil
	}
	to, err := from.Parse(location)
	if err != nil {
		return errors.New("redirect to a malformed address refused")
	}
	if originOf(from) != originOf(to) {
		const format = "redirect to %.16s://%.255s refused: another scheme, host or port than the webhook's"
		return &neterror.ResponseError{Err: fmt.Errorf(format, to.Scheme, to.Host)}
	}
	return nil
}

// origin identifies a server: URLs with equal origins lead to the same one.
type origin struct{ scheme, host, port string }

// originOf returns the origin of u in normal form.
func originOf(u *url.URL) origin {
	o := origin{scheme: strings.ToLower(u.Scheme), host: hostname.Lower(u.Hostname()), port: u.Port()}
	if o.port == "" {
		o.port = map[string]string{"http": "80", "https": "443"}[o.scheme]
	}
	return o
}
