package explain

// The texts of --help.
const (
	help = `Admit objects as 'gatehouse run' does, and explain for every webhook why it was or was
not called, what would make it match, what it changed and how long it took; for every
field who wrote it; and why webhooks were called again. docs/requests.md describes the
inputs, the requests, and the tree.

The tree has a line for each webhook that was not called, and hints for near misses.
--details and --webhook show more, and -o json and yaml always have everything.
Explanations never contain the data of Secrets or the fields of --redact, not even where
messages quote them, unless you pass --show-secrets.

The exit status is 0 if all objects were admitted, 1 if an object was denied, 2 if the
command line or the input is wrong, 3 if gatehouse itself failed, and 4 if no object was
denied, but a webhook was not reached.`

	examples = `  # Why was my webhook not called?
  gatehouse explain -f webhooks.yaml --webhook policy.example.com pod.yaml

  # Who changed this field?
  gatehouse explain -f webhooks.yaml --field 'spec.containers[name=web].image' pod.yaml

  # The same for programs, and as a page to read and share
  gatehouse explain -f webhooks.yaml --bodies -o json pod.yaml
  gatehouse explain -f webhooks.yaml -o html pod.yaml > report.html`
)
