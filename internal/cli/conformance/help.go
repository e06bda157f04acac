package conformance

// The texts of --help.
const (
	help = `Find defects of webhooks: send them the reviews that kube-apiserver may send, and
malformed ones, and check the responses and the patched objects. docs/conformance.md says
for each check what happens in a cluster to webhooks that fail it, and how to fix them.

The arguments are samples: objects to send to the webhooks, and whole requests. Without
arguments, the command makes samples that match the rules. It calls each webhook about a
thousand times, not only in dry runs: do not use it on the webhooks of a production cluster.
It connects only to this machine and the targets of --resolve, unless you pass
--connect-anywhere.

With --exec, the command starts the webhook itself, and also checks how it starts, ends
after SIGTERM, and is replaced.

The exit status is 0 if no check of level must failed, 1 if such a check failed, 2 if the
command line or the input is wrong or a webhook could not be checked, 3 if gatehouse itself
failed, and 4 if no check failed, but a webhook was not reached.`

	examples = `  # Check the webhooks of a configuration on their developer's machine
  gatehouse conformance -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443 samples/

  # Start a webhook, and also check how it starts and ends
  gatehouse conformance -f webhooks.yaml --exec 'go run ./webhook --port $PORT' samples/

  # Check a webhook that has no configuration
  gatehouse conformance --url https://localhost:8443/validate --ca-file ca.crt pod.yaml

  # Accept the findings of now, and fail for new ones only
  gatehouse conformance -f webhooks.yaml --baseline baseline.yaml --write-baseline
  gatehouse conformance -f webhooks.yaml --baseline baseline.yaml -o junit > junit.xml`
)
