package client

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

type proxyRow struct {
	row
	fromConfig, fromAuth bool
	want                 []string
}

func TestProxy(t *testing.T) {
	t.Parallel()
	b := startBackend(t, http.HandlerFunc(ok))
	rows := []proxyRow{
		{row{"own", "the client's function is called"}, true, false, []string{"own " + b.addr}},
		{row{"of the credentials", "a kubeconfig's proxy-url is used"}, false, true, []string{"theirs " + b.addr}},
		{row{"both", "the client's own choice wins"}, true, true, []string{"own " + b.addr}},
	}
	testtable.Run(t, rows, func(t *testing.T, r proxyRow) {
		var mu sync.Mutex
		var got []string
		proxy := func(who string) func(*http.Request) (*url.URL, error) {
			return func(r *http.Request) (*url.URL, error) {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, who+" "+r.URL.Host)
				return nil, nil
			}
		}
		auth, cfg := &rest.Config{}, Config{}
		if r.fromAuth {
			auth.Proxy = proxy("theirs")
		}
		if r.fromConfig {
			cfg.Proxy = proxy("own")
		}
		cfg.AuthInfo = authInfo(auth)
		if _, err := post(t, newClient(t, cfg), urlHook("https://"+b.addr, b.ca), "{}"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("unexpected calls (-want +got):\n%s", diff)
		}
	})
}
