// Package corpus is the command `gatehouse corpus`: it checks corpora, and makes
// them of the logs of webhooks, of requests as `gatehouse run` takes them, and of
// suites.
//
// The log of a webhook is read line by line: a line may have an AdmissionReview
// anywhere, also quoted in a field. What is read becomes an admission.Request,
// and corpus.FromResponse makes the entries, so that all of them are redacted and
// valid.
package corpus
