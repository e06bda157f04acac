package lint

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/lint/inventory"
)

// Secret is a Secret of the inputs.
type Secret = inventory.Object[*corev1.Secret]

// ServingSecrets returns the Secrets that the pods of a webhook's backend mount, of those
// with a certificate: the webhook serves with one of them. There are none if the files do
// not have the pods.
func (c *Cluster) ServingSecrets(w *inventory.Webhook) []Secret {
	var mounted []string
	for _, n := range c.Needs {
		if n.Backend == w.Backend && !n.Assumed {
			mounted = n.Secrets
		}
	}
	var all []Secret
	for _, s := range inventory.Objects[*corev1.Secret](c.Inventory) {
		if s.Object.Namespace == w.Backend.Namespace && slices.Contains(mounted, s.Object.Name) &&
			len(s.Object.Data[corev1.TLSCertKey]) > 0 {
			all = append(all, s)
		}
	}
	return all
}
