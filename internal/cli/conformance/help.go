package conformance

// What --help says of conformance.
const (
	help = `Find out what is wrong with webhooks: have them answer what kube-apiserver may ask, and
what nobody should, and check what they say and what they make of objects. 'gatehouse
conformance --list' lists the checks, and docs/conformance.md says more of each: what
happens in a cluster to webhooks that fail it, and how to mend them.

The webhooks are those of the configurations after -f, or the one at --url. The arguments
are samples: objects that the webhooks are tried with, and whole requests, as
'gatehouse run' takes them. Each object is created, updated and deleted. If there are no
samples, some are made for the rules of the configurations.

Webhooks are called for real, some hundred times, in dry run and otherwise. Do not do
this to those of a cluster that is needed.

Checks are of level must or should. If a must fails, requests fail or objects are spoilt
in a cluster; if a should fails, it works until something else happens too, and the text
has a warning. Checks that had nothing to look at are skipped.

With --observe the side effects of webhooks can be seen: what is at that URL must stay
the same while they are asked in dry run.

The exit status is 0 if no must failed, 1 if some did, 2 if the command line or the input
is wrong or a webhook could not be looked at, because it cannot be reached or because no
sample visits it, and 3 if gatehouse itself failed. The report is printed in all cases
but the last, unless the input is wrong.`

	examples = `  # Check the webhooks of a configuration, where their developer runs them
  gatehouse conformance -f webhooks.yaml --ca-file ca.crt \
    --resolve policy.webhooks.svc:443:127.0.0.1:8443

  # Try them with these objects
  gatehouse conformance -f webhooks.yaml -f crds/ samples/

  # Check a webhook that has no configuration
  gatehouse conformance --url https://localhost:8443/validate --phase validating --ca-file ca.crt pod.yaml

  # See everything about one check
  gatehouse conformance -f webhooks.yaml --only C-IDEMPOTENT -v

  # Have the results shown by a CI system, or by a code host
  gatehouse conformance -f webhooks.yaml -o junit > junit.xml
  gatehouse conformance -f webhooks.yaml -o sarif > gatehouse.sarif`
)
