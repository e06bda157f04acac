package webhookconfig

import (
	"errors"
	"net"
	"net/url"
	"strconv"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/hostname"
)

// Address returns the address that connections to a webhook are meant for, as
// HOST:PORT, and the name that its certificate must have. The error says why
// there is none.
func Address(w *admission.Webhook) (address, name string, err error) {
	if s := w.ClientConfig.Service; s != nil {
		port := int32(443)
		if s.Port != nil {
			port = *s.Port
		}
		name = s.Name + "." + s.Namespace + ".svc"
		return net.JoinHostPort(name, strconv.Itoa(int(port))), name, nil
	}
	if w.ClientConfig.URL == nil {
		return "", "", errors.New("the webhook has neither a service nor a URL")
	}
	u, err := url.Parse(*w.ClientConfig.URL)
	if err != nil {
		return "", "", err
	}
	port := u.Port()
	if port == "" {
		port = "443"
	}
	return net.JoinHostPort(hostname.Lower(u.Hostname()), port), u.Hostname(), nil
}
