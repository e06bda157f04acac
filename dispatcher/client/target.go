package client

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	netutils "k8s.io/utils/net"

	"example.com/gatehouse/admission"
)

// httpsPort is the port of webhooks that name none (S-272).
const httpsPort = 443

// target is where a webhook is, as far as its configuration alone tells.
type target struct {
	// base is scheme, host and port, as a rest.Config has it.
	base string
	// path is as configured; baseURL cleans it.
	path string
	// authKey is the host and port that credentials are looked up for. It is
	// not used for services, which are looked up by name.
	authKey string
	// service is zero for webhooks with a URL.
	service service
	// host is that of the URL, without the port; empty for services.
	host string
	// http2 says that HTTP/2 may be negotiated.
	http2 bool
}

// service is a reference to a service with its defaults filled in.
type service struct {
	namespace, name, path string
	port                  int32
}

// serverName is the name that the service's certificate has to carry.
func (s service) serverName() string { return s.name + "." + s.namespace + ".svc" }

// host is the service's place in a URL.
func (s service) host() string {
	return net.JoinHostPort(s.serverName(), strconv.Itoa(int(s.port)))
}

// serviceOf returns the service that the configuration names, or the zero
// value. A service that is named is never zero, because it has a port.
func serviceOf(cc *registrationv1.WebhookClientConfig) service {
	ref := cc.Service
	if ref == nil {
		return service{}
	}
	s := service{namespace: ref.Namespace, name: ref.Name, port: httpsPort}
	if ref.Path != nil {
		s.path = *ref.Path
	}
	if ref.Port != nil && *ref.Port != 0 {
		s.port = *ref.Port
	}
	return s
}

// targetOf reads w's client configuration. If it has a service and a URL, the
// service wins (S-275).
func targetOf(w *admission.Webhook) (target, error) {
	if s := serviceOf(&w.ClientConfig); s != (service{}) {
		return target{base: "https://" + s.host(), path: s.path, service: s}, nil
	}
	if w.ClientConfig.URL == nil || *w.ClientConfig.URL == "" {
		return target{}, callError(w, errors.New("webhook configuration must have either service or URL"))
	}
	u, err := url.Parse(*w.ClientConfig.URL)
	if err != nil {
		//lint:ignore ST1005 This is kube-apiserver's text.
		return target{}, callError(w, fmt.Errorf("Unparsable URL: %w", err))
	}
	// The scheme is taken as it is: refusing http is the business of those who
	// validate configurations. Query, fragment and user are dropped (S-276).
	return target{
		base:    u.Scheme + "://" + u.Host,
		path:    u.Path,
		authKey: authKey(u),
		host:    u.Hostname(),
		http2:   isLoopback(u.Hostname()),
	}, nil
}

// authKey is the host and port that credentials for u are looked up for.
//
// Compat: S-279: an IPv6 address without a port is bracketed twice.
func authKey(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	return net.JoinHostPort(u.Host, strconv.Itoa(httpsPort))
}

// isLoopback reports whether host is this machine by its name or address. Only
// there is HTTP/2 allowed, because one connection that carries all requests
// would pin them to one of several backends (S-277).
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	// Sloppily, so that 127.0.0.01 is what it is for kube-apiserver.
	ip := netutils.ParseIPSloppy(host)
	return ip != nil && ip.IsLoopback()
}

// baseURL is the address that requests with cfg go to: its host and its
// cleaned path (S-276).
func baseURL(cfg *rest.Config) (url.URL, error) {
	u, apiPath, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return url.URL{}, err
	}
	return url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Join("/", u.Path, apiPath)}, nil
}

// callError is the error of kube-apiserver's client manager. The engine puts
// its own error of the same text around it, which is why clients see the
// webhook's name twice (S-275).
func callError(w *admission.Webhook, reason error) error {
	return &webhookutil.ErrCallingWebhook{WebhookName: w.Name, Reason: reason}
}
