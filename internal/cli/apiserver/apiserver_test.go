package apiserver

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestStatus: what keeps a server from starting is a matter of input. Servers
// that start are for test/internal/serve, in processes of their own.
func TestStatus(t *testing.T) {
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
		{row{"no folder for data", "a file is in the way"}, []string{"--data-dir", "doc.go"}, "starting the API server: starting etcd: creating the data folder: mkdir doc.go: not a directory"},
		{row{"not ours", "a user's kubeconfig is precious"}, []string{"--write-kubeconfig", "doc.go"}, "--write-kubeconfig: doc.go: exists, and gatehouse serve did not write it: choose another name"},
	}, func(t *testing.T, r test) {
		var stderr bytes.Buffer
		status := program.Run(t.Context(), New(), r.args, strings.NewReader(""), io.Discard, &stderr)
		if status != program.BadInput || stderr.String() != "gatehouse: "+r.want+"\n" {
			t.Errorf("got status %d and %q, want %d and %q", status, &stderr, program.BadInput, r.want)
		}
	})
}
