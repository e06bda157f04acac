package flags

import (
	"strings"
	"sync"

	"github.com/spf13/pflag"
)

// The titles of the groups of flags in --help.
const (
	Inputs    = "Inputs"
	Webhooks  = "Webhooks"
	Requests  = "Requests"
	Server    = "Server"
	Cluster   = "Cluster"
	Serving   = "Serving"
	Selection = "Selection"
	Execution = "Execution"
	Output    = "Output"
)

// Groups returns the titles in the order of --help.
func Groups() []string {
	return []string{Inputs, Webhooks, Requests, Server, Cluster, Serving, Selection, Execution, Output}
}

// grouped has the flags that are in the same group in every command.
var grouped = map[string]string{
	Inputs: "after before broken filename from init namespaces phase policy recursive secret " +
		"skip-forbidden skip-unknown to url",
	Webhooks: "answers backend ca-file cluster connect-anywhere dial exec exec-timeout inject " +
		"observe pre-stop resolve serve",
	Selection: "compare equivalent example fail-on field level object only run since skip webhook witness",
	Execution: "baseline calls fail-fast gap least parallel policy-orders requests search-time seed " +
		"shard timeout",
	Output: "all bodies color details duplicates explain fix help list no-descriptions output quiet rbac record " +
		"redact report show-secrets summary trace update verbose version write write-baseline " +
		"write-ca write-kubeconfig",
}

// titles returns the title of each name in grouped.
var titles = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for title, names := range grouped {
		for name := range strings.FieldsSeq(names) {
			all[name] = title
		}
	}
	return all
})

// groupKey is the annotation of a flag with the title of its group.
const groupKey = "gatehouse/group"

// Group puts the flags that are in no group yet into one, which --help prints
// below its title.
func Group(f *pflag.FlagSet, title string) {
	f.VisitAll(func(flag *pflag.Flag) {
		if GroupOf(flag) == "" {
			flag.Annotations = map[string][]string{groupKey: {title}}
		}
	})
}

// GroupOf returns the title of a flag's group; empty if there is none.
func GroupOf(flag *pflag.Flag) string {
	if title := flag.Annotations[groupKey]; len(title) > 0 {
		return title[0]
	}
	return titles()[flag.Name]
}
