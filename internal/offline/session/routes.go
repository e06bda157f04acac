package session

import (
	"fmt"
	"io"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/offline/webhookconfig"
)

// addressesOf returns the addresses of webhooks and of the conversion webhooks
// of definitions, each once.
func addressesOf(
	webhooks []*admission.Webhook, definitions []*apiextensionsv1.CustomResourceDefinition,
) []string {
	var all []string
	for _, w := range webhooks {
		if address, _, err := webhookconfig.Address(w); err == nil {
			all = append(all, address)
		}
	}
	for _, crd := range definitions {
		if address, ok := webhookconfig.ConversionAddress(crd); ok {
			all = append(all, address)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// printUnusedRoutes names the routes of --resolve that lead from no webhook.
func printUnusedRoutes(stderr io.Writer, d *resolve.Dialer, addresses []string) {
	for _, from := range d.Unused(addresses) {
		message.Notice(stderr, "--resolve %s: no webhook has this address: %s", from,
			nearestAddress(from, addresses))
	}
}

// nearestAddress suggests similar addresses, or else names the first ones.
func nearestAddress(from string, addresses []string) string {
	const enough = 5
	switch more := len(addresses) - enough; {
	case message.DidYouMean(from, addresses) != "":
		return message.DidYouMean(from, addresses)
	case len(addresses) == 0:
		return "there is none"
	case more > 0:
		return fmt.Sprintf("there are %s and %d more", strings.Join(addresses[:enough], ", "), more)
	}
	return "there are " + strings.Join(addresses, ", ")
}
