package webhookconfig

import (
	"errors"
	"net"
	"net/url"
	"strconv"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/hostname"
)

// Address returns the address that connections to a webhook are meant for, as
// HOST:PORT, and the name that its certificate must have. The error is the reason
// why there is none.
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

// ConversionAddress returns the address that connections to the conversion
// webhook of a definition are meant for, as Address does. It returns false if
// there is no such webhook or no such address.
func ConversionAddress(crd *apiextensionsv1.CustomResourceDefinition) (address string, ok bool) {
	c := crd.Spec.Conversion
	if c == nil || c.Webhook == nil || c.Webhook.ClientConfig == nil {
		return "", false
	}
	w := &admission.Webhook{}
	w.ClientConfig.URL = c.Webhook.ClientConfig.URL
	if s := c.Webhook.ClientConfig.Service; s != nil {
		w.ClientConfig.Service = &registrationv1.ServiceReference{
			Namespace: s.Namespace, Name: s.Name, Port: s.Port,
		}
	}
	address, _, err := Address(w)
	return address, err == nil
}
