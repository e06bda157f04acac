package apiserver

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

func typedFor(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// get returns what the shared server answers, as JSON unless accept says
// otherwise, to clients with the token.
func get(t *testing.T, token, path, accept string) (int, []byte) {
	t.Helper()
	config := shared.ClientConfig()
	config.BearerToken = token
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", accept)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}

// visit returns what the administrator sees.
func visit(t *testing.T, path, accept string) []byte {
	t.Helper()
	code, body := get(t, shared.ClientConfig().BearerToken, path, accept)
	if code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, code, body)
	}
	return body
}

func TestUnauthenticated(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		token, path string
	}
	token := shared.ClientConfig().BearerToken
	rows := []test{
		{row{"no token", "there is no anonymous access"}, "", "/api/v1/pods"},
		{row{"wrong token", "the token is what it takes"}, "wrong", "/api/v1/pods"},
		{row{"half a token", "nothing less will do"}, token[:len(token)/2], "/api/v1/pods"},
		{row{"readiness", "clients without credentials get nothing"}, "", "/readyz"},
		{row{"version", "clients without credentials get nothing"}, "", "/version"},
		{row{"no such path", "clients without credentials do not learn which paths exist"}, "", "/nowhere"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		if code, body := get(t, r.token, r.path, "application/json"); code != http.StatusUnauthorized {
			t.Errorf("got %d %s, want 401", code, body)
		}
	})
}

func TestVersion(t *testing.T) {
	t.Parallel()
	var got struct{ Major, Minor, GitVersion string }
	if err := json.Unmarshal(visit(t, "/version", "application/json"), &got); err != nil {
		t.Fatal(err)
	}
	if got.Major != "1" || got.Minor != "37" || got.GitVersion != "v1.37.2+gatehouse" {
		t.Errorf("got %+v", got)
	}
}
