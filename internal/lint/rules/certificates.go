package rules

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// soon is how long before the end of a certificate a rule warns.
const soon = 30 * 24 * time.Hour

const certificates = "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#contacting-the-webhook"

// tlsRules are about certificates, CA bundles and URLs.
var tlsRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "ca-partial", Level: lint.Error,
		Title:   "Some webhooks of a configuration have a caBundle, and others have none.",
		Why:     "If a script or controller sets the caBundle of the first webhook only, the API server verifies the others with the CAs of its machine, which did not sign their certificates.",
		Fix:     "Set the caBundle of every webhook.",
		Sources: []string{certificates, goodPractices},
	}, sharing(func(w *inventory.Webhook) lint.Cause {
		return lint.Cause{What: "no caBundle", Of: w.Document.String()}
	}, caPartial)),
	perWebhook(lint.Rule{
		ID: "ca-unreadable", Level: lint.Error,
		Title:   "The caBundle has no certificate.",
		Why:     "Every call fails with a TLS error.",
		Fix:     "Set the caBundle to the CA in PEM, encoded in base64 once. Leave it out if a controller sets it.",
		Sources: []string{certificates},
	}, sharing(authority("unreadable"), func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		// Scaffolds write a line feed in place of a CA that a controller sets.
		if ca := bytes.TrimSpace(w.ClientConfig.CABundle); len(ca) > 0 && len(bundle(w)) == 0 {
			report(lint.Of(w, "clientConfig.caBundle", "It has no certificate in PEM."))
		}
	})),
	perWebhook(lint.Rule{
		ID: "ca-is-server", Level: lint.Info,
		Title:   "The caBundle has the certificate of the server in place of its CA.",
		Why:     "When the webhook renews its certificate, every call fails until you change all configurations.",
		Fix:     "Let a CA sign the certificate, and set the caBundle to the CA.",
		Sources: []string{certificates},
	}, sharing(authority("no CA"), caIsServer)),
	perWebhook(lint.Rule{
		ID: "ca-expired", Level: lint.Error,
		Title:   "No certificate in the caBundle is valid now.",
		Why:     "Every call fails with a TLS error.",
		Fix:     "Renew the CA, and keep the old one in the caBundle while both are used.",
		Sources: []string{certificates},
	}, sharing(authority("end of"), caExpired)),
	perWebhook(lint.Rule{
		ID: "ca-expires", Level: lint.Warning,
		Title:   "The caBundle expires within 30 days.",
		Why:     "After that, every call fails with a TLS error.",
		Fix:     "Add the next CA to the caBundle now.",
		Sources: []string{certificates},
	}, sharing(authority("end of"), caExpires)),
	perCertificate(lint.Rule{
		ID: "certificate-name", Level: lint.Error,
		Title:   "The webhook's certificate is not valid for the name that the API server verifies.",
		Why:     "For a service, the API server verifies NAME.NAMESPACE.svc. It ignores the common name.",
		Fix:     "Issue a certificate with the subject alternative name NAME.NAMESPACE.svc.",
		Sources: []string{certificates},
	}, func(s serving, _ time.Time) string {
		if err := s.leaf.VerifyHostname(s.name); err != nil {
			return fmt.Sprintf("It is valid for %s, not for %s.", namesOf(s.leaf), s.name)
		}
		return ""
	}),
	perCertificate(lint.Rule{
		ID: "certificate-untrusted", Level: lint.Error,
		Title:   "No CA in the caBundle signed the webhook's certificate.",
		Why:     "Every call fails with a TLS error: x509: certificate signed by unknown authority.",
		Fix:     "Set the caBundle to the CA that signed the certificate.",
		Sources: []string{certificates},
	}, untrusted),
	perCertificate(lint.Rule{
		ID: "certificate-expired", Level: lint.Error,
		Title:   "The webhook's certificate is not valid now.",
		Why:     "Every call fails with a TLS error.",
		Fix:     "Renew the certificate.",
		Sources: []string{certificates},
	}, func(s serving, now time.Time) string {
		if now.Before(s.leaf.NotBefore) || now.After(s.leaf.NotAfter) {
			return fmt.Sprintf("It is valid from %s until %s.", day(s.leaf.NotBefore), day(s.leaf.NotAfter))
		}
		return ""
	}),
	perCertificate(lint.Rule{
		ID: "certificate-expires", Level: lint.Warning,
		Title:   "The webhook's certificate expires within 30 days.",
		Why:     "After that, every call fails with a TLS error.",
		Fix:     "Renew the certificate, and automate its renewal.",
		Sources: []string{certificates},
	}, func(s serving, now time.Time) string {
		if now.Before(s.leaf.NotAfter) && now.Add(soon).After(s.leaf.NotAfter) {
			return fmt.Sprintf("It is valid until %s.", day(s.leaf.NotAfter))
		}
		return ""
	}),
	perCertificate(lint.Rule{
		ID: "certificate-usage", Level: lint.Error,
		Title:   "The webhook's certificate is not for servers.",
		Why:     "Clients reject a certificate whose extended key usage lacks server authentication.",
		Fix:     "Issue a certificate with the extended key usage serverAuth.",
		Sources: []string{certificates},
	}, func(s serving, _ time.Time) string {
		usages := s.leaf.ExtKeyUsage
		if len(usages) == 0 || slices.Contains(usages, x509.ExtKeyUsageServerAuth) ||
			slices.Contains(usages, x509.ExtKeyUsageAny) {
			return ""
		}
		return "Its extended key usage lacks serverAuth."
	}),
	{
		ID: "certificate-key", Level: lint.Error,
		Title:   "The key in a Secret does not belong to its certificate.",
		Why:     "The webhook cannot start its server, or every handshake fails.",
		Fix:     "Put the key and the certificate of the same certificate request into the Secret.",
		Sources: []string{certificates}, Needs: []string{"Secret"},
		Check: certificateKeys,
	},
	perWebhook(lint.Rule{
		ID: "url-of-service", Level: lint.Info,
		Title:   "The URL of the webhook names a Service of the cluster.",
		Why:     "An API server on a control plane node does not use the DNS of the cluster, so it does not find the name. An API server in a pod of another cluster finds it.",
		Fix:     "If the Service is in the API server's own cluster, set clientConfig.service instead of clientConfig.url.",
		Sources: []string{certificates},
	}, sharing(backend("URL"), func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if _, host, err := webhookconfig.Address(w.Webhook); err == nil && w.ClientConfig.URL != nil &&
			(strings.HasSuffix(host, ".svc") || strings.HasSuffix(host, ".svc.cluster.local")) {
			report(lint.Of(w, "clientConfig.url", "The host is "+host+"."))
		}
	})),
	perWebhook(lint.Rule{
		ID: "url-of-localhost", Level: lint.Warning,
		Title:   "The URL of the webhook is on the machine of the API server.",
		Why:     "The webhook must run on the machine of every API server, on the same port.",
		Fix:     "Run the webhook behind a Service, or as a static pod on every control plane node.",
		Sources: []string{certificates},
	}, sharing(backend("URL"), func(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
		if _, host, err := webhookconfig.Address(w.Webhook); err == nil && w.ClientConfig.URL != nil &&
			(host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1") {
			report(lint.Of(w, "clientConfig.url", "The host is "+host+"."))
		}
	})),
}

// bundle returns the certificates of a caBundle. Kubebuilder's placeholder has none.
func bundle(w *inventory.Webhook) []*x509.Certificate { return parse(w.ClientConfig.CABundle) }

// parse returns the certificates in PEM.
func parse(text []byte) []*x509.Certificate {
	var all []*x509.Certificate
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			all = append(all, c)
		}
	}
	return all
}

func caPartial(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if len(bundle(w)) > 0 || w.ClientConfig.Service == nil {
		return
	}
	if slices.ContainsFunc(c.Webhooks, func(other *inventory.Webhook) bool {
		return other.Document == w.Document && other.ClientConfig.Service != nil && len(bundle(other)) > 0
	}) {
		report(lint.Of(w, "clientConfig", "It has no caBundle, and others of the configuration have one."))
	}
}

func caIsServer(_ *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	all := bundle(w)
	if len(all) > 0 && !slices.ContainsFunc(all, func(ca *x509.Certificate) bool { return ca.IsCA }) {
		report(lint.Of(w, "clientConfig.caBundle", fmt.Sprintf("%s is not a CA.", namesOf(all[0]))))
	}
}

func caExpired(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	all := bundle(w)
	if len(all) > 0 && !slices.ContainsFunc(all, func(ca *x509.Certificate) bool {
		return c.Now.After(ca.NotBefore) && c.Now.Before(ca.NotAfter)
	}) {
		report(lint.Of(w, "clientConfig.caBundle", fmt.Sprintf("The last is valid from %s until %s.",
			day(all[len(all)-1].NotBefore), day(all[len(all)-1].NotAfter))))
	}
}

func caExpires(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	var last time.Time
	for _, ca := range bundle(w) {
		if ca.NotAfter.After(last) {
			last = ca.NotAfter
		}
	}
	if c.Now.Before(last) && c.Now.Add(soon).After(last) {
		report(lint.Of(w, "clientConfig.caBundle", "It is valid until "+day(last)+"."))
	}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// serving is the certificate that a webhook serves with, as far as the files say.
type serving struct {
	webhook *inventory.Webhook
	secret  lint.Secret
	// name is what the API server verifies.
	name string
	// leaf is the certificate, and rest are those that the server sends with it.
	leaf *x509.Certificate
	rest []*x509.Certificate
}

// perCertificate returns a rule that examines the certificate of every webhook with a
// Secret. of returns what is wrong; empty if nothing is.
func perCertificate(r lint.Rule, of func(s serving, now time.Time) string) *lint.Rule {
	r.Needs = []string{"Secret"}
	r.Check = func(c *lint.Cluster, report func(lint.Finding)) {
		for _, w := range c.Webhooks {
			for _, secret := range c.ServingSecrets(w) {
				chain := parse(secret.Object.Data[corev1.TLSCertKey])
				_, name, err := webhookconfig.Address(w.Webhook)
				if len(chain) == 0 || err != nil {
					continue
				}
				s := serving{w, secret, name, chain[0], chain[1:]}
				if problem := of(s, c.Now); problem != "" {
					f := lint.Of(w, "clientConfig", problem)
					name := "Secret " + secret.Object.Namespace + "/" + secret.Object.Name
					f.Part, f.Cause = secret.Object.Name, lint.Cause{What: name, Of: r.ID}
					f.Evidence = []string{fmt.Sprintf("The certificate is in %s (%s).", name, secret.Document.Position)}
					report(f)
				}
			}
		}
	}
	return &r
}

// untrusted verifies the chain at a time at which the certificate is valid.
func untrusted(s serving, _ time.Time) string {
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	trusted := bundle(s.webhook)
	if len(trusted) == 0 {
		return ""
	}
	for _, c := range trusted {
		roots.AddCert(c)
	}
	for _, c := range s.rest {
		between.AddCert(c)
	}
	_, err := s.leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: s.leaf.NotBefore.Add(time.Second),
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	var unknown x509.UnknownAuthorityError
	if errors.As(err, &unknown) {
		return fmt.Sprintf("Its issuer is %q, which is not in the caBundle.", s.leaf.Issuer.CommonName)
	}
	return ""
}

func namesOf(c *x509.Certificate) string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "no name"
	}
	return strings.Join(names, ", ")
}

func certificateKeys(c *lint.Cluster, report func(lint.Finding)) {
	for _, s := range inventory.Objects[*corev1.Secret](c.Inventory) {
		certificate, key := s.Object.Data[corev1.TLSCertKey], s.Object.Data[corev1.TLSPrivateKeyKey]
		if len(parse(certificate)) == 0 || len(bytes.TrimSpace(key)) == 0 {
			continue
		}
		if _, err := tls.X509KeyPair(certificate, key); err != nil {
			report(lint.Finding{
				Subject:  "Secret " + s.Object.Namespace + "/" + s.Object.Name,
				Document: s.Document, Field: "data",
				Message: "The key is not that of the certificate.",
			})
		}
	}
}
