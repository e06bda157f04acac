package explain

// What --help says of explain.
const (
	help = `Take objects through the webhooks of a configuration, as 'gatehouse run' does, and
say of every webhook why it was or was not called, what would have had it called,
what it changed, and how long it took; of every field who wrote it; and why webhooks
were called again. Inputs and flags are those of 'gatehouse run'; webhooks are called
for real.

The tree is for people. It has colours where standard output is a terminal and
NO_COLOR is not set. -o json and -o yaml print one document with everything, which
docs/schemas/explanation.v1alpha1.json describes, and -o html a page for browsers that
needs nothing but itself.

--webhook shows one webhook, as WEBHOOK or CONFIGURATION/WEBHOOK, and the fields
that it wrote. --field shows who wrote what is at a path and below it, what was there
before, and who removed it: spec.containers[0].image, metadata.labels['app.example.com/x'],
spec.containers[*].image or /spec/containers/0/image; "." is the whole object. Objects
that have nothing there are named with the paths that may have been meant; that
changes nothing about the exit status.

The data of Secrets is never shown, and neither is what --redact names, wherever it is
quoted, unless there is --show-secrets.

The exit status is 0 if all objects were admitted, 1 if some were denied, 2 if
the command line or the input is wrong or an object in it cannot be converted, and
3 if gatehouse itself failed.`

	examples = `  # Why was my webhook not called?
  gatehouse explain -f webhooks.yaml --webhook policy.example.com pod.yaml

  # Who changed this field?
  gatehouse explain -f webhooks.yaml --field 'spec.containers[0].image' pod.yaml

  # The same for programs, with what went over the wire
  gatehouse explain -f webhooks.yaml --bodies -o json pod.yaml

  # A page to look at and to hand on
  gatehouse explain -f webhooks.yaml -o html pod.yaml > report.html`
)
