//go:build failpoints

package failpoints

import (
	"time"

	"example.com/gatehouse/internal/engine/failpoint"
)

// site is a point and what is promised there.
type site struct {
	row
	point  failpoint.Point
	panics damage
	timed  timing
	at     stage
}

// damage is the effect of a panic.
type damage uint8

const (
	// endsRequest: an internal error, whatever the policy.
	endsRequest damage = 1 + iota
	// failsCall: the failurePolicy decides.
	failsCall
	// spoilsPatch: an internal error of the call, whatever the policy.
	spoilsPatch
	// changesNothing: except that an annotation may be missing.
	changesNothing
	// endsProcess: it cannot be contained, and is not tried.
	endsProcess
)

// timing is the effect of a timeout at a failpoint, of the webhook or of the
// request.
type timing uint8

const (
	// goesUnnoticed: the step needs no time from the request; a later step
	// reports the end of the context.
	goesUnnoticed timing = 1 + iota
	// fails: the call fails as soon as the failpoint returns.
	fails
	// isCutIfLong: a long answer is given up at once, a short one made use of.
	isCutIfLong
)

// stage is the progress of a request.
type stage uint8

const (
	beforehand stage = 1 + iota // before any webhook is called
	asked                       // the webhook has not answered
	answering                   // the head of the answer is there
	answered                    // all of it is
	told                        // the call is over
	afterwards                  // all calls are
)

// Each webhook delays its response, the second for longer, and then needs
// trickling for the rest of its body.
const trickling = 500 * time.Millisecond

var thinking = [webhooks]time.Duration{time.Second, 2 * time.Second}

// since is when a call comes to a stage if nothing happens.
func (s stage) since(webhook int) time.Duration {
	switch s {
	case answering:
		return thinking[webhook]
	case answered:
		return thinking[webhook] + trickling
	default:
		return 0
	}
}

// ofCalls reports whether the stage is one of a call.
func (s stage) ofCalls() bool { return s == asked || s == answering || s == answered }

// ofWebhooks reports whether the point is reached for every webhook.
func (s *site) ofWebhooks() bool {
	return s.point >= failpoint.BeforeMatch && s.point <= failpoint.AfterRecord
}

// mutatingOnly reports whether a request that is validated never gets there.
func (s *site) mutatingOnly() bool { return s.panics == spoilsPatch || s.at == afterwards }

// sites is the table of promises, in the order of the points.
func sites() []site {
	const (
		request    = "failurePolicy applies to calls only: here no webhook is called, and the request is not admitted"
		unanswered = "a call that cannot be made fails, and what its time is spent with makes no difference"
		late       = "an answer that is in is made use of, unless that may take long"
		spoilt     = "what cannot be patched is not admitted, whatever the policy (S-250)"
		noted      = "who keeps the audit event is no part of the decision"
		network    = "the panic is on net/http's write goroutine, where no caller can recover it, and net/http waits for it"
	)
	return []site{
		{row{"BeforeSnapshot", request}, failpoint.BeforeSnapshot, endsRequest, goesUnnoticed, beforehand},
		{row{"AfterSnapshot", request}, failpoint.AfterSnapshot, endsRequest, goesUnnoticed, beforehand},
		{row{"BeforeMatch", request}, failpoint.BeforeMatch, endsRequest, goesUnnoticed, beforehand},
		{row{"AfterMatch", request}, failpoint.AfterMatch, endsRequest, goesUnnoticed, beforehand},
		{row{"BeforeConversion", request}, failpoint.BeforeConversion, endsRequest, goesUnnoticed, beforehand},
		{row{"AfterConversion", request}, failpoint.AfterConversion, endsRequest, goesUnnoticed, beforehand},
		{row{"BeforeEndpoint", unanswered}, failpoint.BeforeEndpoint, failsCall, fails, asked},
		{row{"AfterEndpoint", unanswered}, failpoint.AfterEndpoint, failsCall, fails, asked},
		{row{"BeforeEncode", unanswered}, failpoint.BeforeEncode, failsCall, fails, asked},
		{row{"AfterEncode", unanswered}, failpoint.AfterEncode, failsCall, fails, asked},
		{row{"BeforeConnect", unanswered}, failpoint.BeforeConnect, failsCall, fails, asked},
		{row{"Connected", unanswered}, failpoint.Connected, failsCall, fails, asked},
		{row{"RequestWritten", network}, failpoint.RequestWritten, endsProcess, fails, asked},
		{row{"Headers", unanswered}, failpoint.Headers, failsCall, fails, answering},
		{row{"MidBody", unanswered}, failpoint.MidBody, failsCall, fails, answering},
		{row{"BeforeDecode", late}, failpoint.BeforeDecode, failsCall, isCutIfLong, answered},
		{row{"AfterDecode", late}, failpoint.AfterDecode, failsCall, isCutIfLong, answered},
		{row{"BeforePatch", spoilt}, failpoint.BeforePatch, spoilsPatch, isCutIfLong, answered},
		{row{"AfterPatch", spoilt}, failpoint.AfterPatch, spoilsPatch, isCutIfLong, answered},
		{row{"BeforeRecord", request}, failpoint.BeforeRecord, endsRequest, goesUnnoticed, told},
		{row{"BeforeAnnotation", noted}, failpoint.BeforeAnnotation, changesNothing, goesUnnoticed, told},
		{row{"AfterAnnotation", noted}, failpoint.AfterAnnotation, changesNothing, goesUnnoticed, told},
		{row{"AfterRecord", request}, failpoint.AfterRecord, endsRequest, goesUnnoticed, told},
		{row{"BeforeWriteBack", request}, failpoint.BeforeWriteBack, endsRequest, goesUnnoticed, afterwards},
		{row{"AfterWriteBack", request}, failpoint.AfterWriteBack, endsRequest, goesUnnoticed, afterwards},
	}
}
