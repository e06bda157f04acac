package conformance

// The texts of --help.
const (
	help = `Find defects of webhooks: send them the reviews that kube-apiserver may send, and
malformed ones, and check the responses and the patched objects. 'gatehouse conformance
--list' lists the checks. For each check, docs/conformance.md describes what happens in a
cluster to webhooks that fail it, and how to fix them.

The webhooks are those of the configurations after -f, or the one at --url. The arguments
are samples: objects to send to the webhooks, and whole requests, as in 'gatehouse run'.
Without arguments, the command generates samples that match the rules.

The command connects only to this machine, that is to loopback addresses and localhost,
and to the targets of --resolve. It does not reach webhooks elsewhere, and looks up no
other names, unless you pass --connect-anywhere; that applies to --url and --observe, too.

The command calls each webhook about a thousand times, in dry run and otherwise. Do not run
it on the webhooks of a cluster in use.

A baseline is a file of findings that are accepted for now: with --baseline only others
fail. --write-baseline writes it.

The exit status is 0 if no check of level must failed, 1 if one did, 2 if the command
line or the input is wrong or a webhook could not be checked, 3 if gatehouse itself
failed, and 4 if no check failed, but a webhook was not reached.`

	examples = `  # Check the webhooks of a configuration on their developer's machine
  gatehouse conformance -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443

  # Check them with these objects
  gatehouse conformance -f webhooks.yaml -f crds/ samples/

  # Check a webhook that has no configuration
  gatehouse conformance --url https://localhost:8443/validate --phase validating --ca-file ca.crt pod.yaml

  # Show the whole report of one check
  gatehouse conformance -f webhooks.yaml --only C-IDEMPOTENT -v

  # Fail for new findings only
  gatehouse conformance -f webhooks.yaml --baseline baseline.yaml --write-baseline
  gatehouse conformance -f webhooks.yaml --baseline baseline.yaml

  # Show the results in a CI system, or on a code host
  gatehouse conformance -f webhooks.yaml -o junit > junit.xml
  gatehouse conformance -f webhooks.yaml -o sarif > gatehouse.sarif`
)
