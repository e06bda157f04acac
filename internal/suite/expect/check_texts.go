package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"example.com/gatehouse/admission"
)

// match requires a text that matches.
func (c *checker) match(field string, want *regexp.Regexp, got string) {
	if want.MatchString(got) {
		return
	}
	got = c.safe(got)
	c.fail(field, want.String(), got, "want one that matches %s, got %s",
		quoted(want.String()), quoted(got))
}

// warnings compares warnings one by one, if their number is as expected.
func (c *checker) warnings(field string, want []*regexp.Regexp, got []string) {
	switch {
	case want == nil:
	case len(want) != len(got):
		texts := make([]string, len(got))
		for i := range got {
			texts[i] = c.safe(got[i])
		}
		c.fail(field, strconv.Itoa(len(want)), strconv.Itoa(len(got)), "want %d, got %d%s", len(want),
			len(got), afterColon(quotedList(texts)))
	default:
		for i := range want {
			c.match(fmt.Sprintf("%s[%d]", field, i), want[i], got[i])
		}
	}
}

func (c *checker) annotations(
	field string, want []annotation, find func(key string) (string, bool),
) {
	for _, a := range want {
		key := shown(a.key)
		value, ok := find(a.key)
		switch {
		case a.value == nil && ok:
			value = c.safe(value)
			c.fail(field, "", value, "%s: want it absent, got %s", key, quoted(value))
		case a.value == nil:
		case !ok:
			c.fail(field, a.value.String(), "", "%s: want one that matches %s, but it is absent", key,
				quoted(a.value.String()))
		case !a.value.MatchString(value):
			value = c.safe(value)
			c.fail(field, a.value.String(), value, "%s: want one that matches %s, got %s", key,
				quoted(a.value.String()), quoted(value))
		}
	}
}

// audited looks up annotations of the audit event, where keys are unique.
func audited(all []admission.AuditAnnotation) func(key string) (string, bool) {
	return func(key string) (string, bool) {
		i := slices.IndexFunc(all, func(a admission.AuditAnnotation) bool { return a.Key == key })
		if i < 0 {
			return "", false
		}
		return all[i].Value, true
	}
}
