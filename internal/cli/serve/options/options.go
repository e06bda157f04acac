package options

import (
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

const (
	help = `Run an API server until ^C, for kubectl and client-go. Register webhook configurations
and policies through its API: the server admits every object through them, and stores it
(docs/serve.md). The server is the program gatehouse-apiserver, which must be beside
gatehouse or in the PATH.

It prints the path of a kubeconfig, whose user has all permissions. The file of
--write-kubeconfig appears when the server is ready and has applied all objects of -f:
namespaces and CustomResourceDefinitions first, then services, webhook configurations and
policies, and when these are in force all other objects, which it admits through them. The
server stops if it rejects an object of -f, and at ^C.

The exit status is 0 if ^C or SIGTERM ended the server, 2 if the command line or an input is
wrong or the server does not start, 3 if gatehouse itself failed, and 130 if ^C or SIGTERM
came before the server was ready.`

	examples = `  # Serve, and use it from another terminal as the output says
  gatehouse serve

  # With webhooks that run on this machine, and a kubeconfig with a fixed path
  gatehouse serve -f config/webhook/manifests.yaml --ca-file ca.crt \
    --resolve webhook-service.system.svc:443:127.0.0.1:9443 --write-kubeconfig kubeconfig

  # Keep the data, and the port
  gatehouse serve --data-dir data --port 6443`
)

// Options are the values of the flags. The help of each flag says what it means.
type Options struct {
	DataDir    string
	Kubeconfig string
	// Files, CAFile and Resolve are as for run.
	Files     []string
	Recursive bool
	// SkipUnknown leaves out objects of kinds that the server does not serve.
	SkipUnknown bool
	CAFile      string
	Resolve     []string
	// Anywhere allows connections that leave the machine.
	Anywhere        bool
	AdmissionConfig string
	// Authorization is AuthorizeAll or AuthorizeRBAC.
	Authorization string
	// DefaultServiceAccounts creates the service account "default" in each
	// namespace.
	DefaultServiceAccounts bool
	AuditPolicy            string
	AuditLog               string
	Recording              flags.Recording
	// Trace says which requests to explain: TraceNone, TraceDenied or TraceAll.
	Trace string
	Quiet bool
	// LogLevel is the level of klog; 0 disables the log.
	LogLevel int

	host string
	port int
}

// The values of --trace.
const (
	TraceNone   = "none"
	TraceDenied = "denied"
	TraceAll    = "all"
)

// The values of --authorization.
const (
	AuthorizeAll  = "AlwaysAllow"
	AuthorizeRBAC = "RBAC"
)

// Address returns the HOST:PORT to listen on. Port 0 selects a free port.
func (o *Options) Address() string { return net.JoinHostPort(o.host, strconv.Itoa(o.port)) }

// Command returns the command, which calls run when it has checked the flags.
func Command(run func(*cobra.Command, *Options) error) *cobra.Command {
	o := Options{host: "127.0.0.1"}
	cmd := &cobra.Command{
		Use:     "serve [[-f] FILES]...",
		Short:   "Run an API server that calls webhooks",
		Long:    help,
		Example: examples,
		Args:    cobra.ArbitraryArgs,
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.checkTrace(args); err != nil {
			return &message.UsageError{Err: err}
		}
		for _, file := range args {
			// A value of -f, so that the server is given it, too.
			if err := cmd.Flags().Set("filename", file); err != nil {
				return &message.UsageError{Err: err}
			}
		}
		if err := o.check(cmd.Flags()); err != nil {
			return &message.UsageError{Err: err}
		}
		return run(cmd, &o)
	}
	return cmd
}

func (o *Options) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringArrayVarP(&o.Files, "filename", "f", nil,
		"`file` or folder with objects to apply at the start, or -; repeatable")
	f.BoolVarP(&o.Recursive, "recursive", "R", false, flags.Recursive)
	f.BoolVar(&o.SkipUnknown, "skip-unknown", false,
		"leave out objects of kinds that the server does not serve")
	f.StringVar(&o.Kubeconfig, "write-kubeconfig", "",
		"`file` for the kubeconfig (default: a temporary one)")
	f.StringVar(&o.host, "listen", o.host,
		"`address` to listen on; with an address other than loopback, other machines can connect")
	f.IntVar(&o.port, "port", 0, "port to listen on; 0 selects a free port")
	f.StringVar(&o.DataDir, "data-dir", "", "`folder` in which the data is kept (default: temporary)")
	f.StringArrayVar(&o.Resolve, "resolve", nil,
		"connect to another address, as `HOST:PORT:ADDR[:PORT]` of curl; repeatable")
	f.StringVar(&o.CAFile, "ca-file", "",
		"`file` with the CA, in PEM, of webhooks in the files of -f that have no caBundle")
	flags.Anywhere(f, &o.Anywhere)
	f.StringVar(&o.AdmissionConfig, "admission-control-config-file", "",
		"AdmissionConfiguration `file`, as for kube-apiserver")
	f.StringVar(&o.Authorization, "authorization", AuthorizeAll,
		"`mode`: AlwaysAllow or RBAC")
	f.BoolVar(&o.DefaultServiceAccounts, "default-service-accounts", false,
		"create the service account default in each namespace")
	f.StringVar(&o.AuditPolicy, "audit-policy-file", "", "audit policy `file`, as for kube-apiserver")
	f.StringVar(&o.AuditLog, "audit-log-path", "",
		"`file` for the audit log, or - for standard output")
	o.Recording.Add(f)
	f.StringVar(&o.Trace, "trace", TraceNone,
		"explain denied requests on standard error; with --trace=all also those for webhooks or policies")
	f.Lookup("trace").NoOptDefVal = TraceDenied
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "print only errors; requires --write-kubeconfig")
	f.IntVar(&o.LogLevel, "log-level", 0,
		"print the server's log, up to this level")
	flags.Group(f, flags.Serving)
}

// check validates the flags without opening files.
func (o *Options) check(f *pflag.FlagSet) error {
	if o.port < 0 || o.port > math.MaxUint16 {
		return fmt.Errorf("--port %d: want 0 to %d", o.port, math.MaxUint16)
	}
	if strings.ContainsAny(o.host, "[]") || strings.Count(o.host, ":") == 1 {
		return fmt.Errorf("--listen %q: want an address without a port, which is for --port", o.host)
	}
	if o.Authorization != AuthorizeAll && o.Authorization != AuthorizeRBAC {
		return fmt.Errorf("--authorization %q: want %s or %s", o.Authorization, AuthorizeAll,
			AuthorizeRBAC)
	}
	if o.Quiet && o.Kubeconfig == "" {
		return errors.New("--quiet needs --write-kubeconfig, by which clients find the server")
	}
	if (o.AuditPolicy == "") != (o.AuditLog == "") {
		return errors.New("--audit-policy-file and --audit-log-path need each other: " +
			"without a policy nothing is logged")
	}
	if err := o.Recording.Check(f); err != nil {
		return err
	}
	if o.CAFile != "" && len(o.Files) == 0 {
		return errors.New("--ca-file needs -f: it is for the webhooks in these files")
	}
	if err := flags.CheckStdin(o.Files); err != nil {
		return err
	}
	_, err := flags.Routes(o.Resolve)
	return err
}

// checkTrace validates --trace. Its value needs an equals sign, because it is
// optional.
func (o *Options) checkTrace(args []string) error {
	values := []string{TraceNone, TraceDenied, TraceAll}
	if !slices.Contains(values, o.Trace) {
		return fmt.Errorf("--trace %q: want none, denied or all", o.Trace)
	}
	if o.Trace != TraceNone && len(args) > 0 && slices.Contains(values, args[0]) {
		return fmt.Errorf("%q is not an option: want --trace=%[1]s", args[0])
	}
	return nil
}
