package apiserver

import (
	"net"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testutil/testtable"
)

// shows returns how a client without a token reaches the shared server with a
// certificate.
func shows(p pair) *rest.Config {
	config := shared.ClientConfig()
	config.BearerToken = ""
	config.CertData, config.KeyData = p.certificate, p.key
	return config
}

// issued returns a certificate of an authority that the shared server does not know,
// or of the same name.
func issued(t *testing.T, name string, leaf certs.Leaf) pair {
	t.Helper()
	authority := must[*certs.Authority](t)(certs.NewAuthority(name))
	certificate, err := authority.Issue(leaf)
	if err != nil {
		t.Fatal(err)
	}
	return must[pair](t)(encode(certificate))
}

func TestClientCertificates(t *testing.T) {
	t.Parallel()
	if _, err := typedFor(t, shows(shared.admin)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("the administrator's: %v", err)
	}
	type test struct {
		row
		shown pair
	}
	testtable.Run(t, []test{
		{row{"other authority", "anybody can make one"}, issued(t, "somebody", certs.Leaf{CommonName: administrator, Client: true})},
		{row{"same names", "the key counts, not the name"}, issued(t, "gatehouse API server", certs.Leaf{CommonName: administrator, Client: true})},
		{row{"none", "there is no anonymous access"}, pair{}},
	}, func(t *testing.T, r test) {
		_, err := typedFor(t, shows(r.shown)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
		wantReason(t, err, metav1.StatusReasonUnauthorized)
	})
}

// TestServingCertificateIsNoClients: whoever got hold of it could otherwise be
// anybody.
func TestServingCertificateIsNoClients(t *testing.T) {
	t.Parallel()
	id := must[identity](t)(newIdentity("127.0.0.1", ""))
	certificate, key := id.certificate.CurrentCertKeyContent()
	server := &Server{client: shared.client, admin: pair{certificate, key}}
	_, err := typedFor(t, shows(server.admin)).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
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

func TestServingNames(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		host, want string
	}
	testtable.Run(t, []test{
		{row{"default", "clients may write it in several ways"}, "127.0.0.1", "localhost"},
		{row{"another name", "clients use what the user has said"}, "api.example.com", "api.example.com"},
		{row{"everywhere", "clients come by the addresses of the machine"}, "0.0.0.0", "127.0.0.1"},
	}, func(t *testing.T, r test) {
		names := must[[]string](t)(servingNames(r.host))
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+r.want+" ") || strings.Contains(strings.Join(names, " "), "0.0.0.0 ") {
			t.Errorf("got %q, want %q among them", names, r.want)
		}
	})
}

func TestReachable(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1:1": "127.0.0.1:1", "0.0.0.0:1": "127.0.0.1:1", "[::]:1": "127.0.0.1:1", ":1": "127.0.0.1:1", "[::1]:1": "[::1]:1",
	} {
		if got := reachable(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}

func TestListenRefuses(t *testing.T) {
	t.Parallel()
	listener := must[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = listener.Close() }()
	address := listener.Addr().String()
	refused(t, t.Context(), Config{Listen: address}, address+" is in use by another program")
	refused(t, t.Context(), Config{Listen: "127.0.0.1"}, "missing port in address")
}
