package explain

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"

	"example.com/gatehouse/admission"
)

// CallHint returns the likely cause of a failed call and the remedy, as far as
// they concern the webhook and its configuration. It is empty if the call did
// not fail or the cause is not known.
func CallHint(c *admission.Call) string {
	var (
		lookup    *net.DNSError
		name      x509.HostnameError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
		operation *net.OpError
	)
	switch {
	case c.Err == nil:
		return ""
	case errors.As(c.Err, &lookup) && lookup.IsNotFound:
		return fmt.Sprintf("there is no host named %s", printableWord(lookup.Name))
	case errors.As(c.Err, &name):
		return hostnameHint(&name)
	case errors.As(c.Err, &authority):
		return authorityHint(c.Webhook)
	case errors.Is(c.Err, http.ErrSchemeMismatch):
		return "the server speaks plain HTTP, and API servers call webhooks over HTTPS only: " +
			"serve TLS, or connect to the port that does"
	case errors.As(c.Err, &record):
		return "the server does not speak TLS: something else listens at this port"
	case errors.Is(c.Err, syscall.ECONNREFUSED) && errors.As(c.Err, &operation) &&
		operation.Addr != nil:
		return fmt.Sprintf("nothing listens at %s: start the webhook, or correct the address",
			operation.Addr)
	case timedOut(c.Err):
		return timeoutHint(c)
	}
	return ""
}

// hostnameHint compares the names in a certificate with the one that is wanted.
func hostnameHint(e *x509.HostnameError) string {
	names := slices.Clone(e.Certificate.DNSNames)
	for _, ip := range e.Certificate.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return fmt.Sprintf("the certificate has no subjectAltName: issue one for %s",
			printableWord(e.Host))
	}
	return fmt.Sprintf("the certificate is for %s: issue one for %s", joinWithAnd(names),
		printableWord(e.Host))
}

func authorityHint(w *admission.Webhook) string {
	if len(w.ClientConfig.CABundle) == 0 {
		return "without a caBundle API servers use the CAs of the system, and none of them signed " +
			"the certificate"
	}
	return "no CA in the caBundle signed the certificate: " +
		"the caBundle is of another installation, or from before a renewal"
}

// timedOut reports whether an error says that time was up.
func timedOut(err error) bool {
	var late interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout()
}

// timeoutHint distinguishes the timeout of the webhook from others, such as
// that of the whole request.
func timeoutHint(c *admission.Call) string {
	if c.Webhook.TimeoutSeconds == nil {
		return ""
	}
	seconds := *c.Webhook.TimeoutSeconds
	if c.Duration < time.Duration(seconds)*time.Second {
		return "the deadline of the request passed before the webhook's timeoutSeconds"
	}
	return fmt.Sprintf("the webhook did not answer within its timeoutSeconds, %d", seconds)
}
