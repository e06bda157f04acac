package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// harmless are the texts of libraries that hold nothing but names of fields and of
// Go types, numbers of bytes and words of their own. They match as a whole, so that
// no library can add a value to one of them in a later release.
var harmless = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`cannot (?:convert|restore) [\w.*:\[\]{} ]+`,
	`unrecognized type: \w+`,
	`(?:error decoding from json: )?illegal base64 data at input byte \d+`,
	`expected a [\w.*\[\]{} ]+, but received a [\w.*\[\]{} ]+`,
	`unable to find api field in struct \w+ for the json field "(?:[^"\\]|\\.)*"`,
	`cannot merge lists without merge key for \w*`,
	`merging lists cannot yet be specified in the patch`,
	"operation must be `Apply` or `Update`",
	`apiVersion must not be empty`,
	`missing fieldsType in managed fields entry \d+`,
}, "|") + `)$`)

// reason says what an error of a library is about, without what it may quote: the
// values of the object and of the patch, which may be secrets. So it is no list of
// what is bad but of what is known to be good; other errors get a text of our own.
func reason(err error) string {
	var wrongType *json.UnmarshalTypeError
	var noTime *time.ParseError
	switch text := err.Error(); {
	case errors.As(err, &wrongType):
		return "expected " + jsonOf(wrongType.Type) + ", got " + jsonType(wrongType)
	case errors.As(err, &noTime):
		return fmt.Sprintf("expected a time of the form %s", noTime.Layout)
	case strings.HasPrefix(text, "time: "):
		return "expected a duration of the form 1h2m3s"
	case errors.Is(err, resource.ErrFormatWrong), errors.Is(err, resource.ErrNumeric), errors.Is(err, resource.ErrSuffix):
		return "expected a quantity of a form such as 100m or 2Gi"
	case harmless.MatchString(text):
		return text
	default:
		return "the value has not the form that it has to have"
	}
}

// jsonType is the type of the value that an error is about. Of a number that does not
// fit the error has the value too.
func jsonType(err *json.UnmarshalTypeError) string {
	name, _, _ := strings.Cut(err.Value, " ")
	return name
}

// jsonOf says what JSON is decoded into a Go type.
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

// undecodable is the text for a patch that is JSON of a wrong type, as a server has
// it but for numbers, which it quotes.
func undecodable(err error) string {
	var wrongType *json.UnmarshalTypeError
	if !errors.As(err, &wrongType) {
		return "it is not what JSON can hold"
	}
	without := *wrongType
	without.Value = jsonType(wrongType)
	return without.Error()
}

// panicked says what a panic was about, if it was not raised with a text of a
// library.
func panicked(recovered any) string {
	if err, ok := recovered.(runtime.Error); ok {
		return err.Error()
	}
	return "a library gave it up"
}
