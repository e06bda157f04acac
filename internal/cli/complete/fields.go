package complete

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/manifest"
)

// Fields completes a flag with the paths of the fields of the objects in the
// arguments, one step at a time. A command without the flag panics.
func Fields(cmd *cobra.Command, flag string) {
	register(cmd, flag, func(
		cmd *cobra.Command, objects []string, typed string,
	) ([]string, cobra.ShellCompDirective) {
		var paths []string
		for d := range documents(cmd, objects) {
			var object any
			if json.Unmarshal(d.JSON, &object) == nil {
				paths = appendSteps(paths, explain.Path{}, object, typed)
			}
		}
		slices.Sort(paths)
		return slices.Compact(paths),
			cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// appendSteps appends the paths below a value that are one step longer than
// what is typed.
func appendSteps(paths []string, at explain.Path, value any, typed string) []string {
	for path, child := range children(at, value) {
		text := path.String()
		if len(text) > len(typed) && strings.HasPrefix(text, typed) {
			paths = append(paths, text)
		}
		if strings.HasPrefix(typed, text) {
			paths = appendSteps(paths, path, child, typed)
		}
	}
	return paths
}

// children yields the fields of an object, or the items of a list.
func children(at explain.Path, value any) iter.Seq2[explain.Path, any] {
	return func(yield func(explain.Path, any) bool) {
		switch value := value.(type) {
		case map[string]any:
			for name, child := range value {
				if !yield(at.Key(name), child) {
					return
				}
			}
		case []any:
			for i, child := range value {
				if !yield(at.Index(i), child) {
					return
				}
			}
		}
	}
}

// documents yields the documents of files that can be read, with -R also those
// in the folders in folders.
func documents(cmd *cobra.Command, files []string) iter.Seq[*manifest.Document] {
	return func(yield func(*manifest.Document) bool) {
		recursive := cmd.Flag("recursive")
		reader := manifest.Reader{Recursive: recursive != nil && recursive.Value.String() == "true"}
		for d, err := range reader.Files(files) {
			if err == nil && !yield(d) {
				return
			}
		}
	}
}
