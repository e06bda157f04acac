package whatif

import (
	"regexp"
	"slices"
	"strings"
)

// kind is the kind of an effect.
func (i *Item) kind() string {
	switch i.Field {
	case Verdict:
		if i.is == undecided {
			return "the verdict is now unknown"
		}
		return "now " + i.is
	case Code:
		return "another status"
	case Failure:
		return "only one set can simulate it"
	case Warnings:
		return "other warnings"
	case Call:
		return i.change("called")
	case Policy:
		return i.change("evaluated")
	case Annotation:
		return "another audit annotation"
	}
	return "another " + string(i.Field)
}

// effect describes a difference in a few words, without values that differ from request
// to request.
func (i *Item) effect() string {
	switch i.Field {
	case Code:
		return i.kind() + instead(i.was, i.is)
	case Object:
		return i.kind() + ": " + i.path()
	case Call, Policy:
		return i.called()
	case Patch:
		return i.Subject + i.again() + " makes another patch"
	case Order:
		what := "webhooks are called"
		if i.call.policy {
			what = "policies are evaluated"
		}
		return "mutating " + what + " in another order"
	}
	return i.kind()
}

func instead(was, is string) string {
	if was == "" || is == "" {
		return ""
	}
	return ": " + is + " instead of " + was
}

// change describes the difference of a call or an evaluation.
func (i *Item) change(verb string) string {
	switch {
	case i.Before == "":
		return "now " + verb
	case i.After == "":
		return "no longer " + verb
	case i.was == i.is:
		return "another error"
	}
	return "another outcome"
}

func (i *Item) called() string {
	subject := i.Subject + i.again()
	switch change := i.kind(); {
	case i.Before == "":
		return subject + " is " + change + ": " + i.is
	case i.After == "":
		return subject + " is " + change
	case i.was == i.is:
		return subject + " has " + change + ": " + i.is
	}
	return subject + ": " + i.is + " instead of " + i.was
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
