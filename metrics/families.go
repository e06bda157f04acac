package metrics

import "github.com/prometheus/client_golang/prometheus"

// The help texts are visible in every scrape and must equal upstream's (S-338),
// even where they say "validate" for a label whose value is "validating".
const (
	durationHelp = "[STABLE] Admission webhook latency histogram in seconds, " +
		"identified by name and broken out for each operation and API resource and type (validate or admit)."

	requestsHelp = "[ALPHA] Admission webhook request total, " +
		"identified by name and broken out for each admission type (validating or admit) and operation. " +
		"Additional labels specify whether the request was rejected or not and an HTTP status code. " +
		"Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded."

	rejectionsHelp = "[ALPHA] Admission webhook rejection count, " +
		"identified by name and broken out for each admission type (validating or admit) and operation. " +
		"Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) " +
		"and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code " +
		"(honored by the apiserver when the code is greater or equal to 400). " +
		"Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded."

	failOpensHelp = "[ALPHA] Admission webhook fail open count, " +
		"identified by name and broken out for each admission type (validating or admit)."

	evaluationErrorsHelp = "[ALPHA] Admission match condition evaluation errors count, " +
		"identified by name of resource containing the match condition and broken out for each kind containing matchConditions " +
		"(webhook or policy), operation and admission type (validate or admit)."

	exclusionsHelp = "[ALPHA] Admission match condition evaluation exclusions count, " +
		"identified by name of resource containing the match condition and broken out for each kind containing matchConditions " +
		"(webhook or policy), operation and admission type (validate or admit)."

	evaluationSecondsHelp = "[ALPHA] Admission match condition evaluation time in seconds, " +
		"identified by name and broken out for each kind containing matchConditions (webhook or policy), " +
		"operation and type (validate or admit)."
)

// families holds the seven families. Label values must be passed in the order
// in which register lists the label names.
type families struct {
	duration   *prometheus.HistogramVec // S-330
	requests   *prometheus.CounterVec   // S-331
	rejections *prometheus.CounterVec   // S-332
	failOpens  *prometheus.CounterVec   // S-333

	evaluationErrors  *prometheus.CounterVec   // S-335
	exclusions        *prometheus.CounterVec   // S-335
	evaluationSeconds *prometheus.HistogramVec // S-335
}

// register registers the families with reg, or reuses those that reg has.
func register(reg prometheus.Registerer) (families, error) {
	r := registrar{registerer: reg, prefix: webhookPrefix}
	f := families{
		duration: r.histogram("webhook_admission_duration_seconds", durationHelp,
			[]float64{0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25},
			"name", "type", "operation", "rejected"),
		requests: r.counter("webhook_request_total", requestsHelp,
			"name", "type", "operation", "code", "rejected"),
		rejections: r.counter("webhook_rejection_count", rejectionsHelp,
			"name", "type", "operation", "error_type", "rejection_code"),
		failOpens: r.counter("webhook_fail_open_count", failOpensHelp,
			"name", "type"),

		evaluationErrors: r.counter("match_condition_evaluation_errors_total", evaluationErrorsHelp,
			"name", "kind", "type", "operation"),
		exclusions: r.counter("match_condition_exclusions_total", exclusionsHelp,
			"name", "kind", "type", "operation"),
		evaluationSeconds: r.histogram("match_condition_evaluation_seconds", evaluationSecondsHelp,
			[]float64{0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25},
			"name", "kind", "type", "operation"),
	}
	return f, r.err
}
