package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// reason returns the text of a library's error without values of the object and
// of the patch, which may be secrets. It knows the texts without values; every
// other error gets a general text.
func reason(err error) string {
	var wrongType *json.UnmarshalTypeError
	var noTime *time.ParseError
	switch {
	case errors.As(err, &wrongType):
		return "expected " + jsonOf(wrongType.Type) + ", got " + jsonType(wrongType)
	case errors.As(err, &noTime):
		return "expected a time of the form " + noTime.Layout
	case errors.Is(err, resource.ErrFormatWrong),
		errors.Is(err, resource.ErrNumeric),
		errors.Is(err, resource.ErrSuffix):
		return "expected a quantity of a form such as 100m or 2Gi"
	}
	text := err.Error()
	for _, safe := range safeTexts() {
		if safe.library.MatchString(text) {
			text = safe.library.ReplaceAllString(text, safe.text)
			return strings.NewReplacer("map[string]interface {}", "object", "[]interface {}", "array",
				"%!s(<nil>)", "null").Replace(text)
		}
	}
	return "the value does not have the expected form"
}

// safeText is the text without values for an error of a library.
type safeText struct {
	// library matches the error; its groups hold names of fields and Go types,
	// byte counts and words of the library.
	library *regexp.Regexp
	text    string
}

// safeTexts are texts of mergepatch, strategicpatch, managedfields and of the
// decoders. A pattern that passes the text on matches all of it, so that a
// value that a later release adds to the text does not pass.
var safeTexts = sync.OnceValue(func() []safeText {
	var all []safeText
	for _, pattern := range []string{
		`cannot (?:convert|restore) [\w.*:\[\]{} ]+`,
		`unrecognized type: \w+`,
		`(?:error decoding from json: )?illegal base64 data at input byte \d+`,
		`expected a [\w.*\[\]{} ]+, but received a (?:[\w.*\[\]{} ]+|%!s\(<nil>\))`,
		`unable to find api field in struct \w+ for the json field "(?:[^"\\]|\\.)*"`,
		`cannot merge lists without merge key for \w*`,
		`merging lists cannot yet be specified in the patch`,
		"operation must be `Apply` or `Update`",
		`apiVersion must not be empty`,
		`missing fieldsType in managed fields entry \d+`,
	} {
		all = append(all, safeText{regexp.MustCompile(`^` + pattern + `$`), "$0"})
	}
	return append(all,
		// The name of the key comes last and is that of a Go type's field.
		safeText{regexp.MustCompile(`(?s)^map: .*(does not contain declared merge key: .*)$`),
			"an element of a list $1"},
		safeText{regexp.MustCompile(`(?s)^time: .*`), "expected a duration of the form 1h2m3s"},
		safeText{regexp.MustCompile(`(?s)^unknown patch type: .*`),
			"$$patch has to be replace, merge or delete"},
		safeText{regexp.MustCompile(`(?s)^list element types are not identical: .*`),
			"the elements of a list are not all of one type"},
		safeText{regexp.MustCompile(`(?s)^The order in patch list:.*`),
			"the elements of a list are in another order than in its $$setElementOrder"},
	)
})

// jsonType returns the JSON type of the value in an error, without the value
// itself, which errors about numbers have.
func jsonType(err *json.UnmarshalTypeError) string {
	name, _, _ := strings.Cut(err.Value, " ")
	return name
}

// jsonOf returns the JSON that is decoded into a Go type.
func jsonOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string in base64"
		}
		return "array"
	default:
		return t.Kind().String()
	}
}

// undecodable returns kube-apiserver's text for a patch of the wrong JSON type,
// without the numbers that kube-apiserver quotes.
func undecodable(err error) string {
	var wrongType *json.UnmarshalTypeError
	if !errors.As(err, &wrongType) {
		return "it is not valid JSON"
	}
	without := *wrongType
	without.Value = jsonType(wrongType)
	return without.Error()
}

// panicked returns the text of a panic of the Go runtime. Libraries panic with
// texts that may hold values.
func panicked(recovered any) string {
	if err, ok := recovered.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a library panicked with a %T", recovered)
}
