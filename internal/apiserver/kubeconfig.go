package apiserver

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// The names of cluster, users and contexts in the kubeconfig.
const (
	kubeconfigName     = "gatehouse"
	kubeconfigCertName = "gatehouse-certificate"
)

// Kubeconfig returns the administrator's kubeconfig. Its current context uses
// the token, and the context gatehouse-certificate the client certificate. The
// kubeconfig contains both, so it is a secret.
func (s *Server) Kubeconfig() ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters[kubeconfigName] = &clientcmdapi.Cluster{
		Server: s.client.Host, CertificateAuthorityData: s.client.CAData,
	}
	config.AuthInfos[kubeconfigName] = &clientcmdapi.AuthInfo{Token: s.client.BearerToken}
	config.AuthInfos[kubeconfigCertName] = &clientcmdapi.AuthInfo{
		ClientCertificateData: s.clientCertificate.Certificate,
		ClientKeyData:         s.clientCertificate.Key,
	}
	for user := range config.AuthInfos {
		config.Contexts[user] = &clientcmdapi.Context{Cluster: kubeconfigName, AuthInfo: user}
	}
	config.CurrentContext = kubeconfigName
	text, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("encoding a kubeconfig: %w", err)
	}
	return text, nil
}
