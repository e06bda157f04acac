//go:build unix

package process

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// TestProcess goes through the life of a command for which all goes well.
func TestProcess(t *testing.T) {
	t.Parallel()
	var printed strings.Builder
	p := start(t, Config{Exec: as("server"), Names: []string{"hook.system.svc"}, Output: &printed})
	for _, name := range []string{"hook.system.svc", "localhost", "127.0.0.1", "::1"} {
		if got := get(t, p, name, "/"); got != "hello" {
			t.Errorf("as %s: got %q", name, got)
		}
	}
	folder := folderIn(t, p.Printed())
	if _, err := os.Stat(filepath.Join(folder, "ca.crt")); err != nil {
		t.Error(err)
	}
	wantStopped(t, p)
	if want := "certificate in " + folder + "\nserving on port " + portOf(t, p) + "\nstopped gently\n"; printed.String() != want {
		t.Errorf("it printed %q, want %q", printed.String(), want)
	}
	if diff := cmp.Diff(printed.String(), p.Printed()); diff != "" {
		t.Errorf("output and Printed (-output +Printed):\n%s", diff)
	}
	wantNoFolder(t, folder)
	// Another test's command may have the port now, but not the certificate.
	if response, err := client(t, p, "localhost").Get("https://" + p.Address() + "/"); err == nil {
		_ = response.Body.Close()
		t.Error("the process still listens")
	}
}

// TestStopByMany stops a command from several goroutines, some of which wait
// for it to end.
func TestStopByMany(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: as("server")})
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() { wantStopped(t, p) })
		all.Go(func() { <-p.ended })
	}
	all.Wait()
	wantStopped(t, p)
}

// TestTwo has two commands at the same time, neither of which the other one's
// certificate is good for.
func TestTwo(t *testing.T) {
	t.Parallel()
	a, b := start(t, Config{Exec: as("server")}), start(t, Config{Exec: as("server")})
	for _, p := range []*Process{a, b} {
		if got := get(t, p, "localhost", "/"); got != "hello" {
			t.Errorf("got %q", got)
		}
	}
	if a.Address() == b.Address() || string(a.CABundle()) == string(b.CABundle()) {
		t.Errorf("both are at %s with the same authority", a.Address())
	}
}

// TestOtherCommand probes the port of the command of another run, which the
// command could not get: that is not its readiness. A server with a certificate of
// its own is none of ours.
func TestOtherCommand(t *testing.T) {
	t.Parallel()
	own, other := start(t, Config{Exec: as("server")}), start(t, Config{Exec: as("server")})
	foreign := start(t, Config{Exec: as("server of a foreigner")})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(own.CABundle())
	for p, want := range map[*Process]string{
		own: "", foreign: "", other: "the command of another gatehouse listens on the port",
	} {
		if err := checkConnection(t.Context(), p.Address(), roots); testtable.Text(err) != want {
			t.Errorf("%s: got error %v, want %q", p.Printed(), err, want)
		}
	}
}

// TestEndsByItself has a command crash that was ready.
func TestEndsByItself(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: as("server")})
	_, _ = client(t, p, "localhost").Get("https://" + p.Address() + "/crash")
	<-p.ended
	for range 2 {
		err := p.Stop()
		if !regexp.MustCompile(`^stopping ".*": it ended before it was stopped: exit status 4; it printed last: serving on port \d+$`).MatchString(testtable.Text(err)) {
			t.Errorf("got error %v", err)
		}
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 4 {
			t.Errorf("the error has no exit status: %v", err)
		}
	}
	wantNoFolder(t, folderIn(t, p.Printed()))
}

// TestFixedPort gives a command the port that it wants.
func TestFixedPort(t *testing.T) {
	t.Parallel()
	port, err := freePort(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := as("server")
	e.Port = int32(port)
	p := start(t, Config{Exec: e})
	if got := get(t, p, "localhost", "/"); got != "hello" || p.Address() != addressOf(port) {
		t.Errorf("got %q at %s, want port %d", got, p.Address(), port)
	}
}

// TestTakenPort wants a port on which another server listens, which would be
// tested in place of the command.
func TestTakenPort(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	e := as("server")
	e.Port = int32(listener.Addr().(*net.TCPAddr).Port)
	_, err = Start(t.Context(), Config{Exec: e})
	if want := "another process listens on port " + strconv.Itoa(int(e.Port)) + " already"; !strings.HasSuffix(testtable.Text(err), want) {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// TestInterrupted ends the context while a command that is never ready is
// waited for.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	reason := errors.New("^C")
	ctx, cancel := context.WithCancelCause(t.Context())
	began := writer(func(string) { cancel(reason) })
	_, err := Start(ctx, Config{Exec: as("dreamer"), Output: began})
	failed, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(err, reason) {
		t.Fatalf("got error %v", err)
	}
	wantNoFolder(t, folderIn(t, failed.Printed))
}

// TestInterruptedBefore starts nothing when the context has ended already.
func TestInterruptedBefore(t *testing.T) {
	t.Parallel()
	reason := errors.New("^C")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	_, err := Start(ctx, Config{Exec: as("failure"), Output: writer(func(line string) { t.Errorf("it printed %q", line) })})
	if !errors.Is(err, reason) {
		t.Errorf("got error %v", err)
	}
}

// writer is an Output that is called for each line.
type writer func(line string)

func (w writer) Write(b []byte) (int, error) {
	w(string(b))
	return len(b), nil
}

// start starts a command that is stopped with the test.
func start(t *testing.T, c Config) *Process {
	t.Helper()
	p, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stop() })
	return p
}

func wantStopped(t *testing.T, p *Process) {
	t.Helper()
	if err := p.Stop(); err != nil {
		t.Errorf("Stop: %v", err)
	}
	if !isClosed(p.ended) {
		t.Error("it was stopped and has not ended")
	}
}

func wantNoFolder(t *testing.T, folder string) {
	t.Helper()
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", folder, err)
	}
}

// folderIn finds out from what a command has printed where its certificate is.
func folderIn(t *testing.T, printed string) string {
	t.Helper()
	found := regexp.MustCompile(`certificate in (.*)`).FindStringSubmatch(printed)
	if found == nil {
		t.Fatalf("it has not said where its certificate is: %q", printed)
	}
	return found[1]
}

func portOf(t *testing.T, p *Process) string {
	t.Helper()
	_, port, err := net.SplitHostPort(p.Address())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// client returns a client that knows a command by a name.
func client(t *testing.T, p *Process, name string) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(p.CABundle()) {
		t.Fatal("the bundle holds no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: name}, DisableKeepAlives: true}
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// get returns what a command answers.
func get(t *testing.T, p *Process, name, path string) string {
	t.Helper()
	response, err := client(t, p, name).Get("https://" + p.Address() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// with returns a command that differs from another one.
func with(e *suitefile.Exec, differ func(e *suitefile.Exec)) *suitefile.Exec {
	differ(e)
	return e
}

// TestRenew has a command find another certificate in the files that it knows.
func TestRenew(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Exec: with(as("server"), printing)})
	folder := folderIn(t, p.Printed())
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := []string{read("tls.crt"), read("tls.key"), read("ca.crt")}
	leaf, err := p.Renew()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"tls.crt", "tls.key", "ca.crt"} {
		if read(name) == before[i] {
			t.Errorf("%s is the old one", name)
		}
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	if string(pair.Certificate[0]) != string(leaf) {
		t.Error("the certificate in the file is another one than Renew returned")
	}
	versions, err := filepath.Glob(filepath.Join(folder, "..version-*"))
	if err != nil || len(versions) != 1 {
		t.Errorf("the versions are %v, %v, want the new one only", versions, err)
	}
	wantStopped(t, p)
	wantNoFolder(t, folder)
}
