package test

// The texts of --help.
const (
	help = `Run suites of tests: files that describe the state of a cluster, the webhooks, the
requests to make and their expected results. docs/suites.md describes them.

The arguments are files and folders, which are searched recursively for suites, or "-"
for standard input; the default is the working directory. The text shows every failure
with the line of the expectation, and a short explanation of the request; --explain full
is as 'gatehouse explain', with all hints. If several cases fail, they are listed at the
end.
docs/schemas/admissiontestreport.v1alpha1.json describes the JSON.

The command connects only to this machine, that is to loopback addresses and localhost,
and to the addresses that suites give. It does not reach webhooks elsewhere, and looks up
no other names, unless you pass --connect-anywhere. A case that calls a webhook that was
not reached neither passes nor fails.

--init writes a first suite into a new file. The arguments are samples, as in
'gatehouse run': each becomes a case that expects its current result. The command calls
the webhooks, so they must run, or --exec must start them; a sample whose webhooks cannot
be called is left out.

The exit status is 0 if all cases passed, 1 if one did not, 2 if the command line or a
suite is wrong or its webhooks cannot be started, 3 if gatehouse itself failed, 4 if no
case failed, but one did not reach a webhook, and 130 if it was interrupted; the results
so far are printed.`

	examples = `  # Run all suites below the working directory
  gatehouse test

  # Run the cases of one suite whose names contain sidecar
  gatehouse test -v --run 'pods/.*sidecar' suites/pods.yaml

  # Write the golden files again, and show the differences
  gatehouse test --update && git diff

  # Show the results in a CI system, or beside the lines on GitHub
  gatehouse test -o junit > junit.xml
  gatehouse test -o github

  # Write a first suite for webhooks that this command starts
  gatehouse test --init suites/pods.yaml -f config/ --exec 'go run ./webhook' samples/`
)
