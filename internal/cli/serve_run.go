package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/install"
	"example.com/gatehouse/internal/fileconfig"
)

// startLimit is how long a server may take to come up. It takes about a second.
const startLimit = time.Minute

// serve runs a server until ctx is done.
func serve(ctx context.Context, o *serveOptions, stdout io.Writer) (err error) {
	objects, err := o.objects()
	if err != nil {
		return &inputError{err}
	}
	if err := o.checkAdmission(); err != nil {
		return &inputError{err}
	}
	kubeconfig, err := openKubeconfig(o.kubeconfig)
	if err != nil {
		return &inputError{err}
	}
	// From here on there is something to put in order.
	draining(ctx)
	defer func() { err = errors.Join(err, kubeconfig.close()) }()
	if err := o.logTo(o.stderr); err != nil {
		return err
	}
	server, err := o.start(ctx)
	if err != nil {
		return &inputError{err}
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := fill(ctx, server, objects); err != nil {
		return err
	}
	if err := announce(server, kubeconfig, o.quiet, stdout); err != nil {
		return err
	}
	<-ctx.Done()
	if !o.quiet {
		notice(o.stderr, "stopping when all requests are answered; ^C stops at once")
	}
	return nil
}

// objects reads the files of -f.
func (o *serveOptions) objects() (*install.Set, error) {
	ca, err := readCA(o.caFile)
	if err != nil {
		return nil, err
	}
	objects, err := install.Read(o.files, o.stdin)
	if err != nil {
		return nil, err
	}
	if ca != nil {
		objects.Trust(ca)
	}
	return objects, nil
}

// checkAdmission reads the file of --admission-control-config-file, as the plugins will
// again: they would not say which file they do not like.
func (o *serveOptions) checkAdmission() error {
	if o.admissionConfig == "" {
		return nil
	}
	if _, err := fileconfig.Admission(o.admissionConfig, mutatingPlugin, validatingPlugin); err != nil {
		return fmt.Errorf("--admission-control-config-file: %w", &oneLine{err})
	}
	return nil
}

// logTo has the server's own log written. It is klog's, and so the whole process's.
func (o *serveOptions) logTo(w io.Writer) error {
	if o.verbosity <= 0 {
		return nil
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	if err := flags.Set("v", strconv.Itoa(o.verbosity)); err != nil {
		return fmt.Errorf("setting the level of the log: %w", err)
	}
	level := slog.Level(-o.verbosity) // what klog calls V(n)
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})))
	return nil
}

// start starts the server. The error has one line.
func (o *serveOptions) start(ctx context.Context) (*apiserver.Server, error) {
	resolve, err := o.routes()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit, fmt.Errorf("it took longer than %s", startLimit))
	defer cancel()
	server, err := apiserver.Start(ctx, apiserver.Config{
		Listen:    o.address(),
		DataDir:   o.dataDir,
		Admission: apiserver.DefaultAdmission(o.admissionConfig),
		Webhooks:  apiserver.Webhooks{Routes: resolve, Anywhere: o.anywhere},
		Audit:     apiserver.Audit{PolicyFile: o.auditPolicy, LogFile: o.auditLog},
	})
	if err != nil {
		return nil, &oneLine{err}
	}
	return server, nil
}

// oneLine is an error whose text has no line breaks.
type oneLine struct{ err error }

func (e *oneLine) Error() string {
	return strings.ReplaceAll(strings.TrimSpace(e.err.Error()), "\n", "; ")
}
func (e *oneLine) Unwrap() error { return e.err }

// fill puts in the objects.
func fill(ctx context.Context, server *apiserver.Server, objects *install.Set) error {
	err := objects.Apply(ctx, server.ClientConfig())
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &inputError{&oneLine{err}}
	}
	return nil
}

// announce writes the kubeconfig and says where it is. What it prints is no secret.
func announce(server *apiserver.Server, kubeconfig *kubeconfigFile, quiet bool, stdout io.Writer) error {
	text, err := server.Kubeconfig()
	if err != nil {
		return err
	}
	if err := kubeconfig.publish(text); err != nil {
		return err
	}
	if quiet {
		return nil
	}
	path, err := filepath.Abs(kubeconfig.path)
	if err != nil {
		return fmt.Errorf("looking for the kubeconfig: %w", err)
	}
	return write(stdout, fmt.Appendf(nil, `The API server is ready on %s until ^C. To use it:

  export KUBECONFIG=%s
  kubectl get namespaces

Whoever can read that file may do everything on the server.
`, server.ClientConfig().Host, quoted(path)))
}
