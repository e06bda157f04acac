package registration

import (
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// createCase is a configuration that is created, and the whole text of what is
// wrong with it.
//
// The rows whose names begin with a number are those of kube-apiserver's own
// tests, by their numbers in the catalogue. It looks for a part of the text
// only, which such a row has as documented.
type createCase struct {
	row
	given      []hook
	documented string
	want       string
}

func TestCreate(t *testing.T) {
	t.Parallel()
	rows := createVersions()
	rows = append(rows, createRules()...)
	rows = append(rows, createURLs()...)
	rows = append(rows, createServices()...)
	rows = append(rows, createConditions()...)
	testtable.Run(t, rows, func(t *testing.T, tc createCase) {
		if !strings.Contains(tc.want, tc.documented) || (tc.want == "") != (tc.documented == "") {
			t.Fatalf("the row contradicts the catalogue, which has %q", tc.documented)
		}
		for _, c := range bothKinds(config(), tc.given) {
			wantText(t, c, Validate(c), tc.want)
		}
	})
	const catalogued = 55
	if len(rows) != catalogued {
		t.Errorf("%d rows, want all %d of the catalogue", len(rows), catalogued)
	}
}

// createVersions are the rows about AdmissionReview versions, names,
// sideEffects and timeouts.
func createVersions() []createCase {
	const (
		unknown   = `webhooks[0].sideEffects: Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"`
		nothing   = `webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1`
		first     = `webhooks[0].admissionReviewVersions[0]: Invalid value: `
		unspoken  = `: must include at least one of v1, v1beta1`
		seconds   = `: the timeout value must be between 1 and 30 seconds`
		atTimeout = `webhooks[0].timeoutSeconds: Invalid value: `
		short     = `webhooks[1].name: Invalid value: "k8s.io": should be a domain with at least three segments separated by dots`
		twice     = `webhooks[1].name: Duplicate value: "webhook.k8s.io"`
		other     = `webhooks[0].sideEffects: Unsupported value: "other": supported values: "None", "NoneOnDryRun"`
	)
	return []createCase{
		{row{"1 no versions", "R-037: a webhook that speaks no version cannot be called"},
			hooks(bare(effects("Unknown"), versions())), nothing, list(unknown, nothing)},
		{row{"2 version that is no label", "R-037: an unknown version must be well-formed, too"},
			hooks(bare(versions("0v"))), `Invalid value: "0v": a DNS-1035 label`,
			list(effectsRequired, first+`"0v": `+labelRule, `webhooks[0].admissionReviewVersions: Invalid value: ["0v"]`+unspoken)},
		{row{"3 v1beta1", "R-037: one of the two is enough"}, hooks(fine()), "", ""},
		{row{"4 v1beta1 and another", "R-037: versions of the future may be listed beside it"},
			hooks(fine(versions("v1beta1", "invalid-version"))), "", ""},
		{row{"5 no version that is spoken", "R-037: no server could call it; the list prints as JSON"},
			hooks(bare(versions("invalidVersion"))), `Invalid value: ["invalidVersion"]`,
			list(effectsRequired, first+`"invalidVersion": `+labelRule,
				`webhooks[0].admissionReviewVersions: Invalid value: ["invalidVersion"]`+unspoken)},
		{row{"6 version twice", "R-037: the second one could mean nothing"},
			hooks(bare(versions("v1beta1", "v1beta1"))), `Invalid value: "v1beta1": duplicate version`,
			list(effectsRequired, `webhooks[0].admissionReviewVersions[1]: Invalid value: "v1beta1": duplicate version`)},
		{row{"7 names", "R-021: names are domain names of three parts"},
			hooks(fine(), fine(named("k8s.io")), fine(named(""))),
			short + `, webhooks[2].name: Required value`, list(short, `webhooks[2].name: Required value`)},
		{row{"8 name twice", "R-038: metrics could not tell them apart"},
			hooks(bare(), bare()), twice,
			list(effectsRequired, strings.Replace(effectsRequired, "[0]", "[1]", 1), twice)},
		{row{"20 no versions again", "the catalogue has it twice"},
			hooks(bare(effects("Unknown"), versions())), nothing, list(unknown, nothing)},
		{row{"21 no sideEffects", "R-028: dry runs need to know"}, hooks(bare()), effectsRequired, effectsRequired},
		{row{"22 other sideEffects", "R-028: the list of what is known"}, hooks(bare(effects("other"))), other, other},
		{row{"41 timeout too long", "R-029: a webhook may not hold a request for longer"},
			hooks(bare(timeout(31))), atTimeout + "31" + seconds, list(effectsRequired, atTimeout+"31"+seconds)},
		{row{"42 timeout zero", "R-029: no time is no answer"},
			hooks(bare(timeout(0))), "Invalid value: 0" + seconds, list(effectsRequired, atTimeout+"0"+seconds)},
		{row{"43 timeout negative", "R-029: less than no time"},
			hooks(bare(timeout(-1))), "Invalid value: -1", list(effectsRequired, atTimeout+"-1"+seconds)},
		{row{"44 timeouts", "R-029: both bounds are allowed"},
			hooks(fine(timeout(1)), fine(named("b.k8s.io.io"), timeout(15)), fine(named("c.k8s.io.io"), timeout(30))), "", ""},
	}
}
