package doctor

import (
	"bytes"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/cert"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
)

func bundleFact(_ *lint.Cluster, w *inventory.Webhook) Check {
	// Scaffolds write a line feed in place of a CA that a controller sets.
	bundle := bytes.TrimSpace(w.ClientConfig.CABundle)
	if len(bundle) == 0 {
		return Check{Status: Unknown,
			Message: "there is none: API servers trust the CAs of their machine",
			Remedy:  "set caBundle, unless a controller sets it in the cluster"}
	}
	all, err := cert.ParseCertsPEM(bundle)
	if err != nil {
		return Check{Status: Problem, Message: "a certificate in it cannot be read"}
	}
	var each []string
	for _, ca := range all {
		each = append(each, Describe(ca))
	}
	text := strings.Join(each, "; ")
	if !slices.ContainsFunc(all, func(ca *x509.Certificate) bool { return ca.IsCA }) {
		return Check{Status: Unknown, Message: text + ": no CA, so the webhook has to serve this certificate itself"}
	}
	return Check{Status: OK, Message: text}
}

func certificateFact(c *lint.Cluster, w *inventory.Webhook) Check {
	secrets := c.ServingSecrets(w)
	if len(secrets) == 0 {
		return Check{Status: Unknown, Message: "no Secret with it is among the inputs, that pods of the webhook mount"}
	}
	var each []string
	for _, s := range secrets {
		name := s.Object.Namespace + "/" + s.Object.Name
		chain, err := cert.ParseCertsPEM(s.Object.Data[corev1.TLSCertKey])
		if err != nil {
			return Check{Status: Problem,
				Message: fmt.Sprintf("%s of Secret %s cannot be read as certificates in PEM", corev1.TLSCertKey, name)}
		}
		each = append(each, fmt.Sprintf("Secret %s has %s", name, Describe(chain[0])))
	}
	return Check{Status: OK, Message: strings.Join(each, "; ")}
}

// Describe returns the subject, the names and the dates of a certificate.
func Describe(c *x509.Certificate) string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	text := c.Subject.String()
	if len(names) > 0 {
		text += " for " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, valid from %s until %s", text,
		c.NotBefore.UTC().Format(time.DateOnly), c.NotAfter.UTC().Format(time.DateOnly))
}
