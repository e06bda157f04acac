package conformance

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/printers"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/flags"
)

// checkList rejects flags that have no effect on a list.
func (o *options) checkList(f *pflag.FlagSet) error {
	if len(o.samples) > 0 {
		return errors.New("--list takes no samples")
	}
	if err := flags.OnlyWith(f, "list", "only", "skip", "output"); err != nil {
		return err
	}
	if o.format != textForm && o.format != flags.JSON {
		return fmt.Errorf("--list: --output %q: want text or json", o.format)
	}
	return nil
}

// checkIDs rejects unknown IDs, and an empty selection.
func (o *options) checkIDs() error {
	var known []string
	left := false
	for _, c := range conformance.Checks() {
		known = append(known, c.ID)
		needsExec := c.Group == report.Lifecycle && o.exec.command == "" && !o.list
		if needsExec && slices.Contains(o.only, c.ID) {
			return fmt.Errorf("--only: %s needs --exec, because it starts the webhook", c.ID)
		}
		left = left || o.wants(c.ID) && !needsExec
	}
	for _, ids := range []struct {
		flag string
		ids  []string
	}{{"--only", o.only}, {"--skip", o.skip}} {
		for _, id := range ids.ids {
			if !slices.Contains(known, id) {
				hint := cmp.Or(message.DidYouMean(id, known), "'gatehouse conformance --list' lists them")
				return fmt.Errorf("%s: there is no check %q: %s", ids.flag, id, hint)
			}
		}
	}
	if !left {
		return errors.New("no check is left: --skip names all checks of --only")
	}
	return nil
}

// wants reports whether a check is selected.
func (o *options) wants(id string) bool {
	return (len(o.only) == 0 || slices.Contains(o.only, id)) && !slices.Contains(o.skip, id)
}

// printList prints the definitions of the selected checks.
func (o *options) printList(stdout io.Writer) error {
	checks := slices.DeleteFunc(conformance.Checks(),
		func(c report.Check) bool { return !o.wants(c.ID) })
	if o.format == flags.JSON {
		return command.WriteJSON(stdout, checks)
	}
	var text bytes.Buffer
	w := printers.GetNewTabWriter(&text)
	fmt.Fprintln(w, "ID\tGROUP\tLEVEL\tWEBHOOKS THAT PASS")
	for _, c := range checks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.ID, c.Group, c.Level, c.Title)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("printing the checks: %w", err)
	}
	return command.Write(stdout, text.Bytes())
}
