package whatif

import (
	"regexp"
	"slices"
	"strings"
)

// effectsOf says in a few words what happens, without values that differ from request
// to request.
func effectsOf(items []Item) []string {
	var all []string
	for i := range items {
		if text := items[i].effect(); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func (i *Item) effect() string {
	switch i.Field {
	case Verdict:
		if i.After == undecided {
			return "it is no longer known whether it is allowed"
		}
		return "now " + i.After
	case Code:
		return "another status" + instead(i.was, i.is)
	case Failure:
		return "it cannot be admitted, or could not before"
	case Message:
		return "another message"
	case Warnings:
		return "other warnings"
	case Object:
		return "another object: " + i.path()
	case Call:
		return i.called("called")
	case Policy:
		return i.called("evaluated")
	case Patch:
		return i.Subject + i.again() + " makes another patch"
	case Order:
		what := "webhooks are called"
		if i.call.policy {
			what = "policies are evaluated"
		}
		return "mutating " + what + " in another order"
	}
	return "another audit annotation"
}

func instead(was, is string) string {
	if was == "" || is == "" {
		return ""
	}
	return ": " + is + " instead of " + was
}

func (i *Item) called(verb string) string {
	switch {
	case i.Before == "":
		return i.Subject + i.again() + " is now " + verb + ": " + i.is
	case i.After == "":
		return i.Subject + i.again() + " is no longer " + verb
	case i.was == i.is:
		return i.Subject + i.again() + " has another error: " + i.is
	}
	return i.Subject + i.again() + ": " + i.is + " instead of " + i.was
}

func (i *Item) again() string {
	if i.Round > 0 {
		return " (again)"
	}
	return ""
}

// indexes are those of lists in paths.
var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// path returns the path of a field of the object, without indexes.
func (i *Item) path() string { return indexes.ReplaceAllString(i.Subject, "[]") }

// signature is equal for requests with the same differences for the same reasons.
func signature(items []Item) string {
	var all []string
	for i := range items {
		item := &items[i]
		subject := item.Subject
		switch item.Field {
		case Object:
			subject = item.path()
		case Annotation:
			subject = "" // keys may have anything in them
		}
		all = append(all, strings.Join([]string{
			string(item.Field), subject, item.Phase, item.again(), item.was, item.is,
		}, "\x00"))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\x01")
}
