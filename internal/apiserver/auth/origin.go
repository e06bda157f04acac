package auth

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/hostname"
)

// OriginFilter rejects requests of web pages. A browser on this machine can
// reach the server, and a web page can make the browser send a request: by DNS
// rebinding, with a name that resolves to 127.0.0.1, or by a cross-origin
// request. The page does not have the token, but the browser may have the
// client certificate.
//
// The filter runs before authentication, so rejected requests are not in the
// audit log.
type OriginFilter struct {
	// name is the DNS name on which the server listens; "" if it listens on an
	// address.
	name string
	// anyName is true if the server listens on all interfaces, so that its names
	// are not known.
	anyName bool
}

// newOriginFilter returns the filter for a server that listens on host.
func newOriginFilter(host string) OriginFilter {
	return OriginFilter{name: normalizeHost(host), anyName: listensOnAllInterfaces(host)}
}

// Wrap returns a handler that answers 421 if the Host header does not name this
// server, 403 if the request comes from a page of another host, and calls next
// otherwise.
func (f OriginFilter) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		switch {
		case !f.allowsHost(host):
			writeStatus(w, http.StatusMisdirectedRequest,
				"the server does not answer to the name in the Host header")
		case !f.allowsOrigin(r.Header, host):
			writeStatus(w, http.StatusForbidden,
				"the server does not answer to web pages of other hosts")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowsHost reports whether host may name this server. Every IP address may:
// DNS rebinding needs a name.
func (f OriginFilter) allowsHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return f.anyName || f.isServerName(host)
}

func (f OriginFilter) isServerName(host string) bool {
	return host == "localhost" || host != "" && host == f.name
}

// allowsOrigin reports whether a request was sent by a client that is no
// browser, or by a page of this machine. Pages from disk and sandboxed pages
// send the Origin "null" and are rejected. For images, scripts and links
// browsers send no Origin; then Sec-Fetch-Site must say that the request has
// the same origin, or that the user entered the address.
func (f OriginFilter) allowsOrigin(header http.Header, host string) bool {
	origins := header.Values("Origin")
	if len(origins) == 0 {
		return !slices.ContainsFunc(header.Values("Sec-Fetch-Site"), func(site string) bool {
			return site != "same-origin" && site != "none"
		})
	}
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" {
			return false
		}
		from := hostOf(u.Host)
		ip, err := netip.ParseAddr(from)
		if from != host && !f.isServerName(from) && (err != nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// hostOf returns the normalized host of HOST or HOST:PORT.
func hostOf(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = hostPort
	}
	return normalizeHost(strings.Trim(host, "[]"))
}

// normalizeHost returns host in lower case and without a trailing dot.
func normalizeHost(host string) string { return hostname.Lower(strings.TrimSuffix(host, ".")) }

// writeStatus writes a metav1.Status. It does not quote the request.
func writeStatus(w http.ResponseWriter, code int32, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(metav1.Status{ // fails only if the client disconnected
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: code, Message: message,
	})
}
