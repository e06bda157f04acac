package quickstart

import "embed"

//go:embed webhooks.yaml objects.yaml
var files embed.FS

// Files returns webhooks.yaml and objects.yaml: the webhook configurations, and
// the namespaces and pods that meet them. No clientConfig has a caBundle;
// whoever serves the webhooks knows it.
func Files() embed.FS { return files }
