package cli

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/testtable"
)

// TestServeStatus: what keeps a server from starting is a matter of input. Servers
// that start are for test/apiserver, in processes of their own.
func TestServeStatus(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		args []string
		want string
	}
	testtable.Run(t, []test{
		{row{"port in use", "the commonest of all"}, []string{"--port", port}, "starting the API server: 127.0.0.1:" + port + " is in use by another program"},
		{row{"no such file", "before anything is started"}, []string{"-f", "nowhere.yaml"}, "nowhere.yaml: cannot be read: no such file or directory"},
		{row{"no folder for data", "a file is in the way"}, []string{"--data-dir", "serve.go"}, "starting the API server: starting etcd: making the folder for its data: mkdir serve.go: not a directory"},
		{row{"not ours", "a user's kubeconfig is precious"}, []string{"--write-kubeconfig", "serve.go"}, "--write-kubeconfig: serve.go: is there already, and not from gatehouse serve: choose another name"},
	}, func(t *testing.T, r test) {
		var stderr bytes.Buffer
		status := execute(t.Context(), append([]string{"serve"}, r.args...), strings.NewReader(""), io.Discard, &stderr)
		if status != exitBadInput || stderr.String() != "gatehouse: "+r.want+"\n" {
			t.Errorf("got status %d and %q, want %d and %q", status, &stderr, exitBadInput, r.want)
		}
	})
}

func TestKubeconfigFile(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		// before is what is there at first; "" is nothing.
		before string
		// meanwhile is what somebody puts there; "" is nothing.
		meanwhile string
		// after is what is there at the end.
		after string
	}
	testtable.Run(t, []test{
		{row{"new", "it goes with its server"}, "", "", ""},
		{row{"left behind", "a server that was killed could not remove it"}, kubeconfigHeader + "old", "", ""},
		{row{"another server's", "the later one needs it"}, "", kubeconfigHeader + "later", kubeconfigHeader + "later"},
		{row{"changed", "somebody has chosen a namespace, and may want to see it again"}, "", kubeconfigHeader + "new\nnamespace: a", kubeconfigHeader + "new\nnamespace: a"},
	}, func(t *testing.T, r test) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		put(t, path, r.before)
		k, err := openKubeconfig(path)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, path, r.before)
		if err := k.publish([]byte("new")); err != nil {
			t.Fatal(err)
		}
		wantText(t, path, kubeconfigHeader+"new")
		put(t, path, r.meanwhile)
		if err := k.close(); err != nil {
			t.Error(err)
		}
		wantText(t, path, r.after)
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 1 || len(entries) == 1 && r.after == "" {
			t.Errorf("there is more than there should be: %v (%v)", entries, err)
		}
	})
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("%s has %q, want %q", path, text, want)
	}
}

// TestDraining: a command that has said so is waited for, and nobody else.
func TestDraining(t *testing.T) {
	t.Parallel()
	ctx, drains := allowDraining(t.Context())
	select {
	case <-drains:
		t.Error("nobody has said so yet")
	default:
	}
	derived, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	draining(derived)
	draining(derived) // twice does no harm
	<-drains
	draining(t.Context()) // of a command that nobody would wait for
}
