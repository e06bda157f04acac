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

// dollars matches references as in commands, and single dollar signs.
var dollars = regexp.MustCompile(`\$+\(?`)

// Shell returns an exec command that runs a shell command. It escapes what
// looks like a $(NAME) reference.
func Shell(text string) []string {
	return []string{"sh", "-c", dollars.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$" {
			return found
		}
		return strings.ReplaceAll(found, "$", "$$")
	})}
}

// Entries returns the endpoints of webhooks: the target of a route; without a
// route an entry with the caFile, if there is one; and exec, if it is not nil,
// for all webhooks without a route.
//
// An entry without a name is for all webhooks that no other entry names. It
// suffices if all webhooks share one endpoint.
func Entries(
	webhooks []*admission.Webhook, table resolve.Table, caFile string, exec *suitefile.Exec,
) []suitefile.Webhook {
	var entries, endpoints []suitefile.Webhook
	names := newNames(webhooks)
	for _, w := range webhooks {
		address, _, err := webhookconfig.Address(w)
		to, routed := table.To(address)
		if err != nil || !routed && (caFile == "" || exec != nil) {
			continue
		}
		e := suitefile.Webhook{Address: to, CAFile: caFile}
		if !slices.Contains(endpoints, e) {
			endpoints = append(endpoints, e)
		}
		e.Name = names.of(w)
		if !slices.Contains(entries, e) {
			entries = append(entries, e)
		}
	}
	switch {
	case exec != nil && len(entries) < len(names.all):
		return append(entries, suitefile.Webhook{Exec: exec})
	case len(endpoints) == 1 && len(entries) == len(names.all):
		return endpoints
	}
	return entries
}
