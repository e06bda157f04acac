package auth

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ExtensionAuthentication returns the ConfigMap from which aggregated API
// servers read how to authenticate users; k8s.io/apiserver's
// DelegatingAuthenticationOptions read it. They also accept client certificates
// of this server's authority, and the headers of a front proxy. No proxy has a
// certificate, because this server does not forward requests. It publishes the
// proxies' CA anyway, because aggregated servers log an error every few seconds
// if there is none.
//
// The caller owns the result.
func (i Identity) ExtensionAuthentication() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: metav1.NamespaceSystem, Name: "extension-apiserver-authentication",
		},
		// Lists are in JSON.
		Data: map[string]string{
			"client-ca-file":                     string(i.caBundle),
			"requestheader-client-ca-file":       string(i.frontProxyBundle),
			"requestheader-allowed-names":        `["front-proxy-client"]`,
			"requestheader-username-headers":     `["X-Remote-User"]`,
			"requestheader-uid-headers":          `["X-Remote-Uid"]`,
			"requestheader-group-headers":        `["X-Remote-Group"]`,
			"requestheader-extra-headers-prefix": `["X-Remote-Extra-"]`,
		},
	}
}
