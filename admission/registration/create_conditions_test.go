package registration

import "fmt"

// createConditions are the rows about matchConditions.
func createConditions() []createCase {
	const (
		first      = `webhooks[0].matchConditions[0]`
		second     = `webhooks[0].matchConditions[1]`
		other      = `webhooks[1].matchConditions[0]`
		nameless   = first + `.name: Required value`
		expression = first + `.expression: Required value`
		threeNames = nameless + `, ` + second + `.name: Required value, ` + other + `.name: Required value`
		hello      = first + `.name: Invalid value: "-hello": ` + qualifiedRule
		dotted     = first + `.name: Invalid value: ".io": ` + qualifiedRule
		spaced     = other + `.name: Invalid value: "some name": ` + qualifiedRule
		cutOff     = first + `.expression: Invalid value: "object.x in [1, 2,": compilation failed: ` +
			"ERROR: <input>:1:19: Syntax error: missing ']' at '<EOF>'"
		number  = first + `.expression: Invalid value: "6": must evaluate to bool`
		same    = `webhooks[0].matchConditions[1].name: Duplicate value: "webhook.k8s.io"`
		tooMany = `webhooks[0].matchConditions: Too many: 65: must have at most 64 items`
	)
	another := named("another.webhook.k8s.io")
	return []createCase{
		{row{"45 no name", "R-036: errors of conditions name them"}, hooks(fine(when("", "true"))), nameless, nameless},
		{row{"46 no names", "R-036: in every webhook; the equal names of the webhooks come last"},
			hooks(fine(when("", "true"), when("", "true")), fine(when("", "true"))),
			threeNames, list(threeNames, `webhooks[1].name: Duplicate value: "webhook.k8s.io"`)},
		{row{"47 bad name", "R-036: a qualified name"}, hooks(fine(when("-hello", "true"))), hello, hello},
		{row{"48 bad names", "R-036: and not others beside them"},
			hooks(fine(when(".io", "true"), when("thing.test.com", "true")), fine(another, when("some name", "true"))),
			list(dotted, spaced), list(dotted, spaced)},
		{row{"49 no expression", "R-036: it could not be evaluated"}, hooks(fine(when("webhook.k8s.io", ""))), expression, expression},
		{row{"50 blank expression", "R-036: blanks are no expression either"},
			hooks(fine(when("webhook.k8s.io", " \t\n"))), expression, expression},
		{row{"51 syntax", "R-051: the trimmed expression, and the compiler's text with its two lines of context"},
			hooks(fine(when("webhook.k8s.io", "object.x in [1, 2, "))), cutOff,
			cutOff + "\n | object.x in [1, 2,\n | ..................^"},
		{row{"52 name twice", "R-036: the conditions of a webhook are told apart by their names"},
			hooks(fine(when("webhook.k8s.io", "true"), when("webhook.k8s.io", "true"))), same, same},
		{row{"53 name in two webhooks", "R-036: each webhook has names of its own"},
			hooks(fine(when("webhook.k8s.io", "true")), fine(another, when("webhook.k8s.io", "true"))), "", ""},
		{row{"54 no bool", "R-051: a condition holds or does not"},
			hooks(fine(when("webhook.k8s.io", "6"))), number, number + " but got int"},
		{row{"55 too many", "R-036: evaluating them costs"}, hooks(fine(conditions(65))), tooMany, tooMany},
	}
}

// conditions adds n conditions that are right.
func conditions(n int) edit {
	return func(w *hook) {
		for i := range n {
			when(fmt.Sprintf("webhook-%d", i), "true")(w)
		}
	}
}
