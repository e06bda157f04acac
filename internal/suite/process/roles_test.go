//go:build unix

package process

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/leaktest"
)

// roleVariable has the test binary be one of the commands that tests start.
const roleVariable = "GATEHOUSE_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	leaktest.Main(m)
}

// as returns what starts a role.
func as(role string, env ...suitefile.EnvVar) *suitefile.Exec {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	env = append(env, suitefile.EnvVar{Name: roleVariable, Value: role})
	return &suitefile.Exec{Command: []string{self}, Env: env, StartSeconds: 30, StopSeconds: 30}
}

// play does what a role does and returns its exit status.
func play(role string) int {
	switch role {
	case "server":
		return serve(ownCertificate())
	case "server of a foreigner":
		return serve(foreignCertificate())
	case "server that is deaf":
		signal.Ignore(syscall.SIGTERM)
		return serve(ownCertificate())
	case "failure":
		fmt.Println("reading the configuration")
		fmt.Fprintln(os.Stderr, "it is \x1b[31mwrong\x1b[0m")
		return 3
	case "bytes":
		_, _ = os.Stdout.Write([]byte("\x00\xff\xfe\n\n\x80 no newline"))
		return 1
	case "chatter":
		return chatter()
	case "dreamer":
		fmt.Println("certificate in", os.Getenv("CERT_DIR"))
		return sleep()
	case "deaf dreamer":
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("dreamer", os.Getpid())
		return sleep()
	case "environment":
		fmt.Println(strings.Join(os.Args[1:], "|"))
		fmt.Println(os.Getenv("PORT"), os.Getenv("CERT_DIR"), os.Getenv("TLS_CERT_FILE"), os.Getenv("TLS_KEY_FILE"))
		fmt.Println(os.Getenv("GREETING"))
		fmt.Println(os.Getwd())
		return 0
	}
	return playParent(role)
}

// playParent does what a role does that starts others.
func playParent(role string) int {
	switch role {
	case "parent":
		return status(spawn("deaf dreamer", nil), func() int { return serve(ownCertificate()) })
	case "parent that leaves":
		return status(spawn("deaf dreamer", nil), func() int { return 0 })
	case "parent of a runaway":
		away := &syscall.SysProcAttr{Setpgid: true}
		return status(spawn("deaf dreamer", away), func() int { return serve(ownCertificate()) })
	case "gatehouse":
		return gatehouse()
	}
	fmt.Fprintln(os.Stderr, "there is no such role:", role)
	return 2
}

// gatehouse starts a server and prints its number. It never stops it.
func gatehouse() int {
	p, err := Start(context.Background(), Config{Exec: as("server"), Output: os.Stdout})
	return status(err, func() int {
		fmt.Println("dreamer", p.command.Process.Pid)
		return sleep()
	})
}

// status goes on if there is no error.
func status(err error, next func() int) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return next()
}

// spawn starts a role that prints where we print, and waits until it can be
// killed only.
func spawn(role string, attributes *syscall.SysProcAttr) error {
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), roleVariable+"="+role)
	child.Stdout, child.Stderr, child.SysProcAttr = to, os.Stderr, attributes
	if err := child.Start(); err != nil {
		return err
	}
	buffer := make([]byte, 100)
	n, err := from.Read(buffer)
	fmt.Print(string(buffer[:n]))
	return err
}

func sleep() int {
	time.Sleep(time.Hour)
	return 0
}

// chatter prints more than pipes hold, on both streams at once.
func chatter() int {
	const count = 20_000
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range count {
			fmt.Fprintln(os.Stderr, "error", i)
		}
	}()
	for i := range count {
		fmt.Println("line", i)
	}
	<-done
	return 1
}

func ownCertificate() (tls.Certificate, error) {
	return tls.LoadX509KeyPair(os.Getenv("TLS_CERT_FILE"), os.Getenv("TLS_KEY_FILE"))
}

func foreignCertificate() (tls.Certificate, error) {
	authority, err := certs.NewAuthority("a foreigner")
	if err != nil {
		return tls.Certificate{}, err
	}
	return authority.Server("127.0.0.1")
}

// serve serves until SIGTERM. It is not ready for the first two who ask.
func serve(certificate tls.Certificate, err error) int {
	if err != nil {
		return status(err, nil)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		return status(err, nil)
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	if os.Getenv(roleVariable) == "server that is deaf" {
		signal.Ignore(syscall.SIGTERM)
	}
	fmt.Println("certificate in", os.Getenv("CERT_DIR"))
	fmt.Println("serving on port", os.Getenv("PORT"))
	server := &http.Server{
		Handler:   handler(),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		// A client that probes the port may skip the handshake.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() {
		<-terminated
		fmt.Println("stopped gently")
		_ = server.Close()
	}()
	if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return status(err, nil)
	}
	return 0
}

func handler() http.Handler {
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") })
	mux.HandleFunc("/crash", func(http.ResponseWriter, *http.Request) { os.Exit(4) })
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/unready", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/unready", http.StatusFound) })
	mux.HandleFunc("/ready", func(w http.ResponseWriter, _ *http.Request) {
		n := asked.Add(1)
		fmt.Println("asked", n)
		if n < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	return mux
}
