package protocol

import (
	"cmp"
	"slices"

	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
)

func echoesUID(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		if x.Review.Version() != probe.V1 {
			continue
		}
		r.Checked()
		if x.Answer.UID != x.Review.UID() {
			r.Fail(x, "the answer has the uid %q, not %q", x.Answer.UID, x.Review.UID())
		}
	}
	r.Missing(
		"the webhook answered no review of v1, and kube-apiserver does not compare the uid in v1beta1")
}

func echoesVersion(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		r.Checked()
		version, kind := x.Answer.APIVersion, x.Answer.Kind
		if x.Review.Version() == probe.V1beta1 {
			// kube-apiserver fills in absent fields in v1beta1.
			version, kind = cmp.Or(version, x.Review.Version()), cmp.Or(kind, x.Review.Kind())
		}
		if version != x.Review.Version() || kind != x.Review.Kind() {
			r.Fail(x, "the answer has apiVersion %q and kind %q, not %q and %q",
				x.Answer.APIVersion, x.Answer.Kind, x.Review.Version(), x.Review.Kind())
		}
	}
	r.Missing(nothingRead)
}

func answersVersions(w *probe.Webhook, r *check.Record) {
	var seen []string
	for _, x := range w.Exchanges {
		version := x.Review.Version()
		switch {
		case x.Answer != nil:
			r.Checked()
		case x.Cause == probe.Version && !slices.Contains(seen, version):
			// One finding covers all samples.
			seen = append(seen, version)
			r.Fail(x, "it has no answer in %s, although that is listed", version)
		}
	}
	r.Missing(nothingAnswered)
}

func saysAllowed(w *probe.Webhook, r *check.Record) {
	for _, x := range readAnswers(w) {
		r.Checked()
		switch written, present := x.Answer.Response["allowed"]; {
		case present && written == nil:
			r.Fail(x, "response.allowed is null, which means no")
		case !present:
			r.Fail(x, "response.allowed is missing, which means no")
		case x.Answer.Allowed == nil:
			r.Fail(x, "response.allowed is neither true nor false")
		}
	}
	r.Missing(nothingRead)
}
