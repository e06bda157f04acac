package explain

// The texts of --help.
const (
	help = `Admit objects as 'gatehouse run' does, and explain for every webhook why it was or was
not called, what would make it match, what it changed and how long it took; for every
field who wrote it; and why webhooks were called again. Inputs and flags are those of
'gatehouse run', including real calls of the webhooks on this machine, and elsewhere with
--connect-anywhere.

The default output is a tree, with colours if standard output is a terminal and NO_COLOR
is not set. For webhooks that were not called it has a line each, and for near misses,
which one thing kept from being called, hints as well. --details adds the other hints,
rounds without calls, audit annotations and metrics; --webhook adds all hints for that
webhook. docs/schemas/explanation.v1alpha1.json describes -o json and -o yaml, which
always have everything.

A path of --field is spec.containers[0].image, metadata.labels['app.example.com/x'],
spec.containers[*].image or /spec/containers/0/image, or what other commands print:
{.spec.containers[0].image}, spec.containers[name=web].image or, as in managed fields
and conflicts, .spec.ports[port=80,protocol="TCP"]; "." is the whole object. If an object
has nothing there, a notice suggests similar paths; the exit status does not change. In
a path of --redact, an item with keys stands for all items of its list.

Explanations never contain the data of Secrets or the fields of --redact, however they
are quoted, unless you pass --show-secrets.

The exit status is 0 if all objects were admitted, 1 if one was denied, 2 if the command
line or the input is wrong, 3 if gatehouse itself failed, and 4 if no object was denied,
but a webhook was not reached.`

	examples = `  # Why was my webhook not called?
  gatehouse explain -f webhooks.yaml --webhook policy.example.com pod.yaml

  # Who changed this field?
  gatehouse explain -f webhooks.yaml --field 'spec.containers[0].image' pod.yaml

  # The same for programs, with the requests and responses
  gatehouse explain -f webhooks.yaml --bodies -o json pod.yaml

  # A page to read and share
  gatehouse explain -f webhooks.yaml -o html pod.yaml > report.html`
)
