package flags

import "github.com/spf13/pflag"

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
	return ""
}
