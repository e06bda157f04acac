package whatif

import (
	"regexp"
	"slices"
	"strings"
)

// effect says in a few words what happens, without values that differ from request to
// request.
func (i *Item) effect() string {
	switch i.Field {
	case Verdict:
		if i.is == undecided {
			return "it is no longer known whether it is allowed"
		}
		return "now " + i.is
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
		all = append(all, items[i].class())
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\x01")
}

// class is equal for the same difference of different requests.
func (i *Item) class() string {
	subject := i.Subject
	switch i.Field {
	case Object:
		subject = i.path()
	case Annotation:
		subject = "" // keys may have anything in them
	}
	return strings.Join([]string{string(i.Field), subject, i.Phase, i.again(), i.was, i.is}, "\x00")
}
