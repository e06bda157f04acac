package client

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/hostname"
)

// httpsPort is the default port of webhooks (S-272).
const httpsPort = 443

// target is the address of a webhook, as far as it follows from the
// configuration alone.
type target struct {
	// base is scheme, host and port, in the form of rest.Config.Host.
	base string
	// path is the configured path; baseURL cleans it.
	path string
	// authKey is the host and port under which credentials are looked up. It is
	// not used for services, which are looked up by name.
	authKey string
	// service is zero for webhooks with a URL.
	service service
	// host is the host of the URL or the service, without the port.
	host string
	// http2 permits HTTP/2.
	http2 bool
}

// service is a reference to a service, with defaults applied.
type service struct {
	namespace, name, path string
	port                  int32
}

// serverName is the name that the service's certificate must contain.
func (s service) serverName() string { return s.name + "." + s.namespace + ".svc" }

// host is the host and port of the service in a URL.
func (s service) host() string {
	return net.JoinHostPort(s.serverName(), strconv.Itoa(int(s.port)))
}

// serviceOf returns the service of a client configuration, or the zero value if
// there is none. A service is never zero, because it has a port.
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

// targetOf computes the target of w. If w has a service and a URL, the service
// wins (S-275).
func targetOf(w *admission.Webhook) (target, error) {
	if s := serviceOf(&w.ClientConfig); s != (service{}) {
		return target{base: "https://" + s.host(), path: s.path, service: s, host: s.serverName()}, nil
	}
	if w.ClientConfig.URL == nil || *w.ClientConfig.URL == "" {
		return target{}, callingError(w, errors.New("webhook configuration must have either service or URL"))
	}
	u, err := url.Parse(*w.ClientConfig.URL)
	if err != nil {
		//lint:ignore ST1005 This is kube-apiserver's text.
		return target{}, callingError(w, fmt.Errorf("Unparsable URL: %w", err))
	}
	// The scheme is not checked: validating configurations rejects http. Query,
	// fragment and user are dropped (S-276).
	return target{
		base:    u.Scheme + "://" + u.Host,
		path:    u.Path,
		authKey: authKey(u),
		host:    u.Hostname(),
		http2:   hostname.IsLoopback(u.Hostname()),
	}, nil
}

// authKey returns the host and port under which credentials for u are looked
// up.
//
// Compat: S-279: an IPv6 address without a port is bracketed twice.
func authKey(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	return net.JoinHostPort(u.Host, strconv.Itoa(httpsPort))
}

// baseURL returns the URL of requests with cfg: its host and its cleaned path
// (S-276).
func baseURL(cfg *rest.Config) (url.URL, error) {
	u, apiPath, err := rest.DefaultServerUrlFor(cfg)
	if err != nil {
		return url.URL{}, err
	}
	return url.URL{Scheme: u.Scheme, Host: u.Host, Path: path.Join("/", u.Path, apiPath)}, nil
}

// callingError returns the error of kube-apiserver's client manager. The engine
// wraps it in an error with the same text, which is why clients see the
// webhook's name twice (S-275).
func callingError(w *admission.Webhook, reason error) error {
	return &webhookutil.ErrCallingWebhook{WebhookName: w.Name, Reason: reason}
}
