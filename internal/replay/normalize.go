package replay

import (
	"regexp"
	"strings"

	"example.com/gatehouse/admission"
)

// loopback matches addresses of this machine, whose ports differ from run to run.
var loopback = regexp.MustCompile(`(127\.0\.0\.1|\[::1\]):[0-9]+`)

// normalize replaces what differs from run to run in the texts of errors: the uids
// of reviews, which webhooks may repeat, and ports of this machine.
func (r *Result) normalize(calls []admission.Call) {
	var pairs []string
	for i := range calls {
		if uid := string(calls[i].UID); uid != "" {
			pairs = append(pairs, uid, "(uid of the review)")
		}
	}
	if len(pairs) == 0 {
		return
	}
	uids := strings.NewReplacer(pairs...)
	replace := func(text *string) {
		*text = loopback.ReplaceAllString(uids.Replace(*text), "$1:0")
	}
	for i := range r.Calls {
		replace(&r.Calls[i].Error)
	}
	if r.Status == nil {
		return
	}
	replace(&r.Status.Message)
	if r.Status.Details != nil {
		for i := range r.Status.Details.Causes {
			replace(&r.Status.Details.Causes[i].Message)
		}
	}
}
