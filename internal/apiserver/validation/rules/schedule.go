package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// schedule checks the schedule of a CronJob. The text of the errors of its parser
// differs from kube-apiserver's.
func schedule(value string, path *field.Path) field.ErrorList {
	var err error
	switch fields := strings.Fields(value); {
	case value == "":
		return nil // package validation requires it
	case strings.Contains(value, "TZ="):
		err = fmt.Errorf("cannot use TZ or CRON_TZ in schedule, use timeZone field instead")
	case strings.HasPrefix(value, "@"):
		err = descriptor(value)
	case len(fields) != len(cronFields):
		err = fmt.Errorf("expected exactly %d fields, found %d: %s", len(cronFields), len(fields), value)
	default:
		for i, f := range fields {
			if err == nil {
				err = cronFields[i].parse(f)
			}
		}
	}
	if err != nil {
		return field.ErrorList{field.Invalid(path, value, err.Error())}
	}
	return nil
}

func descriptor(value string) error {
	if every, ok := strings.CutPrefix(value, "@every "); ok {
		_, err := time.ParseDuration(every)
		return err
	}
	known := []string{"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}
	if !slices.Contains(known, value) {
		return fmt.Errorf("unrecognized descriptor: %s", value)
	}
	return nil
}

// cronField is a field of a schedule: its range, and names from low on.
type cronField struct {
	low, high int
	names     string
}

var cronFields = []cronField{
	{0, 59, ""},
	{0, 23, ""},
	{1, 31, ""},
	{1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"},
	{0, 6, "sun mon tue wed thu fri sat"},
}

// parse checks a list such as "*/5,10-20/2,30".
func (f cronField) parse(list string) error {
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		value, step, hasStep := strings.Cut(item, "/")
		if n, err := strconv.ParseUint(step, 10, 32); hasStep && (err != nil || n == 0) {
			return fmt.Errorf("step of range should be a positive number: %s", item)
		}
		if value == "*" || value == "?" {
			continue
		}
		low, high, isRange := strings.Cut(value, "-")
		start, err := f.number(low)
		if err != nil {
			return err
		}
		end := start
		if isRange {
			if end, err = f.number(high); err != nil {
				return err
			}
		}
		if start > end {
			return fmt.Errorf("beginning of range (%d) beyond end of range (%d): %s", start, end, item)
		}
	}
	return nil
}

func (f cronField) number(text string) (int, error) {
	if i := slices.Index(strings.Fields(f.names), strings.ToLower(text)); i >= 0 {
		return f.low + i, nil
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("failed to parse int from %s", text)
	}
	if int(n) < f.low || int(n) > f.high {
		return 0, fmt.Errorf("%s is not between %d and %d", text, f.low, f.high)
	}
	return int(n), nil
}
