package conformance

import "example.com/gatehouse/test/integration/findings"

// library is controller-runtime, and what is known about it.
func library() *findings.Library {
	return &findings.Library{Module: "sigs.k8s.io/controller-runtime", Findings: []findings.Finding{
		{
			Check: "C-CONTENT-TYPE",
			Where: "pkg/webhook/admission/http.go, writeAdmissionResponse",
			Why:   "Nothing sets the header, and net/http guesses text/plain.",
		},
		{
			Check: "C-UNLISTED-VERSION",
			Where: "pkg/webhook/admission/http.go, ServeHTTP",
			Why:   "Reviews are decoded into a type that is not registered, so that v1beta1 fits it, too; then any apiVersion and kind do.",
		},
	}}
}
