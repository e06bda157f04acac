package registration

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// ratchetCase is an update under one rule that came late: which old webhooks
// excuse which new ones.
type ratchetCase struct {
	row
	old, given []hook
	want       string
}

func TestRatchets(t *testing.T) {
	t.Parallel()
	rows := append(ratchetsOfFields(), ratchetsOfConditions()...)
	testtable.Run(t, rows, func(t *testing.T, tc ratchetCase) {
		olds := bothKinds(config(), tc.old)
		for i, c := range bothKinds(config(), tc.given) {
			wantText(t, c, ValidateUpdate(c, olds[i]), tc.want)
		}
	})
}

func ratchetsOfFields() []ratchetCase {
	const (
		late     = `webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds`
		versionB = `webhooks[1].admissionReviewVersions`
		badValue = `webhooks[0].objectSelector.matchExpressions[0].values[0]: Invalid value: "b b": ` + labelValueRule
		noKey    = `webhooks[0].objectSelector.matchExpressions[0].key: Invalid value: "": `
		nothing  = `webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun, Some, Unknown`
		strange  = `webhooks[0].sideEffects: Unsupported value: "x": supported values: "None", "NoneOnDryRun", "Some", "Unknown"`
	)
	b := named("b.webhook.k8s.io")
	value, values := objects(requirement("a", "In", "b b")), objects(requirement("a", "In", "c c"))
	return []ratchetCase{
		{row{"what never had a ratchet", "R-040: as wrong as before is still wrong"}, hooks(fine(timeout(31))), hooks(fine(timeout(31))), late},
		{row{"one old unknown version for all", "R-043: the added webhook is excused as well"},
			hooks(fine(versions("v9"))), hooks(fine(versions("v9")), fine(b, versions("v8"))), ""},
		{row{"old versions known in one webhook only", "R-043: every old webhook is looked at, not only the first"},
			hooks(fine(), fine(b, versions("v9"))), hooks(fine(versions("v8"))), ""},
		{row{"what the versions ratchet keeps", "R-043: a list, without repetition, of labels"},
			hooks(fine(versions("v9")), fine(b, versions("v9"))), hooks(fine(versions("v9")), fine(b, versions("V9", "V9"))),
			list(versionB+`[0]: Invalid value: "V9": `+labelRule, versionB+`[1]: Invalid value: "V9": duplicate version`)},
		{row{"some for all", "R-044: one old webhook with side effects excuses the new ones"},
			hooks(fine(), bare(b, effects("Some"))), hooks(bare(effects("Unknown")), bare(b, effects("Some"))), ""},
		{row{"absent sideEffects before", "R-044: absent is not without side effects, and the message lists all four"},
			hooks(bare()), hooks(bare()), nothing},
		{row{"a class that is not known", "R-044: it opens the ratchet, but does not pass through it"},
			hooks(bare(effects("x"))), hooks(bare(effects("x"))), strange},
		{row{"no side effects on dry run before", "R-044: the ratchet is closed, also for what was None"},
			hooks(bare(effects("NoneOnDryRun"))), hooks(bare(effects("Some"))),
			`webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`},
		{row{"two without a name before", "R-045: empty names count as equal in the old configuration"},
			hooks(fine(named("")), fine(named(""))), hooks(fine(), fine()), ""},
		{row{"label value as before", "R-046: it selected nothing before either"}, hooks(fine(value)), hooks(fine(value)), ""},
		{row{"another label value", "R-046: not only the old one is excused"}, hooks(fine(value)), hooks(fine(values)), ""},
		{row{"new label value", "R-046: the old selector was right"}, hooks(fine()), hooks(fine(value)), badValue},
		{row{"wrong operator before", "R-046: any old mistake in a selector allows label values"},
			hooks(fine(objects(requirement("a", "Near")))), hooks(fine(value)), ""},
		{row{"wrong namespaceSelector before", "R-046: either selector opens it for both"},
			hooks(fine(func(w *hook) { w.NamespaceSelector = new(requirement("a", "In")) })), hooks(fine(value)), ""},
		{row{"what the selector ratchet keeps", "R-046: keys are checked in any case"},
			hooks(fine(value)), hooks(fine(objects(requirement("", "In", "b b")))),
			list(noKey+`name part must be non-empty`, noKey+qualifiedRule)},
	}
}

func ratchetsOfConditions() []ratchetCase {
	const (
		first    = `webhooks[0].matchConditions[0]`
		six      = `.expression: Invalid value: "6": must evaluate to bool but got int`
		newer    = `[1].includes(1)`
		includes = `.expression: Invalid value: "[1].includes(1)": compilation failed: ERROR: <input>:1:13: ` +
			"undeclared reference to 'includes' (in container '')\n | [1].includes(1)\n | ............^"
	)
	b := named("b.webhook.k8s.io")
	broken := when("", "6")
	empty := func(w *hook) { w.MatchConditions = []registrationv1.MatchCondition{} }
	return []ratchetCase{
		{row{"conditions as before", "R-041: not even their names are looked at"}, hooks(fine(broken)), hooks(fine(broken, timeout(3))), ""},
		{row{"conditions as before but one webhook more", "R-041: then all of them are looked at again"},
			hooks(fine(broken)), hooks(fine(broken), fine(b)), list(first+six, first+`.name: Required value`)},
		{row{"conditions as before in another order", "R-041: webhooks are compared by their places"},
			hooks(fine(), fine(b, broken)), hooks(fine(b, broken), fine()), list(first+six, first+`.name: Required value`)},
		{row{"an empty list for none", "R-041: they are not equal, so the other webhook is looked at"},
			hooks(fine(broken), fine(b)), hooks(fine(broken), fine(b, empty)), list(first+six, first+`.name: Required value`)},
		{row{"function of this version", "R-050: the server of the version before does not know it"},
			hooks(fine()), hooks(fine(when("c", newer))), first + includes},
		{row{"function of this version, stored", "R-042: under another name, in another webhook, it is the same expression"},
			hooks(fine(), fine(b, when("d", newer))), hooks(fine(when("c", newer)), fine(b)), ""},
		{row{"stored expression with blanks around it now", "R-042: the new one is trimmed"},
			hooks(fine(when("c", newer))), hooks(fine(when("c", " "+newer+"\n"))), ""},
		{row{"stored expression had blanks around it", "R-042: the old one is not trimmed"},
			hooks(fine(when("c", newer+" "))), hooks(fine(when("c", newer))), first + includes},
		{row{"stored expression that is wrong", "R-042: being stored makes no bool of it"},
			hooks(fine(when("c", "6"))), hooks(fine(when("d", "6"))), first + six},
	}
}
