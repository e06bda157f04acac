package apiserver

import (
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testtable"
)

// shows returns how a client without a token reaches the shared server with a
// certificate.
func shows(p auth.KeyPair) *rest.Config {
	config := shared.ClientConfig()
	config.BearerToken = ""
	config.CertData, config.KeyData = p.Certificate, p.Key
	return config
}

// issued returns a certificate of an authority that the shared server does not
// know, or of the same name.
func issued(t *testing.T, name string, leaf certs.Leaf) auth.KeyPair {
	t.Helper()
	authority := must[*certs.Authority](t)(certs.NewAuthority(name))
	certificate, err := authority.Issue(leaf)
	if err != nil {
		t.Fatal(err)
	}
	chain, key, err := certs.PEM(certificate)
	if err != nil {
		t.Fatal(err)
	}
	return auth.KeyPair{Certificate: chain, Key: key}
}

func TestClientCertificates(t *testing.T) {
	t.Parallel()
	if _, err := typedFor(t, shows(shared.clientCertificate)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("the administrator's: %v", err)
	}
	type test struct {
		row
		shown auth.KeyPair
	}
	testtable.Run(t, []test{
		{row{"other authority", "every client can create one"}, issued(t, "other", certs.Leaf{CommonName: auth.Administrator, Client: true})},
		{row{"same names", "the key counts, not the name"}, issued(t, "gatehouse API server", certs.Leaf{CommonName: auth.Administrator, Client: true})},
		{row{"none", "there is no anonymous access"}, auth.KeyPair{}},
	}, func(t *testing.T, r test) {
		_, err := typedFor(t, shows(r.shown)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
		wantReason(t, err, metav1.StatusReasonUnauthorized)
	})
}

func TestUserConfig(t *testing.T) {
	t.Parallel()
	config := must[*rest.Config](t)(shared.UserConfig("jane", "readers", "writers"))
	review, err := typedFor(t, config).AuthenticationV1().SelfSubjectReviews().Create(
		t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := authenticationv1.UserInfo{
		Username: "jane", Groups: []string{"readers", "writers", user.AllAuthenticated},
	}
	got := review.Status.UserInfo
	got.Extra = nil // it has the fingerprint of the certificate
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the server sees another user (-want +got):\n%s", diff)
	}
}

// TestServingCertificateIsNoClients: the serving certificate does not
// authenticate a client.
func TestServingCertificateIsNoClients(t *testing.T) {
	t.Parallel()
	id := must[auth.Identity](t)(auth.NewIdentity("127.0.0.1", ""))
	certificate, key := id.Serving.CurrentCertKeyContent()
	server := &Server{client: shared.client, clientCertificate: auth.KeyPair{Certificate: certificate, Key: key}}
	_, err := typedFor(t, shows(server.clientCertificate)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonUnauthorized)
}

func TestKubeconfig(t *testing.T) {
	t.Parallel()
	text := must[[]byte](t)(shared.Kubeconfig())
	config := must[*rest.Config](t)(clientcmd.RESTConfigFromKubeConfig(text))
	if _, err := typedFor(t, config).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	if config.BearerToken != shared.ClientConfig().BearerToken || len(config.CertData) > 0 {
		t.Error("the current context does not show the token, or not only")
	}
}

func TestListenRejects(t *testing.T) {
	t.Parallel()
	listener := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = listener.Close() }()
	address := listener.Addr().String()
	rejected(t, t.Context(), Config{Listen: address}, address+" is in use by another program")
	rejected(t, t.Context(), Config{Listen: "127.0.0.1"}, "missing port in address")
}
