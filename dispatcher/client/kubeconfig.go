package client

import (
	"errors"
	"fmt"
	"os"

	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// KubeconfigAuth returns the credentials of a kubeconfig file, whose users are
// named after the webhooks that they are for. The first of these names decides
// (S-280):
//
//	hook.example.com:8443    the webhook's host and port
//	*.example.com:8443       its domains with that port, the longest first
//	hook.example.com         the host without the port, if that is 443
//	*.example.com            its domains, if the port is 443
//	*                        every webhook
//
// A service is the host NAME.NAMESPACE.svc. Hosts are compared without regard
// to case, to a final dot, and to the spelling of an IPv6 address. Of several
// names for one host, the plain lower-case one wins, then the first in byte
// order. Webhooks that no name matches are called without credentials; only
// kubernetes.default.svc:443 gets the in-cluster credentials before those of
// "*", if gatehouse runs in a pod.
//
// With exact, KubeconfigAuth returns kube-apiserver's own resolver, which
// compares names byte by byte and gives the user of current-context to every
// host that no name matches.
//
// The file is read once, in KubeconfigAuth; an empty path means no file, and
// errors are those of clientcmd. Token files are read at every look-up of
// credentials, and an unreadable one is an error of that look-up (S-281).
func KubeconfigAuth(path string, exact bool) (webhookutil.AuthenticationInfoResolver, error) {
	if exact {
		return webhookutil.NewDefaultAuthenticationInfoResolver(path)
	}
	fallback, err := webhookutil.NewDefaultAuthenticationInfoResolver("")
	if err != nil || path == "" {
		return fallback, err
	}
	file, err := (&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}).Load()
	if err != nil {
		return nil, err
	}
	return &kubeconfigAuth{byAddress: usersByAddress(file.AuthInfos), fallback: fallback}, nil
}

// kubeconfigAuth resolves credentials from the users of a kubeconfig.
type kubeconfigAuth struct {
	byAddress map[address]*clientcmdapi.AuthInfo
	// fallback is used for hosts that no user's name matches.
	fallback webhookutil.AuthenticationInfoResolver
}

// ClientConfigFor returns the credentials for a host and port.
func (k *kubeconfigAuth) ClientConfigFor(hostPort string) (*rest.Config, error) {
	a := parseAddress(hostPort)
	for _, pattern := range a.patterns() {
		if user, ok := k.byAddress[pattern]; ok {
			return configForUser(user)
		}
	}
	fallback, err := k.fallback.ClientConfigFor(a.String())
	// Only in-cluster credentials have a host.
	if err != nil || fallback.Host != "" {
		return fallback, err
	}
	if user, ok := k.byAddress[address{host: "*"}]; ok {
		return configForUser(user)
	}
	return fallback, nil
}

// ClientConfigForService returns the credentials for a service.
func (k *kubeconfigAuth) ClientConfigForService(
	name, namespace string, port int,
) (*rest.Config, error) {
	return k.ClientConfigFor(fmt.Sprintf("%s.%s.svc:%d", name, namespace, port))
}

// configForUser returns the client configuration of a user (S-281).
func configForUser(user *clientcmdapi.AuthInfo) (*rest.Config, error) {
	token, err := tokenOf(user)
	if err != nil {
		return nil, err
	}
	if user.AuthProvider != nil {
		return nil, errors.New("auth provider not supported")
	}
	c := &rest.Config{
		Username:        user.Username,
		Password:        user.Password,
		BearerToken:     token,
		BearerTokenFile: user.TokenFile,
		UserAgent:       userAgent,
		Timeout:         clientTimeout,
	}
	if user.Exec != nil {
		c.ExecProvider = user.Exec.DeepCopy()
	}
	// Fields that are useless alone are dropped: groups need a user, a key
	// needs a certificate.
	if user.Impersonate != "" {
		c.Impersonate = rest.ImpersonationConfig{
			UserName: user.Impersonate, UID: user.ImpersonateUID,
			Groups: user.ImpersonateGroups, Extra: user.ImpersonateUserExtra,
		}
	}
	if user.ClientCertificate != "" || len(user.ClientCertificateData) > 0 {
		c.CertFile, c.CertData = user.ClientCertificate, user.ClientCertificateData
		c.KeyFile, c.KeyData = user.ClientKey, user.ClientKeyData
	}
	return c, nil
}

// tokenOf returns the user's token or, without one, the content of the token
// file.
func tokenOf(user *clientcmdapi.AuthInfo) (string, error) {
	if user.Token != "" || user.TokenFile == "" {
		return user.Token, nil
	}
	content, err := os.ReadFile(user.TokenFile)
	return string(content), err
}
