package test

// What --help says of test.
const (
	help = `Run suites of tests: files that say what a cluster is like, where the webhooks are, which
requests are made and what has to come of each. docs/suites.md describes them.

The arguments are files and folders, which are searched for suites with all folders in
them, or "-" for standard input; without arguments it is this folder. Commands that serve
webhooks are started before the first case of their suite, and stopped after the last.

The text has all that is not as expected, with the line where the expectation is written,
and an explanation of what happened to the request, as 'gatehouse explain' has it. -v has
the cases that passed as well, and what the commands print while they do.
docs/schemas/admissiontestreport.v1alpha1.json describes the JSON.

--update writes the golden files of cases that are as expected otherwise.

--init writes a first suite into a file that is not there yet. The arguments are then
samples, as 'gatehouse run' takes them: each becomes a case, and what happens to it today
is what the suite expects. Webhooks are called for it, so they have to run, or --exec has
to start them; a sample whose webhooks cannot be called is left out. Namespaces, CRDs, RBAC
objects and webhook configurations among the samples say what the cluster is like, and are
no cases.

The exit status is 0 if all cases passed, 1 if some did not, 2 if the command line or a
suite is wrong or its webhooks cannot be started, 3 if gatehouse itself failed, and 130 if
it was interrupted; what was found until then is printed.`

	examples = `  # Run all suites in this folder and the folders in it
  gatehouse test

  # Run the cases of one suite whose names have the word sidecar
  gatehouse test -v --run 'pods/.*sidecar' suites/pods.yaml

  # Write the golden files anew, and look at what is different
  gatehouse test --update && git diff

  # Have the results shown by a CI system, or beside the lines on GitHub
  gatehouse test -o junit > junit.xml
  gatehouse test -o github

  # Write a first suite for webhooks that this command starts
  gatehouse test --init suites/pods.yaml -f config/ --exec 'go run ./webhook' samples/`
)
