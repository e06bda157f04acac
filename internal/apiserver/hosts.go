package apiserver

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"example.com/gatehouse/internal/hostname"
)

// hosts keeps web pages away. A browser on the machine reaches the server, and a page can
// have it do so: under a name of the page's own that leads to 127.0.0.1, or as a stranger.
// The page does not have the token, but the browser may have the certificate.
//
// It is there besides what keeps strangers out, and before it: whoever is refused is not
// asked who they are, and is not in the audit log.
type hosts struct {
	// own is the name that the server listens at; empty if that is none.
	own string
	// anyName says that the server listens everywhere and does not know its names.
	anyName bool
}

// newHosts returns what a server that listens at a host is called.
func newHosts(host string) hosts {
	return hosts{own: plainHost(host), anyName: everywhere(host)}
}

// chain is the generic server's own, with the look at hosts before all of it.
func (h hosts) chain(next http.Handler, config *genericapiserver.Config) http.Handler {
	return h.guard(genericapiserver.DefaultBuildHandlerChain(next, config))
}

// guard refuses requests for others and from others.
func (h hosts) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := hostOf(r.Host)
		switch {
		case !h.answersTo(asked):
			refuse(w, http.StatusMisdirectedRequest, "the server does not answer to the name in the Host header")
		case !h.accepts(r.Header, asked):
			refuse(w, http.StatusForbidden, "the server does not answer to web pages of other hosts")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// answersTo reports whether a host may be the server. An address always may: it is the
// names that lead elsewhere today than yesterday.
func (h hosts) answersTo(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return h.anyName || h.isOwn(host)
}

func (h hosts) isOwn(host string) bool {
	return host == "localhost" || host != "" && host == h.own
}

// accepts reports whether a request comes from a page of the server's own machine, or from
// no page at all, as those of kubectl do. Pages on disk, and others that do not want to say
// where they are from, come from "null". Of images, scripts and links browsers do not say
// whose page it is: that must be the server's own, or none.
func (h hosts) accepts(header http.Header, asked string) bool {
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
		if from != asked && !h.isOwn(from) && (err != nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// hostOf returns the host of HOST or HOST:PORT.
func hostOf(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = hostPort
	}
	return plainHost(strings.Trim(host, "[]"))
}

// plainHost is a host in the one way in which it is compared.
func plainHost(host string) string { return hostname.Lower(strings.TrimSuffix(host, ".")) }

// refuse answers as the API does, without anything of the request.
func refuse(w http.ResponseWriter, code int32, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(metav1.Status{ // a client that has gone has gone
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: code, Message: message,
	})
}
