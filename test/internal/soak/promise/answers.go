package promise

import "example.com/gatehouse/test/faultserver"

// answer is a script that answers every request in this way.
func answer(a faultserver.Answer) faultserver.Script {
	return faultserver.Script{Requests: [][]faultserver.Step{{{Answer: &a}}}}
}

// review is a script that responds with a review.
func review(r faultserver.Review) faultserver.Script {
	return answer(faultserver.Answer{Body: &faultserver.Body{Review: &r}})
}

// patching is a script that allows with a patch.
func patching(patch faultserver.Text) faultserver.Script {
	return review(faultserver.Review{Allowed: true, Patch: patch})
}

// denying is a script that denies with a code and a message.
func denying(code int, message faultserver.Text) faultserver.Script {
	return review(faultserver.Review{Status: &faultserver.Status{Code: code, Message: message}})
}

// text is a text that is a repetition between two others.
func text(before, repeat, separator string, times int, after string) faultserver.Text {
	return faultserver.Text{{Repeat: before},
		{Repeat: repeat, Times: times, Separator: separator}, {Repeat: after}}
}
