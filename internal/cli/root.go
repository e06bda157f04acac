package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/audit"
	"example.com/gatehouse/internal/cli/auditpolicy"
	"example.com/gatehouse/internal/cli/cluster"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/cli/conformance"
	"example.com/gatehouse/internal/cli/corpus"
	"example.com/gatehouse/internal/cli/demo"
	"example.com/gatehouse/internal/cli/diff"
	"example.com/gatehouse/internal/cli/doctor"
	"example.com/gatehouse/internal/cli/equivalent"
	"example.com/gatehouse/internal/cli/explain"
	"example.com/gatehouse/internal/cli/faults"
	"example.com/gatehouse/internal/cli/lint"
	"example.com/gatehouse/internal/cli/merge"
	"example.com/gatehouse/internal/cli/migrate"
	"example.com/gatehouse/internal/cli/outage"
	"example.com/gatehouse/internal/cli/plan"
	"example.com/gatehouse/internal/cli/replay"
	"example.com/gatehouse/internal/cli/review"
	"example.com/gatehouse/internal/cli/run"
	"example.com/gatehouse/internal/cli/serve"
	"example.com/gatehouse/internal/cli/snapshot"
	"example.com/gatehouse/internal/cli/test"
	"example.com/gatehouse/internal/cli/validate"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/offline/session"
)

// New returns the command with all its commands.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:     "gatehouse COMMAND",
		Short:   "Admit objects through admission webhooks as kube-apiserver does, without a cluster",
		Example: "  gatehouse demo   # show what gatehouse does",
		Version: versions(),
		Args:    command.NoCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}")
	// Without it cobra adds -v, which is --verbose in the commands.
	root.Flags().Bool("version", false, "print the version")
	command.AddColorFlag(root)
	root.SetUsageFunc(command.Usage)
	root.SetHelpTemplate(command.HelpTemplate)
	add(root, "Admit objects", run.New(), explain.New(), plan.New(), review.New())
	add(root, "Check webhooks", validate.New(), test.New(), conformance.New(), migrate.New(), lint.New(), outage.New(), doctor.New())
	add(root, "Record, replay and compare", snapshot.New(), corpus.New(), replay.New(), merge.New(), diff.New(),
		equivalent.New(), audit.New(), auditpolicy.New())
	add(root, "Serve and try", serve.New(), demo.New(), faults.New(), newVersion())
	root.AddCommand(topics()...)
	root.InitDefaultHelpCmd()
	root.SetCompletionCommandGroupID("Serve and try")
	root.InitDefaultCompletionCmd()
	return root
}

// add adds commands in a group of --help.
func add(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, c := range commands {
		c.GroupID = title
		c.Flags().SortFlags = false
	}
	root.AddCommand(commands...)
}

// topics returns the pages about flags that several commands have.
func topics() []*cobra.Command {
	o, f := session.NewOptions(), pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	o.AddRequestFlags(f)
	o.AddClusterFlags(f)
	o.AddCallFlags(f)
	k := pflag.NewFlagSet("", pflag.ContinueOnError)
	k.SortFlags = false
	new(cluster.Options).AddFlags(k)
	return []*cobra.Command{
		command.Topic("requests", "The flags of requests: operation, user and options",
			`For each object gatehouse makes the request that a client would send. By default the user
gatehouse creates the object, in the namespace "default" if the object names none. With these
flags the request is an update, a patch, a deletion, or the use of a subresource, or it has
another user or other options.
docs/requests.md describes them with examples.`, f, flags.Requests),
		command.Topic("server", "The flags that describe a server: RBAC and credentials",
			`The authorizer for matchConditions uses the RBAC objects among the inputs. Without RBAC
objects it denies everything. --authorizer FILE adds the objects of the file.

Webhooks get no credentials unless --kubeconfig-auth names a kubeconfig. The names of its
users are hosts and ports, such as policy.webhooks.svc:443, domains, such as
*.webhooks.svc, or "*" for all webhooks. gatehouse ignores the current context; with --exact,
all other webhooks get its user, as in a cluster. --admission-control-config-file names the
configuration file of a server's webhook plugins. The file names kubeconfigs and folders of
static manifests; --kubeconfig-auth takes precedence over these kubeconfigs.`, f, flags.Server),
		command.Topic("cluster", "The flags of kubectl: which cluster, as which user",
			`Commands that connect to a cluster find it as kubectl does: by these flags of kubectl, by
$KUBECONFIG, by ~/.kube/config, or in a pod by its service account.`, k, flags.Cluster),
	}
}
