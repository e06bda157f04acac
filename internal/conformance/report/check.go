package report

import (
	"regexp"
	"strings"
)

// Check is the definition of a check.
type Check struct {
	// ID identifies the check, as in C-UID. Its meaning never changes.
	ID string `json:"id"`
	// Group is the subject of the check.
	Group Group `json:"group"`
	// Level is the severity of a failure.
	Level Level `json:"level"`
	// Title describes in a few words a webhook that passes: "echoes the uid".
	Title string `json:"title"`
	// Why describes the effect of a failure in a cluster.
	Why string `json:"why"`
	// Fix describes how to correct the webhook.
	Fix string `json:"fix"`
	// Link is the section in the documentation.
	Link string `json:"link"`
}

// Document is the page that describes the checks.
const Document = "docs/conformance.md"

// Linked returns the check with its Link.
func (c Check) Linked() Check {
	heading := strings.ToLower(c.ID + ": " + c.Title)
	heading = punctuation.ReplaceAllString(heading, "")
	c.Link = Document + "#" + strings.ReplaceAll(heading, " ", "-")
	return c
}

// punctuation is what code hosts leave out of the anchor of a heading.
var punctuation = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// Group is a group of checks.
type Group string

// The groups, in the order in which the checks run.
const (
	// Protocol: reviews and their answers.
	Protocol Group = "protocol"
	// Behaviour: changes of objects, by one webhook and by several.
	Behaviour Group = "behaviour"
	// TLS: certificates and versions.
	TLS Group = "TLS"
	// Lifecycle: the process of the webhook, from start to end.
	Lifecycle Group = "lifecycle"
)

// Level is the severity of a failure.
type Level string

const (
	// Must: requests fail, or objects are corrupted.
	Must Level = "must"
	// Should: the webhook works until something else fails too.
	Should Level = "should"
)

// Verdict is the result of a check.
type Verdict string

const (
	// Pass: something was checked, and no problem was found.
	Pass Verdict = "pass"
	// Fail: there are findings.
	Fail Verdict = "fail"
	// Skip: nothing could be checked; the message says why.
	Skip Verdict = "skip"
)
