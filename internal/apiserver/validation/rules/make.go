package rules

import (
	"fmt"
	"reflect"
	"slices"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// on makes a rule of a function.
func on[T any](f func(value *T, path *field.Path) field.ErrorList) rule {
	return rule{reflect.TypeFor[T](), func(pointer any, path *field.Path) field.ErrorList {
		return f(pointer.(*T), path)
	}}
}

// enum allows the given values, and the empty one.
func enum[T ~string](values ...T) rule {
	return on(func(value *T, path *field.Path) field.ErrorList {
		if *value == "" || slices.Contains(values, *value) {
			return nil
		}
		return field.ErrorList{field.NotSupported(path, *value, values)}
	})
}

// each makes a rule that calls f with every field that is not empty, by its name
// in JSON. Pointers are followed.
func each[T any](
	f func(value reflect.Value, path *field.Path) field.ErrorList, names ...string,
) rule {
	return on(func(object *T, path *field.Path) field.ErrorList {
		var errs field.ErrorList
		for _, name := range names {
			value := fieldByJSON(reflect.ValueOf(object).Elem(), name)
			if value.Kind() == reflect.Pointer {
				value = value.Elem()
			}
			if value.IsValid() {
				errs = append(errs, f(value, child(path, name))...)
			}
		}
		return errs
	})
}

// child is path.Child; path may be nil.
func child(path *field.Path, name string) *field.Path {
	if path == nil {
		return field.NewPath(name)
	}
	return path.Child(name)
}

// require makes a rule that the fields are not empty.
func require[T any](names ...string) rule {
	return on(func(object *T, path *field.Path) field.ErrorList {
		var errs field.ErrorList
		for _, name := range names {
			value := fieldByJSON(reflect.ValueOf(object).Elem(), name)
			empty := value.IsZero()
			if value.Kind() == reflect.Slice || value.Kind() == reflect.Map {
				empty = value.Len() == 0
			}
			if empty {
				errs = append(errs, field.Required(child(path, name), ""))
			}
		}
		return errs
	})
}

// atLeast makes a rule that the integers in the fields are not below a minimum
// of 0 or 1.
func atLeast[T any](minimum int64, names ...string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		switch {
		case v.Int() >= minimum:
			return nil
		case minimum == 1:
			return field.ErrorList{field.Invalid(path, v.Int(), "must be greater than 0")}
		default:
			return apivalidation.ValidateNonnegativeField(v.Int(), path)
		}
	}, names...)
}

// atMost makes a rule that the integers in the fields are not above a maximum.
func atMost[T any](maximum int64, names ...string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		if v.Int() <= maximum {
			return nil
		}
		message := fmt.Sprintf("must be less than or equal to %d", maximum)
		return field.ErrorList{field.Invalid(path, v.Int(), message)}
	}, names...)
}

// within makes a rule that the integers in the fields are in a range.
func within[T any](low, high int, names ...string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		return inRange(v.Int(), low, high, path)
	}, names...)
}

func inRange(value int64, low, high int, path *field.Path) field.ErrorList {
	return invalid(path, value, validation.IsInRange(int(value), low, high))
}

// format makes a rule that the strings in the fields have a format.
func format[T any](check func(string) []string, names ...string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		if v.String() == "" {
			return nil
		}
		return invalid(path, v.String(), check(v.String()))
	}, names...)
}

// address makes a rule that the strings in the fields are IP addresses.
func address[T any](names ...string) rule {
	return each[T](func(v reflect.Value, path *field.Path) field.ErrorList {
		if v.String() == "" {
			return nil
		}
		return legacyIP(path, v.String())
	}, names...)
}

func legacyIP(path *field.Path, value string) field.ErrorList {
	return validation.IsValidIPForLegacyField(path, value, false, nil)
}

// invalid returns an error for each message.
func invalid(path *field.Path, value any, messages []string) field.ErrorList {
	var errs field.ErrorList
	for _, message := range messages {
		errs = append(errs, field.Invalid(path, value, message))
	}
	return errs
}

// duplicates returns an error for each item of a list whose key an earlier one
// has. The key is in the field name of the item; "" is the item itself. Empty
// keys are not compared.
func duplicates[T any](
	items []T, path *field.Path, name string, key func(*T) string,
) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i := range items {
		k := key(&items[i])
		if k != "" && seen[k] {
			at := path.Index(i)
			if name != "" {
				at = at.Child(name)
			}
			errs = append(errs, field.Duplicate(at, k))
		}
		seen[k] = true
	}
	return errs
}

func subdomain(name string) []string { return apivalidation.NameIsDNSSubdomain(name, false) }
