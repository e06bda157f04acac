package quickstart

import "embed"

//go:embed webhooks.yaml objects.yaml
var files embed.FS

// Files returns webhooks.yaml, the webhook configurations, and objects.yaml,
// the namespaces and pods. No clientConfig has a caBundle; the server of the
// webhooks must set it.
func Files() embed.FS { return files }
