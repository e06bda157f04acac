package test

// The texts of --help.
const (
	help = `Run suites of tests: files that describe the state of a cluster, the webhooks, the
requests to make and their expected results. docs/suites.md describes them.

The arguments are files and folders, which are searched recursively for suites, or "-"
for standard input; the default is the working directory. With --init they are samples,
each of which becomes a case of a new suite that expects its current result. Webhooks are
called only on this machine and at the addresses that suites give, unless you pass
--connect-anywhere; a case that needs another webhook neither passes nor fails.

The exit status is 0 if all cases passed, 1 if a case failed, 2 if the command line or
a suite is wrong or its webhooks cannot be started, 3 if gatehouse itself failed, 4 if no
case failed, but a webhook was not reached, and 130 if it was interrupted; the results
so far are printed.`

	examples = `  # Run all suites below the working directory
  gatehouse test

  # Run the cases of one suite whose names contain sidecar
  gatehouse test -v --run 'pods/.*sidecar' suites/pods.yaml

  # Show the results in a CI system, or beside the lines on GitHub
  gatehouse test -o junit > junit.xml
  gatehouse test -o github

  # Write a first suite for webhooks that this command starts
  gatehouse test --init suites/pods.yaml -f config/ --exec 'go run ./webhook' samples/`
)
