package apiserver

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

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/apiserver/install"
	"example.com/gatehouse/internal/apiserver/requests"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
	"example.com/gatehouse/internal/cli/apiserver/kubeconfig"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/serve/options"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// New returns the command, as the root of its program.
func New() *cobra.Command {
	cmd := options.Command(func(cmd *cobra.Command, o *options.Options) error {
		i := &invocation{Options: o, stdin: cmd.InOrStdin(), stderr: cmd.ErrOrStderr()}
		return i.serve(cmd.Context(), cmd.OutOrStdout())
	})
	cmd.Use = "gatehouse-apiserver [-f FILES]..."
	cmd.Long = "gatehouse-apiserver is the server that `gatehouse serve` starts, with the same flags.\n\n" + cmd.Long
	return cmd
}

// invocation is the command with its flags and streams.
type invocation struct {
	*options.Options
	stdin io.Reader
	// stderr receives notices and the log.
	stderr io.Writer
}

// startTimeout bounds the start of the server, which takes about a second. A machine
// with many processes may need more than a minute.
const startTimeout = 3 * time.Minute

// serve runs a server until ctx is done.
func (i *invocation) serve(ctx context.Context, stdout io.Writer) (err error) {
	objects, err := i.objects()
	if err != nil {
		return &message.InputError{Err: err}
	}
	if err := i.checkAdmission(); err != nil {
		return &message.InputError{Err: err}
	}
	file, err := kubeconfig.Open(i.Kubeconfig)
	if err != nil {
		return &message.InputError{Err: err}
	}
	// From here on an interrupt must wait for the clean-up.
	command.Draining(ctx)
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := i.logTo(i.stderr); err != nil {
		return err
	}
	recorder, err := i.recorder()
	if err != nil {
		return &message.InputError{Err: err}
	}
	defer func() { err = errors.Join(err, i.stopRecording(recorder)) }()
	server, err := i.start(ctx, recorder)
	if err != nil {
		return &message.InputError{Err: err}
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if err := i.apply(ctx, server, objects); err != nil {
		return err
	}
	if err := announce(server, file, i.Quiet, stdout); err != nil {
		return err
	}
	<-ctx.Done()
	if !i.Quiet {
		message.Notice(i.stderr, "stopping after all requests are answered; press ^C again to stop at once")
	}
	return nil
}

// objects reads the files of -f.
func (i *invocation) objects() (*install.Set, error) {
	ca, err := flags.CA(i.CAFile)
	if err != nil {
		return nil, err
	}
	reader := &manifest.Reader{Stdin: i.stdin, Recursive: i.Recursive}
	objects, err := install.Read(reader, i.Files)
	if err != nil {
		return nil, err
	}
	for _, unread := range reader.Unread(i.Files) {
		message.Notice(i.stderr, "%s", unread)
	}
	if ca != nil {
		objects.Trust(ca)
	}
	return objects, nil
}

// checkAdmission reads the file of --admission-control-config-file. The plugins
// read it again, but their errors do not name the file.
func (i *invocation) checkAdmission() error {
	if _, err := flags.Admission(i.AdmissionConfig); err != nil {
		return &oneLine{err}
	}
	return nil
}

// logTo writes the log of klog, which is the log of the whole process, to w.
func (i *invocation) logTo(w io.Writer) error {
	if i.LogLevel <= 0 {
		return nil
	}
	set := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(set)
	if err := set.Set("v", strconv.Itoa(i.LogLevel)); err != nil {
		return fmt.Errorf("setting the level of the log: %w", err)
	}
	level := slog.Level(-i.LogLevel) // klog.V(n)
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})))
	return nil
}

// start starts the server. Its errors have one line.
func (i *invocation) start(
	ctx context.Context, recorder *corpus.Recorder,
) (*apiserver.Server, error) {
	resolve, err := flags.Routes(i.Resolve)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(
		ctx, startTimeout, fmt.Errorf("it took longer than %s", startTimeout))
	defer cancel()
	log := requests.New()
	server, err := apiserver.Start(ctx, apiserver.Config{
		Listen:         i.Address(),
		DataDir:        i.DataDir,
		Admission:      i.admission(log, recorder),
		Webhooks:       serviceresolver.Config{Routes: resolve, Anywhere: i.Anywhere},
		Audit:          apiserver.Audit{PolicyFile: i.AuditPolicy, LogFile: i.AuditLog},
		WarnNoPods:     true,
		CollectGarbage: true,
		Requests:       log,

		RBAC:                   i.Authorization == options.AuthorizeRBAC,
		DefaultServiceAccounts: i.DefaultServiceAccounts,
	})
	if err != nil {
		return nil, &oneLine{err}
	}
	return server, nil
}

// oneLine replaces the line breaks in the text of an error.
type oneLine struct{ err error }

func (e *oneLine) Error() string {
	return strings.ReplaceAll(strings.TrimSpace(e.err.Error()), "\n", "; ")
}
func (e *oneLine) Unwrap() error { return e.err }

// apply applies the objects of -f. It prints the warnings that the server
// returns.
func (i *invocation) apply(
	ctx context.Context, server *apiserver.Server, objects *install.Set,
) error {
	config := server.ClientConfig()
	config.WarningHandler = warnings{i.stderr}
	notice := func(text string) { message.Notice(i.stderr, "%s", text) }
	err := objects.Apply(
		ctx, config, install.Options{Notice: notice, SkipUnserved: i.SkipUnknown})
	var unserved *install.UnservedError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unserved) && !i.SkipUnknown:
		return &message.InputError{Err: fmt.Errorf("%w; to leave them out, use --skip-unknown", err)}
	case err != nil:
		return &message.InputError{Err: &oneLine{err}}
	}
	return nil
}

// warnings prints the warnings that a client receives.
type warnings struct{ stderr io.Writer }

// HandleWarningHeader implements rest.WarningHandler.
func (w warnings) HandleWarningHeader(_ int, _, text string) {
	message.Notice(w.stderr, "warning: %s", text)
}

// announce writes the kubeconfig and prints its path. It prints no secrets.
func announce(
	server *apiserver.Server, file *kubeconfig.File, quiet bool, stdout io.Writer,
) error {
	text, err := server.Kubeconfig()
	if err != nil {
		return err
	}
	if err := file.Publish(text); err != nil {
		return err
	}
	if quiet {
		return nil
	}
	path, err := filepath.Abs(file.Path())
	if err != nil {
		return fmt.Errorf("finding the kubeconfig: %w", err)
	}
	return command.Write(stdout, fmt.Appendf(nil, `The API server is ready on %s until ^C. To use it:

  export KUBECONFIG=%s
  kubectl get namespaces

Users who can read that file have all permissions on the server. To see what webhooks
do, run kubectl proxy and open http://127.0.0.1:8001%s.
`, server.ClientConfig().Host, message.Quoted(path), requests.Path))
}
