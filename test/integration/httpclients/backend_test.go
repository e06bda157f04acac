package httpclients

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"example.com/gatehouse/internal/certs"
)

// backendVariable in the environment makes the test binary the server.
const backendVariable = "GATEHOUSE_HTTPCLIENTS_BACKEND"

const serverName = "hook.hooks.svc"

// response is what the server sends: a review that allows the request.
const response = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",` +
	`"response":{"uid":"00000000-0000-0000-0000-000000000000","allowed":true}}`

func TestMain(m *testing.M) {
	if os.Getenv(backendVariable) == "" {
		os.Exit(m.Run())
	}
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "the server:", err)
		os.Exit(1)
	}
}

// introduction is what the server prints when it listens.
type introduction struct {
	Address string
	Bundle  []byte
}

// serve responds to reviews until in ends.
func serve(in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	authority, err := certs.NewAuthority("gatehouse HTTP clients")
	if err != nil {
		return err
	}
	certificate, err := authority.Server(serverName)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: http.HandlerFunc(allow),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate}, NextProtos: []string{"http/1.1"},
		},
	}
	defer server.Close()
	go server.ServeTLS(listener, "", "") //nolint:errcheck // It ends with the process.
	err = json.NewEncoder(out).Encode(introduction{listener.Addr().String(), authority.Bundle()})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// allow reads a review and allows its request.
func allow(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !bytes.Equal(body, review) {
		http.Error(w, "this is not the review", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, response) // the client notices
}

// start runs the server in a process of its own until the test ends.
func start(t testing.TB) introduction {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(self)
	server.Env, server.Stderr = append(os.Environ(), backendVariable+"=1"), os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	})
	var introduced introduction
	if err := json.NewDecoder(out).Decode(&introduced); err != nil {
		t.Fatal(err)
	}
	return introduced
}
