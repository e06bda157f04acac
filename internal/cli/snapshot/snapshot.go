package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/cli/cluster"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/snapshot"
)

// The texts of --help.
const (
	help = `Read the objects that the other commands need from a cluster, into a folder for -f: webhook
configurations, admission policies with bindings and params, CustomResourceDefinitions,
Namespaces, Services, EndpointSlices, Deployments, StatefulSets, DaemonSets,
PodDisruptionBudgets, RBAC, and the pods that serve webhooks. docs/snapshot.md says which
fields are left out.

The command finds the cluster as kubectl does: by the flags of kubectl, $KUBECONFIG,
~/.kube/config, or in a pod by its service account. It sends only GET requests. It reads no
Secrets, except for the certificates in those of --secret, and never writes private keys.

The folder has a file for each kind. A second snapshot of an unchanged cluster has the same
bytes. The command replaces an existing folder only if it is a snapshot without other files.
After an error or an interrupt the folder is unchanged.

The exit status is 0 if the snapshot was written, 2 if the command line is wrong or the cluster
could not be read, and 3 if the folder could not be written.`

	examples = `  # Keep what is deployed in a repository, and see what changed
  gatehouse snapshot --context production -o production/
  git diff production/

  # Check it
  gatehouse lint -f production/

  # With the certificate of a webhook, for doctor
  gatehouse snapshot -o production/ --secret policy/webhook-cert

  # Let a service account take snapshots
  gatehouse snapshot --rbac | kubectl apply -f -`
)

type options struct {
	cluster.Options
	output        string
	secrets       []string
	skipForbidden bool
	rbac          bool
	timeout       time.Duration
}

// New returns the command.
func New() *cobra.Command {
	o := options{timeout: 5 * time.Minute}
	cmd := &cobra.Command{
		Use:     "snapshot -o DIR",
		Short:   "Read configurations, policies and related objects from a cluster",
		Long:    help,
		Example: examples,
		Args:    command.NoArguments,
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "",
		"`folder` to write: new, empty, or a snapshot, which is replaced")
	f.StringArrayVar(&o.secrets, "secret", nil,
		"`NAMESPACE/NAME` of a Secret: write its certificates, tls.crt and ca.crt; repeatable")
	f.BoolVar(&o.skipForbidden, "skip-forbidden", false,
		"leave out what the user has no permission to read, and name it; by default that is an error")
	f.DurationVar(&o.timeout, "timeout", o.timeout, "`time` limit of the snapshot")
	f.BoolVar(&o.rbac, "rbac", false,
		"print a ClusterRole with the necessary permissions, including the params of policies, and exit")
	o.AddFlags(f)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		config, err := o.check(f)
		if err != nil {
			return &message.UsageError{Err: err}
		}
		ctx, cancel := context.WithTimeoutCause(cmd.Context(), o.timeout,
			fmt.Errorf("it took longer than %s: see --timeout", o.timeout))
		defer cancel()
		if o.rbac {
			return o.printRoles(ctx, cmd, config)
		}
		return o.run(ctx, cmd, config)
	}
	return cmd
}

// check rejects mistakes in the flags, and returns what they say about the snapshot.
func (o *options) check(f *pflag.FlagSet) (snapshot.Config, error) {
	config := snapshot.Config{Namespace: o.Namespace(), SkipForbidden: o.skipForbidden}
	switch {
	case o.rbac && o.output != "":
		return config, errors.New("--rbac and --output cannot be combined")
	case !o.rbac && o.output == "":
		return config, errors.New("--output is required: the folder to write")
	case o.timeout <= 0:
		return config, fmt.Errorf("--timeout %s: want more than 0", o.timeout)
	case f.Changed("namespace") && len(validation.IsDNS1123Label(o.Namespace())) > 0:
		return config, fmt.Errorf("--namespace %q: want the name of a namespace", o.Namespace())
	}
	for _, s := range o.secrets {
		namespace, name, _ := strings.Cut(s, "/")
		if len(validation.IsDNS1123Label(namespace)) > 0 || len(validation.IsDNS1123Subdomain(name)) > 0 {
			return config, fmt.Errorf("--secret %q: want NAMESPACE/NAME", s)
		}
		config.Secrets = append(config.Secrets, types.NamespacedName{Namespace: namespace, Name: name})
	}
	return config, nil
}

func (o *options) run(ctx context.Context, cmd *cobra.Command, config snapshot.Config) (err error) {
	client, err := o.Config()
	if err != nil {
		return err
	}
	config.Client = client
	command.Draining(ctx)
	folder, err := snapshot.Open(o.output)
	if err != nil {
		return &message.InputError{Err: err}
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	s, err := read(ctx, cmd, config)
	if err != nil {
		return err
	}
	info, _ := debug.ReadBuildInfo()
	if err := folder.Write(s, command.Version(info)); err != nil {
		return err
	}
	for _, notice := range s.Notices {
		message.Notice(cmd.ErrOrStderr(), "%s", notice)
	}
	message.Notice(cmd.ErrOrStderr(), "%s written to %s", message.Count(s.Objects(), "object"), o.output)
	return nil
}

// read reads the cluster and shows the progress.
func read(
	ctx context.Context, cmd *cobra.Command, config snapshot.Config,
) (*snapshot.Snapshot, error) {
	var status atomic.Value
	status.Store("")
	config.Progress = func(resource string, objects int) {
		status.Store(fmt.Sprintf("reading %s: %s", resource, message.Count(objects, "object")))
	}
	progress := command.NewProgress(cmd.ErrOrStderr(), time.Now(), func() string {
		return status.Load().(string)
	})
	end := progress.Watch()
	s, err := snapshot.Read(ctx, config)
	end()
	progress.End()
	var forbidden *snapshot.ForbiddenError
	switch {
	case cmd.Context().Err() != nil:
		return nil, cmd.Context().Err()
	case errors.As(err, &forbidden):
		err = errors.Join(err, errors.New("or leave out forbidden objects with --skip-forbidden"))
	}
	if err != nil {
		return nil, &message.InputError{Err: err}
	}
	return s, nil
}

// printRoles prints the roles. Without a cluster they are those of a cluster without params.
func (o *options) printRoles(
	ctx context.Context, cmd *cobra.Command, config snapshot.Config,
) error {
	client, err := o.Config()
	if errors.Is(err, cluster.ErrNoContext) {
		message.Notice(cmd.ErrOrStderr(), "%v: the role has no rules for params of policies", err)
		err = nil
	}
	if err != nil {
		return err
	}
	config.Client = client
	roles, err := snapshot.Roles(ctx, config)
	switch {
	case cmd.Context().Err() != nil:
		return cmd.Context().Err()
	case err != nil:
		return &message.InputError{Err: err}
	}
	var text bytes.Buffer
	for _, role := range roles {
		document, err := command.YAML(role)
		if err != nil {
			return err
		}
		text.WriteString("---\n")
		text.Write(document)
	}
	return command.Write(cmd.OutOrStdout(), text.Bytes())
}
