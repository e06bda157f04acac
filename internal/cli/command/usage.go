package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/offline/flags"
)

// columns is the width of --help: longer lines are wrapped.
const columns = 100

// HelpTemplate is the help template of a root command. The long text of a command with
// examples is in the reference, which the last line names.
const HelpTemplate = `{{if .HasExample}}{{.Short}}.{{else}}{{or .Long .Short | trimTrailingWhitespaces}}{{end}}

{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}{{if .HasExample}}{{if .HasParent}}
For details see docs/commands.md#{{.Name}}, or 'man gatehouse-{{.Name}}'.
{{else}}
'gatehouse COMMAND --help' describes a command, and docs/commands.md all commands.
{{end}}{{end}}`

// Usage is the usage function of a root command. It prints commands and flags
// in groups, so that a page fits on a screen. A group of flags that a page of
// its own describes, a topic, is listed by name.
func Usage(cmd *cobra.Command) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage: %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		writeCommands(&text, cmd)
	}
	writeFlags(&text, cmd)
	return Write(cmd.OutOrStderr(), []byte(text.String()))
}

// writeCommands writes the commands below a command by group.
func writeCommands(text *strings.Builder, cmd *cobra.Command) {
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	text.WriteByte('\n')
	for _, group := range groups {
		title := group.Title + ":\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == group.ID && c.IsAvailableCommand() {
				fmt.Fprintf(text, "%s  %-*s  %s\n", title, c.NamePadding(), c.Name(), c.Short)
				title = ""
			}
		}
	}
}

// writeFlags writes the flags of a command by group.
func writeFlags(text *strings.Builder, cmd *cobra.Command) {
	groups := map[string]*pflag.FlagSet{}
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := flags.GroupOf(f)
		if groups[title] == nil {
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(f)
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	if cmd.HasSubCommands() {
		fmt.Fprintf(text, "\nFlags:\n%s", names(groups[flags.Output]))
		return
	}
	for _, title := range flags.Groups() {
		if groups[title] == nil {
			continue
		}
		if topic := topicOf(cmd, title); topic != "" {
			fmt.Fprintf(text, "\n%s ('%s help %s' describes them):\n%s", title, cmd.Root().Name(),
				topic, names(groups[title]))
			continue
		}
		fmt.Fprintf(text, "\n%s:\n%s", title, groups[title].FlagUsagesWrapped(columns))
	}
}

// topicOf returns the name of the page that describes a group of flags; empty
// if there is none.
func topicOf(cmd *cobra.Command, title string) string {
	for _, c := range cmd.Root().Commands() {
		if c.IsAdditionalHelpTopicCommand() && c.Annotations[describes] == title {
			return c.Name()
		}
	}
	return ""
}

// describes is the annotation of a topic with the title of the flags that it
// describes.
const describes = "gatehouse/describes"

// Topic returns a page for the help command that describes a group of flags.
func Topic(name, short, text string, all *pflag.FlagSet, title string) *cobra.Command {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	group.SortFlags = false
	all.VisitAll(func(f *pflag.Flag) {
		if flags.GroupOf(f) == title {
			group.AddFlag(f)
		}
	})
	return &cobra.Command{
		Use: name, Short: short,
		Long:        text + "\n\n" + title + ":\n" + group.FlagUsagesWrapped(columns),
		Annotations: map[string]string{describes: title},
	}
}

// names lists flags without their descriptions.
func names(of *pflag.FlagSet) string {
	var text strings.Builder
	width := columns
	of.VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if width += 2 + len(name); width > columns {
			text.WriteString("\n ")
			width = len(name) + 2
		}
		text.WriteString(" " + name)
	})
	return strings.TrimPrefix(text.String(), "\n") + "\n"
}
