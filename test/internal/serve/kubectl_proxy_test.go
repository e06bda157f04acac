package serve_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testutil/process"
)

// TestKubectlProxy opens the page of the requests as a browser does, which has
// no token, through kubectl proxy, which adds it.
func TestKubectlProxy(t *testing.T) {
	eachKubectl(t, func(t *testing.T, path string) {
		s := process.Start(t, binary, "--quiet")
		s.Config(t)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		proxy := exec.CommandContext(ctx, path, "proxy", "--port=0")
		proxy.Env = append(os.Environ(), "KUBECONFIG="+s.Kubeconfig, "HOME="+t.TempDir())
		output, err := proxy.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := proxy.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			cancel()
			_ = proxy.Wait() // it was killed
		}()
		line, err := bufio.NewReader(output).ReadString('\n')
		_, address, found := strings.Cut(strings.TrimSpace(line), "Starting to serve on ")
		if err != nil || !found {
			t.Fatalf("kubectl proxy says %q: %v", line, err)
		}
		for _, tc := range []struct {
			name, value string
			code        int
			want        string
		}{
			{"Accept", "text/html", http.StatusOK, "<title>Requests that webhooks or policies received</title>"},
			{"Accept", "application/json", http.StatusOK, `"kind":"RequestList"`},
			{"Origin", "https://elsewhere.example.com", http.StatusForbidden, "web pages of other hosts"},
			{"Sec-Fetch-Site", "cross-site", http.StatusForbidden, "web pages of other hosts"},
		} {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/gatehouse/requests", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set(tc.name, tc.value)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err != nil || response.StatusCode != tc.code || !strings.Contains(string(body), tc.want) {
				t.Errorf("%s: %s: got %d (%v), want %d with %q:\n%s", tc.name, tc.value, response.StatusCode, err, tc.code, tc.want, body)
			}
		}
	})
}
