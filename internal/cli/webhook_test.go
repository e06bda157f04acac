package cli

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/processtest"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// serveWebhook is the command webhook, which suites in scripts start: it serves
// the webhooks /label and /policy, and one that never answers, /hang, but makes
// the file $SIGN.
func serveWebhook() {
	say := flag.String("say", "", "print this first")
	die := flag.Int("die", 0, "end with this status")
	pids := flag.String("pids", "", "write the process, and another one that it starts, into this file")
	stubborn := flag.Bool("stubborn", false, "heed no SIGTERM")
	idle := flag.Bool("idle", false, "serve nothing, and wait to be stopped")
	flag.Parse()
	if *stubborn {
		signal.Ignore(syscall.SIGTERM)
	}
	if *say != "" {
		fmt.Println(*say)
	}
	switch {
	case *die != 0:
		os.Exit(*die)
	case *idle:
		select {}
	case *pids != "":
		check(writeProcesses(*pids, *stubborn))
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Getenv("PORT")))
	check(err)
	folder := os.Getenv("CERT_DIR")
	server := &http.Server{
		Handler: suiteHooks(), TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		// The readiness probe closes its connection before the handshake.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	check(server.ServeTLS(listener, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writeProcesses starts a process and writes down who there is. The file is
// there when it is complete.
func writeProcesses(path string, stubborn bool) error {
	child := exec.Command(os.Args[0], "-idle", fmt.Sprintf("-stubborn=%t", stubborn))
	if err := child.Start(); err != nil {
		return err
	}
	text := fmt.Sprintf("%d\n%d\n", os.Getpid(), child.Process.Pid)
	if err := os.WriteFile(path+".part", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// suiteHooks are the webhooks of scripts about suites.
func suiteHooks() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/label", reviewtest.Answer(label))
	mux.Handle("/policy", reviewtest.Answer(policy))
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that it is seen when the client goes
		if sign := os.Getenv("SIGN"); sign != "" {
			_ = os.WriteFile(sign, nil, 0o600) // the script that waits for it fails
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler) // an answer might still be heard
	})
	return mux
}

// label sets the owner of a pod, unless it is set.
func label(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var object metav1.PartialObjectMetadata
	_ = json.Unmarshal(r.Object.Raw, &object)
	operation := `{"op": "add", "path": "/metadata/labels/team", "value": "` + r.Namespace + `"}`
	switch {
	case object.Labels["team"] != "":
		return &admissionv1.AdmissionResponse{Allowed: true}
	case object.Labels == nil:
		operation = `{"op": "add", "path": "/metadata/labels", "value": {}}, ` + operation
	}
	return &admissionv1.AdmissionResponse{
		Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch), Patch: []byte("[" + operation + "]"),
	}
}

// policy wants images with a version, and repeats what an annotation has it
// say. Another one says how often it warns.
func policy(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	var pod corev1.Pod
	_ = json.Unmarshal(r.Object.Raw, &pod)
	if text := pod.Annotations["say"]; text != "" {
		return denial(http.StatusForbidden, metav1.StatusReasonForbidden, text)
	}
	answer := &admissionv1.AdmissionResponse{Allowed: true}
	warnings, _ := strconv.Atoi(pod.Annotations["warn"])
	for i := range warnings {
		answer.Warnings = append(answer.Warnings, fmt.Sprint("it is wrong ", i+1))
	}
	for _, c := range pod.Spec.Containers {
		if strings.HasSuffix(c.Image, ":latest") {
			return denial(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid,
				fmt.Sprintf("the image %q of %s (in %s) has no version", c.Image, c.Name, pod.Name))
		}
		if !strings.Contains(c.Image, "@sha256:") {
			answer.Warnings = append(answer.Warnings, fmt.Sprintf("the image %q has no digest", c.Image))
		}
	}
	return answer
}

func denial(code int32, reason metav1.StatusReason, message string) *admissionv1.AdmissionResponse {
	return &admissionv1.AdmissionResponse{Result: &metav1.Status{Code: code, Reason: reason, Message: message}}
}

// await waits until a file is there.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	within(ts, "there is no "+args[0], func() bool {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return err == nil
	})
}

// gone waits until none of the processes runs whose numbers are in a file.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone FILE")
	}
	for _, number := range strings.Fields(ts.ReadFile(args[0])) {
		pid, err := strconv.Atoi(number)
		ts.Check(err)
		within(ts, "the process "+number+" runs", func() bool { return !processtest.Runs(pid) })
	}
}

// within waits for something that takes a moment.
func within(ts *testscript.TestScript, otherwise string, done func() bool) {
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s", otherwise)
		}
	}
}

// expand replaces variables of the environment in files.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILES...")
	}
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}
