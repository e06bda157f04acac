package draft

import (
	"regexp"
	"slices"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/suitefile"
)

// dollars are those that may mean something in a command, and one that never does.
var dollars = regexp.MustCompile(`\$+\(?`)

// Shell returns the command of an exec by which a shell runs a text. What looks like one of
// the references that are replaced in commands is the shell's.
func Shell(text string) []string {
	return []string{"sh", "-c", dollars.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$" {
			return found
		}
		return strings.ReplaceAll(found, "$", "$$")
	})}
}

// Entries says where webhooks are: at the end of their route; and those that have none where
// their configuration says, which need be written down only because of a caFile. Started by
// exec, if it is not nil, are all to which no route leads.
//
// An entry without a name is for all webhooks that no other one names: it is enough if all
// of them are in one place.
func Entries(webhooks []*admission.Webhook, table resolve.Table, caFile string, exec *suitefile.Exec) []suitefile.Webhook {
	var entries, places []suitefile.Webhook
	names := newNames(webhooks)
	for _, w := range webhooks {
		address, _, err := webhookconfig.Address(w)
		to, routed := table.To(address)
		if err != nil || !routed && (caFile == "" || exec != nil) {
			continue
		}
		e := suitefile.Webhook{Address: to, CAFile: caFile}
		if !slices.Contains(places, e) {
			places = append(places, e)
		}
		e.Name = names.of(w)
		if !slices.Contains(entries, e) {
			entries = append(entries, e)
		}
	}
	switch {
	case exec != nil && len(entries) < len(names.all):
		return append(entries, suitefile.Webhook{Exec: exec})
	case len(places) == 1 && len(entries) == len(names.all):
		return places
	}
	return entries
}
