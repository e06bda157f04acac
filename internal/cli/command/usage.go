package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/offline/flags"
)

// columns is the width of --help: longer lines are wrapped.
const columns = 100

// Usage is the usage function of a root command. It prints commands and flags
// in groups, so that a page fits on a screen. A group of flags that a page of
// its own describes, a topic, is listed by name.
func Usage(cmd *cobra.Command) error {
	var text strings.Builder
	fmt.Fprintf(&text, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(&text, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		writeCommands(&text, cmd)
	}
	writeFlags(&text, cmd)
	return Write(cmd.OutOrStderr(), []byte(text.String()))
}

// writeCommands writes the commands below a command by group, and last those
// without one.
func writeCommands(text *strings.Builder, cmd *cobra.Command) {
	groups := append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "More"})
	for _, group := range groups {
		title := "\n" + group.Title + ":\n"
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
	var titles []string
	groups := map[string]*pflag.FlagSet{}
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := flags.GroupOf(f)
		if groups[title] == nil {
			titles = append(titles, title)
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			groups[title].SortFlags = false
		}
		groups[title].AddFlag(f)
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	for _, title := range titles {
		if topic := topicOf(cmd, title); topic != "" {
			fmt.Fprintf(text, "\n%s, which '%s help %s' describes:\n%s", title, cmd.Root().Name(),
				topic, names(groups[title]))
			continue
		}
		fmt.Fprintf(text, "\n%s:\n%s", cmp.Or(title, "Flags"), groups[title].FlagUsagesWrapped(columns))
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
