package model

import (
	"fmt"

	"example.com/gatehouse/admission"
)

// ending is how a call ends.
type ending int

const (
	// answers is a webhook without a fault.
	answers ending = iota
	// fails is a call that the failurePolicy decides about.
	fails
	// denies is a webhook that denies.
	denies
	// spoils is a patch that cannot be applied: an internal error, or, for a
	// validating webhook, which must not send patches, a call that failed.
	spoils
)

// The faults of package faultserver that requests select, by cost: hardly any;
// some milliseconds of work; the whole timeout of the call.
var (
	quick = map[string]ending{
		"refuse": fails, "close": fails, "reset": fails, "reset-in-body": fails, "no-answer": fails,
		"http-400": fails, "http-401": fails, "http-404": fails, "http-429": fails, "http-500": fails,
		"http-503-retry-after": fails, "http-204": fails,
		"redirect-other": fails, "redirect-plain": fails, "redirect-loop": fails,
		"switching-protocols": fails, "many-interim": fails, "huge-headers": fails, "many-warning-headers": fails,
		"empty": fails, "not-json": fails, "truncated": fails, "bad-chunk": fails, "unfinished": fails,
		"wrong-uid": fails, "wrong-kind": fails, "no-response": fails, "echo": fails, "old-version": fails,
		"plain-http": fails, "garbage": fails, "banner": fails, "old-tls": fails, "client-certificate": fails,
		"expired-cert": fails, "future-cert": fails, "wrong-name": fails, "unknown-authority": fails,
		"missing-intermediate": fails, "goaway": fails, "enhance-your-calm": fails, "rst-stream": fails,
		"deny": denies, "deny-silently": denies, "deny-1200": denies,
		"bad-patch": spoils, "panic-patch": spoils,
	}
	heavy = map[string]ending{
		"endless-body": fails, "huge-body": fails, "gzip-bomb": fails, "deep-json": fails,
		"deny-5mib": denies, "huge-patch": spoils, "copy-bomb": spoils,
	}
	slow = map[string]ending{
		"full-queue": fails, "hang": fails, "never-read": fails, "slow-headers": fails, "drip-body": fails,
		"half-close": fails, "tls-hang": fails, "tls-stall": fails, "no-end-of-stream": fails,
	}
)

// endingOf returns how a call of a faulty webhook ends in a phase.
func endingOf(fault string, phase admission.Phase) ending {
	for _, of := range []map[string]ending{quick, heavy, slow} {
		if e, ok := of[fault]; ok {
			if e == spoils && phase == admission.Validating {
				return fails
			}
			return e
		}
	}
	panic(fmt.Sprintf("model: nothing is known about the fault %q", fault))
}

// takesItsTime reports whether a call ends only with its timeout.
func takesItsTime(fault string) bool {
	_, ok := slow[fault]
	return ok
}
