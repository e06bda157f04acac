// Package newcomer follows a user of gatehouse who has this project and an empty
// folder: validate, run, explain, report, conformance, suites, Go test and serve,
// each as the command line of the documentation has it. The log has the time of
// each step.
package newcomer
