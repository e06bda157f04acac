package serve_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// refused runs serve with arguments that keep it from starting. It has to say
// why in the given line, and to leave nothing behind.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	s := process.Start(t, binary, args...)
	status := s.Wait(t)
	if got := s.Printed(); status != 2 || got != "gatehouse: "+want+"\n" {
		t.Errorf("got status %d and %q, want 2 and %q", status, got, want)
	}
	wantNothingLeft(t, s)
}

// TestCommandErrors has what keeps the command from starting, beyond what the
// scripts of internal/cli have.
func TestCommandErrors(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	loud := file("loud.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Loud}]")
	quiet := file("quiet.yaml", "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]")
	noCA := file("ca.crt", "none")
	typo := file("typo.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}")
	const starting = "starting the API server: "
	type test struct {
		row
		args []string
		want string
	}
	testtable.Run(t, []test{
		{row{"port in use", "the commonest of all, and nothing may be left then"}, []string{"--port", port}, starting + "127.0.0.1:" + port + " is in use by another program"},
		{row{"an address of another machine", "it is for documentation, and no machine has it"}, []string{"--listen", "192.0.2.1"}, starting + "listen tcp 192.0.2.1:0: bind: cannot assign requested address"},
		{row{"policy", "the first words are the caller's, the others kube-apiserver's"}, []string{"--audit-policy-file", loud, "--audit-log-path", "-"}, starting + `preparing the audit log: loading audit policy file: rules[0].level: Unsupported value: "Loud": supported values: "None", "Metadata", "Request", "RequestResponse": from file ` + loud},
		{row{"log", "there is a file where it wants a folder"}, []string{"--audit-policy-file", quiet, "--audit-log-path", filepath.Join(quiet, "log")}, starting + "preparing the audit log: ensureLogFile: mkdir " + quiet + ": not a directory"},
		{row{"data", "there is a file where it wants a folder"}, []string{"--data-dir", quiet}, starting + "starting etcd: creating the data folder: mkdir " + quiet + ": not a directory"},
		{row{"CA", "a key, say"}, []string{"--ca-file", noCA, "-f", typo}, "--ca-file: " + noCA + ": holds no certificate in PEM"},
		{row{"typo", "the server is there by then, and goes again"}, []string{"-f", typo}, typo + ": document 1 (line 1): failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .dta: field not declared in schema"},
		{row{"flag", "the help is one step away"}, []string{"--prot", "1"}, "unknown flag: --prot: did you mean --port?\nSee 'gatehouse serve --help'."},
		{row{"value", "flags have types"}, []string{"--port", "http"}, `invalid argument "http" for "--port" flag: strconv.ParseInt: parsing "http": invalid syntax` + "\nSee 'gatehouse serve --help'."},
	}, func(t *testing.T, r test) { refused(t, r.want, r.args...) })
}

// TestCommandReadOnlyData uses /proc, which not even root can write to.
func TestCommandReadOnlyData(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		testenv.Missing(t, "there is no /proc")
	}
	refused(t, "starting the API server: starting etcd: creating the data folder: mkdir /proc/self/etcd: no such file or directory", "--data-dir", "/proc/self")
}

// TestCommandData: data is one server's at a time, is there for the next one,
// and is not touched if it is damaged.
func TestCommandData(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := process.Start(t, binary, "--quiet", "--data-dir", data)
	configMaps := func(s *process.Process) (names []string) {
		client, err := kubernetes.NewForConfig(s.Config(t))
		if err != nil {
			t.Fatal(err)
		}
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}}
		if _, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		list, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range list.Items {
			names = append(names, object.Name)
		}
		return names
	}
	if names := configMaps(first); len(names) != 1 {
		t.Errorf("the first server has %q, want one", names)
	}
	etcd := filepath.Join(data, "etcd")
	refused(t, "starting the API server: starting etcd: the data in "+etcd+" is in use by another server", "--data-dir", data)
	if status := first.Stop(t); status != 0 {
		t.Errorf("exit status %d: %s", status, first.Printed())
	}
	second := process.Start(t, binary, "--quiet", "--data-dir", data)
	if names := configMaps(second); len(names) != 2 {
		t.Errorf("the second server has %q, want two", names)
	}
	if status := second.Stop(t); status != 0 {
		t.Errorf("exit status %d: %s", status, second.Printed())
	}
	database := filepath.Join(etcd, "member", "snap", "db")
	if err := os.Truncate(database, 9000); err != nil {
		t.Fatal(err)
	}
	damaged := process.Start(t, binary, "--data-dir", data)
	want := "gatehouse: starting the API server: starting etcd: " + database + " is damaged: 9000 of "
	if status, got := damaged.Wait(t), damaged.Printed(); status != 2 || !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("got status %d and %q, want 2 and one line that begins with %q", status, got, want)
	}
	wantNothingLeft(t, damaged)
}

// TestCommandInterrupted: SIGINT during the start ends the command, without leftovers and without an error message.
func TestCommandInterrupted(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		after time.Duration
	}
	var tests []test
	for _, after := range []time.Duration{0, 100, 200, 400, 800} {
		after *= time.Millisecond
		tests = append(tests, test{row{after.String(), fmt.Sprintf("another step of the start is reached after %s", after)}, after})
	}
	testtable.Run(t, tests, func(t *testing.T, r test) {
		s := process.Start(t, binary, "--log-level", "9")
		time.Sleep(r.after) // the moment is what is tested, and none is special
		s.Signal(t, syscall.SIGINT)
		if status := s.Wait(t); status != 0 && status != 130 {
			t.Errorf("exit status %d: %s", status, s.Printed())
		}
		wantNothingLeft(t, s)
	})
}
