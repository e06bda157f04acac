package apiserver

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// The names in a kubeconfig.
const (
	kubeconfigName    = "gatehouse"
	byCertificateName = "gatehouse-certificate"
)

// Kubeconfig returns a kubeconfig with which kubectl may do everything. Its current
// context shows the token; another one, gatehouse-certificate, shows a certificate
// instead. It is as secret as these.
func (s *Server) Kubeconfig() ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters[kubeconfigName] = &clientcmdapi.Cluster{Server: s.client.Host, CertificateAuthorityData: s.client.CAData}
	config.AuthInfos[kubeconfigName] = &clientcmdapi.AuthInfo{Token: s.client.BearerToken}
	config.AuthInfos[byCertificateName] = &clientcmdapi.AuthInfo{
		ClientCertificateData: s.admin.certificate, ClientKeyData: s.admin.key,
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
