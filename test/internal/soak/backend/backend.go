package backend

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/model"
	"example.com/gatehouse/test/internal/soak/request"
)

// Backend is the servers. Make it with Start and end it with Close.
type Backend struct {
	server *http.Server
	url    *url.URL
	faults map[string]*faultserver.Server
	// bundles are those of the faults. They are made once, because
	// configurations are written very often.
	bundles map[string][]byte
	keys    keys
	served  atomic.Int64
	gaveUp  addresses
}

// Start starts a server, and one for each of the faults.
func Start(faults []string) (*Backend, error) {
	b := &Backend{faults: map[string]*faultserver.Server{}, bundles: map[string][]byte{}}
	if err := b.start(faults); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Backend) start(faults []string) error {
	if err := b.keys.next(); err != nil {
		return err
	}
	b.keys.use()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b.url = &url.URL{Scheme: "https", Host: listener.Addr().String()}
	b.server = &http.Server{
		Handler:   http.HandlerFunc(b.serve),
		TLSConfig: &tls.Config{GetCertificate: b.keys.certificate},
		// There is no ReadHeaderTimeout: net/http's client keeps connections that
		// it has not used yet. If the server closes one when the client begins to
		// use it, a call fails that should not.
		// Of the rest nothing is kept: clients of old configurations hang up in
		// the middle of handshakes.
		ErrorLog:  log.New(&b.gaveUp, "", 0),
		ConnState: b.gaveUp.reuse,
	}
	go func() { _ = b.server.ServeTLS(listener, "", "") }()
	for _, name := range faults {
		fault, ok := faultserver.Lookup(name)
		if !ok {
			return fmt.Errorf("starting the webhooks: there is no fault %q", name)
		}
		letGo(&fault.Script)
		if b.faults[name], err = faultserver.Listen(fault.Script); err != nil {
			return fmt.Errorf("starting the fault %q: %w", name, err)
		}
		b.faults[name].Forget()
		b.bundles[name] = b.faults[name].CABundle()
	}
	return nil
}

// Close ends all servers and cuts off all connections.
func (b *Backend) Close() error {
	var errs []error
	if b.server != nil {
		errs = append(errs, b.server.Close())
	}
	for _, f := range b.faults {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Served returns how many reviews the webhooks without a fault have answered.
func (b *Backend) Served() int64 { return b.served.Load() }

func (b *Backend) serve(w http.ResponseWriter, r *http.Request) {
	b.served.Add(1)
	// Only what is needed is read: webhooks and engine share the processors.
	var asked struct {
		Request model.Review `json:"request"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	number, ok := request.Number(asked.Request.Name)
	if !ok {
		http.Error(w, "no request of this soak", http.StatusBadRequest)
		return
	}
	response := model.Answer(r.URL.Path, int64(number), &asked.Request)
	answer := admissionv1.AdmissionReview{Response: response}
	answer.APIVersion, answer.Kind = admissionv1.SchemeGroupVersion.WithKind("AdmissionReview").ToAPIVersionAndKind()
	answer.Response.UID = asked.Request.UID
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // a client that gets no review reports it
}

// LetsGo is how long a fault server may not notice that a client has gone.
const LetsGo = 2 * time.Second

// letGo makes a server that never reads, and so does not notice that the client
// has disconnected, close the connection after LetsGo, when no client waits any
// longer. Otherwise the connection would count as one that the client leaks.
func letGo(s *faultserver.Script) {
	for _, c := range s.Connections {
		if at := len(c.After) - 1; at >= 1 && c.After[at-1].Read == faultserver.ReadNothing &&
			c.After[at].Hang {
			c.After[at] = faultserver.Step{Sleep: faultserver.Duration(LetsGo)}
		}
	}
}

// ByURL returns where the webhooks without a fault are, as a URL, and ByService
// as a service, with the bundle that configurations are to be written with now.
func (b *Backend) ByURL() registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: new(b.url.String()), CABundle: b.keys.bundle()}
}

// ByService is ByURL, by another way.
func (b *Backend) ByService() registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{
		Service: &registrationv1.ServiceReference{Namespace: "soak", Name: "webhooks",
			Port: new(int32(443))},
		CABundle: b.keys.bundle(),
	}
}

// WithFault returns where the webhook with a fault is. The bundle is not to be
// changed.
func (b *Backend) WithFault(name string) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: new(b.faults[name].URL()),
		CABundle: b.bundles[name]}
}

// ResolveEndpoint implements the ServiceResolver of
// k8s.io/apiserver/pkg/util/webhook: all services are here.
func (b *Backend) ResolveEndpoint(_, _ string, _ int32) (*url.URL, error) { return b.url, nil }
