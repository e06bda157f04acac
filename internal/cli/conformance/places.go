package conformance

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// places says where webhooks are configured, by phase and name.
type places map[[2]string]manifest.Position

// of returns where a webhook is configured; false if that is not known. The report tells
// webhooks of one name apart by their phases.
func (p places) of(w *report.Webhook) (manifest.Position, bool) {
	at, ok := p[[2]string{w.Phase, strings.TrimSuffix(w.Name, " ("+w.Phase+")")}]
	return at, ok
}

// locate reads files once more. Standard input is gone, and what cannot be read any more
// has no place.
func locate(paths []string) places {
	all := places{}
	for _, path := range paths {
		if path == "-" {
			continue
		}
		for d, err := range manifest.Files([]string{path}, nil) {
			if err == nil && webhookconfig.Is(d.Kind) {
				all.add(d)
			}
		}
	}
	return all
}

// add notes the webhooks of a configuration.
func (p places) add(d *manifest.Document) {
	var c struct {
		Metadata struct{ Name string }
		Webhooks []struct{ Name string }
	}
	if json.Unmarshal(d.JSON, &c) != nil {
		return // it was refused, or has changed since
	}
	phase := admission.Mutating
	if d.Kind.Kind == "ValidatingWebhookConfiguration" {
		phase = admission.Validating
	}
	for i, w := range c.Webhooks {
		p[[2]string{phase.String(), c.Metadata.Name + "/" + w.Name}] = d.At(fmt.Sprintf("webhooks[%d].name", i))
	}
}
