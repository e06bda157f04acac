package flags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/pluginconfig"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// The values of --output that more than one command has.
const (
	Table = "table"
	YAML  = "yaml"
	JSON  = "json"
)

// Recursive is the help of --recursive, which all commands with folders have.
const Recursive = "also read the folders in folders, except hidden ones"

// CheckStdin returns an error if more than one of the paths is "-": standard
// input ends when it is read.
func CheckStdin(paths []string) error {
	readers := 0
	for _, path := range paths {
		if path == "-" {
			readers++
		}
	}
	if readers > 1 {
		return errors.New(`standard input ("-") can be read only once`)
	}
	return nil
}

// mostParallel is the maximum of --parallel: gatehouse has a queue of that length.
const mostParallel = 10_000

// CheckParallel returns an error about a value of --parallel.
func CheckParallel(n int) error {
	switch {
	case n < 1:
		return fmt.Errorf("--parallel %d: want at least 1", n)
	case n > mostParallel:
		return fmt.Errorf("--parallel %d: want at most %d", n, mostParallel)
	}
	return nil
}

// OnlyWith returns an error if a flag is set that has no effect with the flag asked:
// only the heeded ones have an effect.
func OnlyWith(f *pflag.FlagSet, asked string, heeded ...string) error {
	var unheeded error
	f.Visit(func(flag *pflag.Flag) {
		if flag.Name != asked && !slices.Contains(heeded, flag.Name) {
			unheeded = cmp.Or(unheeded, fmt.Errorf("--%s: --%s has no effect", asked, flag.Name))
		}
	})
	return unheeded
}

// Anywhere adds the flag --connect-anywhere, with which a resolve.Dialer
// connects to other machines.
func Anywhere(f *pflag.FlagSet, value *bool) {
	f.BoolVar(value, "connect-anywhere", false, "connect to webhooks on other machines, too")
}

// Routes returns the routes of the values of --resolve.
func Routes(values []string) (resolve.Table, error) {
	t, err := resolve.Parse(values)
	if err != nil {
		return nil, fmt.Errorf("--resolve %w", err)
	}
	return t, nil
}

// CA returns the certificates in the file of --ca-file, or nil if file is
// empty.
func CA(file string) ([]byte, error) {
	pem, err := webhookconfig.ReadCA(file)
	var unread *os.PathError
	switch {
	case errors.As(err, &unread):
		return nil, fmt.Errorf("--ca-file: %s: cannot be read: %w", file, unread.Err)
	case err != nil:
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	return pem, nil
}

// Plugin is the configuration of a server for the webhooks of one phase. A field is
// empty if it is not configured.
type Plugin struct {
	// Kubeconfig is the file with the credentials for the webhooks.
	Kubeconfig string
	// StaticManifests is the folder with static manifests.
	StaticManifests string
}

// The names of the plugins in a server's configuration file (S-001).
const (
	mutatingPlugin   = "MutatingAdmissionWebhook"
	validatingPlugin = "ValidatingAdmissionWebhook"
)

// Admission returns the configuration of the webhook plugin of each phase in the file
// of --admission-control-config-file; nil if file is empty.
func Admission(file string) (map[admission.Phase]Plugin, error) {
	if file == "" {
		return nil, nil
	}
	configs, err := pluginconfig.Admission(file, mutatingPlugin, validatingPlugin)
	if err != nil {
		if !strings.Contains(err.Error(), file) { // apiserver's reader does not always name it
			err = fmt.Errorf("%s: %w", file, err)
		}
		return nil, fmt.Errorf("--admission-control-config-file: %w", err)
	}
	plugins := map[admission.Phase]Plugin{}
	for i, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		plugins[phase] = Plugin{Kubeconfig: configs[i].KubeConfigFile,
			StaticManifests: configs[i].StaticManifestsDir}
	}
	return plugins, nil
}
