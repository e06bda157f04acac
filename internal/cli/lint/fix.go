package lint

import (
	"bytes"

	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/fix"
	"example.com/gatehouse/internal/message"
)

// fixFiles prints the changes that fix findings, and makes them if --write is set. It says
// how many findings have no remedy.
func (o *options) fixFiles(cmd *cobra.Command, c *lint.Cluster, found *lint.Report) error {
	var findings []lint.Finding
	left := 0
	for _, group := range found.ByCause() {
		fixed := true
		for _, f := range group {
			switch {
			case f.Silenced != "" || !f.Rule.Level.AtLeast(lint.Level(o.level)):
			case fix.HasRemedy(f.Rule.ID):
				findings = append(findings, *f)
			default:
				fixed = false
			}
		}
		if !fixed {
			left++
		}
	}
	files, problems := fix.Files(c, findings)
	if problems != nil && o.write {
		return &message.InputError{Err: problems} // nothing is written
	}
	var diff bytes.Buffer
	for _, f := range files {
		diff.WriteString(f.Diff())
	}
	if err := command.Write(cmd.OutOrStdout(), diff.Bytes()); err != nil {
		return err
	}
	if problems != nil {
		return &message.InputError{Err: problems}
	}
	if left > 0 {
		message.Notice(cmd.ErrOrStderr(), "%s without an automatic fix: see gatehouse lint",
			message.Count(left, "finding"))
	}
	if o.write {
		return fix.Write(files)
	}
	return nil
}
