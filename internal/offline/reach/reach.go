package reach

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"syscall"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// Access is how a command reaches webhooks, and the names of its settings.
type Access struct {
	// Dialer connects to the webhooks.
	Dialer *resolve.Dialer
	// CA is the content of the file with the CA of webhooks that have no
	// caBundle, and has been set in them; nil without a file.
	CA []byte
	// Route returns the setting with which connections to HOST:PORT lead to
	// another address, and CAFile is the one that names the file of CA.
	Route  func(address string) string
	CAFile string
}

// Flags returns the access of a command with the flags --resolve, --ca-file and
// --connect-anywhere.
func Flags(d *resolve.Dialer, ca []byte) Access {
	return Access{
		Dialer: d, CA: ca, CAFile: "--ca-file",
		Route: func(address string) string { return "--resolve " + address + ":ADDRESS:PORT" },
	}
}

// Options are the options of explain.Response with which explanations have the
// hints of the command.
func (a Access) Options() []explain.Option {
	return []explain.Option{explain.NotReached(a.Dialer.NotReached), explain.CallHints(a.Hint)}
}

// NotReached reports whether a call was not attempted because the command may
// not connect to the webhook.
func (a Access) NotReached(c *admission.Call) bool { return a.Dialer.NotReached(c.Err) }

// Outcome returns the name of a call's outcome.
func (a Access) Outcome(c *admission.Call) string {
	if a.NotReached(c) {
		return explain.OutcomeNotReached
	}
	return c.Outcome.String()
}

// Hint returns the likely cause of a failed call and the remedy, without the
// name of the webhook; "" if there is none.
func (a Access) Hint(c *admission.Call) string {
	var notReached *resolve.NotReachedError
	if errors.As(c.Err, &notReached) {
		return a.NotReachedHint(notReached.Address)
	}
	return cmp.Or(a.settingHint(c), explain.CallHint(c))
}

// NotReachedHint says how to call a webhook at an address that was not reached.
func (a Access) NotReachedHint(address string) string {
	return fmt.Sprintf("%s is not on this machine: give the address of the webhook with %s, "+
		"or allow connections to other machines with --connect-anywhere", address, a.Route(address))
}

// settingHint returns a hint that names a setting; "" if none helps.
func (a Access) settingHint(c *admission.Call) string {
	var (
		lookup    *net.DNSError
		authority x509.UnknownAuthorityError
		operation *net.OpError
	)
	address, _, err := webhookconfig.Address(c.Webhook)
	if err != nil {
		return ""
	}
	_, routed := a.Dialer.Routes.To(address)
	bundle := c.Webhook.ClientConfig.CABundle
	switch {
	case errors.As(c.Err, &lookup) && lookup.IsNotFound && routed:
		return fmt.Sprintf("there is no host named %s, to which connections to %s are routed",
			lookup.Name, address)
	case errors.As(c.Err, &lookup) && lookup.IsNotFound:
		return fmt.Sprintf("there is no host named %s: give the address of the webhook with %s",
			lookup.Name, a.Route(address))
	case errors.As(c.Err, &authority) && len(bundle) == 0:
		return explain.CallHint(c) + ": set caBundle, or give the CA with " + a.CAFile
	case errors.As(c.Err, &authority) && len(a.CA) > 0 && bytes.Equal(bundle, a.CA):
		return "no CA in " + a.CAFile + " signed the certificate"
	case routed && errors.Is(c.Err, syscall.ECONNREFUSED) && errors.As(c.Err, &operation) &&
		operation.Addr != nil:
		return fmt.Sprintf("nothing listens at %s, to which connections to %s are routed",
			operation.Addr, address)
	}
	return ""
}
