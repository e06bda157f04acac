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
// A service is the host NAME.NAMESPACE.svc. Hosts are compared as such: without
// regard to case, to a final dot, and to the way an IPv6 address is written. Of
// several names for one host, the plain lower-case one counts, then the first
// in byte order. Webhooks that no name fits are called without credentials; only
// kubernetes.default.svc:443 gets those of a pod before "*" does, if gatehouse
// runs in one.
//
// With exact, kube-apiserver's own resolver answers: it compares names byte by
// byte and gives the user of current-context to every host that no name fits.
//
// The file is read once, here; an empty path means that there is none, and
// errors are those of clientcmd. Token files are read whenever credentials are
// asked for, and an unreadable one is an error then (S-281).
func KubeconfigAuth(path string, exact bool) (webhookutil.AuthenticationInfoResolver, error) {
	if exact {
		return webhookutil.NewDefaultAuthenticationInfoResolver(path)
	}
	others, err := webhookutil.NewDefaultAuthenticationInfoResolver("")
	if err != nil || path == "" {
		return others, err
	}
	file, err := (&clientcmd.ClientConfigLoadingRules{ExplicitPath: path}).Load()
	if err != nil {
		return nil, err
	}
	return &kubeconfigUsers{byAddress: usersByAddress(file.AuthInfos), others: others}, nil
}

// kubeconfigUsers are the users of a kubeconfig.
type kubeconfigUsers struct {
	byAddress map[address]*clientcmdapi.AuthInfo
	// others answers where the kubeconfig does not.
	others webhookutil.AuthenticationInfoResolver
}

// ClientConfigFor returns the credentials for a host and port.
func (k *kubeconfigUsers) ClientConfigFor(hostPort string) (*rest.Config, error) {
	a := addressOf(hostPort)
	for _, pattern := range a.patterns() {
		if user, ok := k.byAddress[pattern]; ok {
			return credentialsOf(user)
		}
	}
	others, err := k.others.ClientConfigFor(a.String())
	// Only the credentials of a pod come with a host.
	if err != nil || others.Host != "" {
		return others, err
	}
	if user, ok := k.byAddress[address{host: "*"}]; ok {
		return credentialsOf(user)
	}
	return others, nil
}

// ClientConfigForService returns the credentials for a service.
func (k *kubeconfigUsers) ClientConfigForService(name, namespace string, port int) (*rest.Config, error) {
	return k.ClientConfigFor(fmt.Sprintf("%s.%s.svc:%d", name, namespace, port))
}

// credentialsOf turns a user into a client configuration (S-281).
func credentialsOf(user *clientcmdapi.AuthInfo) (*rest.Config, error) {
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
	// The rest counts only together with what identifies it: groups need a
	// user, a key needs a certificate.
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

// tokenOf returns the token itself or, without one, the content of its file.
func tokenOf(user *clientcmdapi.AuthInfo) (string, error) {
	if user.Token != "" || user.TokenFile == "" {
		return user.Token, nil
	}
	content, err := os.ReadFile(user.TokenFile)
	return string(content), err
}
