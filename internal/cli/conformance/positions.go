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

// positions maps webhooks, by phase and name, to the positions of their
// configurations.
type positions map[[2]string]manifest.Position

// of returns the position of a webhook, and false if it is unknown. In the
// report, the names of webhooks that exist in both phases have the phase as a
// suffix.
func (p positions) of(w *report.Webhook) (manifest.Position, bool) {
	at, ok := p[[2]string{w.Phase, strings.TrimSuffix(w.Name, " ("+w.Phase+")")}]
	return at, ok
}

// locate reads the files again. It skips standard input, which has been read,
// and files with errors.
func locate(paths []string, recursive bool) positions {
	all, reader := positions{}, manifest.Reader{Recursive: recursive}
	for _, path := range paths {
		if path == "-" {
			continue
		}
		for d, err := range reader.Files([]string{path}) {
			if err == nil && webhookconfig.Is(d.Kind) {
				all.add(d)
			}
		}
	}
	return all
}

// add adds the webhooks of a configuration.
func (p positions) add(d *manifest.Document) {
	var c struct {
		Metadata struct{ Name string }
		Webhooks []struct{ Name string }
	}
	if json.Unmarshal(d.JSON, &c) != nil {
		return // the file is invalid, or has changed
	}
	phase := admission.Mutating
	if d.Kind.Kind == "ValidatingWebhookConfiguration" {
		phase = admission.Validating
	}
	for i, w := range c.Webhooks {
		p[[2]string{phase.String(), c.Metadata.Name + "/" + w.Name}] = d.At(
			fmt.Sprintf("webhooks[%d].name", i))
	}
}
