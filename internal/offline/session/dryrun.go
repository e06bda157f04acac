package session

import (
	"fmt"

	"github.com/spf13/pflag"
)

// dryRun is the value of --dry-run, with kubectl's words.
type dryRun bool

var _ pflag.Value = (*dryRun)(nil)

// dryRunServer is the value of --dry-run without one.
const dryRunServer = "server"

// Set accepts kubectl's values, and those of a flag that is on or off.
func (d *dryRun) Set(value string) error {
	switch value {
	case dryRunServer, "true":
		*d = true
	case "none", "false":
		*d = false
	case "client":
		return fmt.Errorf("a dry run of the client sends no request: want %s or none", dryRunServer)
	default:
		return fmt.Errorf("want %s or none", dryRunServer)
	}
	return nil
}

// String returns the value.
func (d *dryRun) String() string {
	if *d {
		return dryRunServer
	}
	return "none"
}

// Type makes pflag show the default of the value in brackets.
func (d *dryRun) Type() string { return "bool" }

// addFlag adds --dry-run[=server].
func (d *dryRun) addFlag(f *pflag.FlagSet) {
	f.Var(d, "dry-run", "tell webhooks that nothing will be stored")
	f.Lookup("dry-run").NoOptDefVal = dryRunServer
}
