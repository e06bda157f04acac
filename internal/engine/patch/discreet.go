package patch

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
)

// errUnfit stands for errors of which it is not known what they quote: a type that reads
// itself may say anything.
var errUnfit = errors.New("the patched object has a value that does not fit its field")

// discreet takes the object's content out of an error of decoding. kube-apiserver
// shows it, all of it where the kind is missing, to the user and to the log.
//
// What is known to quote nothing is returned as it is. So is the error for a kind that
// nobody knows, which names it.
func discreet(err error) error {
	const instead = "the patched object"
	var noTime *time.ParseError
	var wrongType *json.UnmarshalTypeError
	switch {
	case runtime.IsMissingKind(err):
		return runtime.NewMissingKindErr(instead)
	case runtime.IsMissingVersion(err):
		return runtime.NewMissingVersionErr(instead)
	case runtime.IsNotRegisteredError(err), quotesNothing(err):
		return err
	case errors.As(err, &wrongType):
		return withoutValue(wrongType)
	case errors.As(err, &noTime):
		return fmt.Errorf("parsing time as %q: not in that form", noTime.Layout)
	}
	for _, said := range beginnings {
		if strings.HasPrefix(err.Error(), said.beginning) {
			return said.instead
		}
	}
	return errUnfit
}

// withoutValue is the error without the number that it may quote. What it was wrapped in
// is gone, too.
func withoutValue(err *json.UnmarshalTypeError) error {
	without := *err
	switch without.Value {
	case "array", "bool", "null", "number", "object", "string":
	default:
		without.Value = "value"
		if strings.HasPrefix(err.Value, "number ") {
			without.Value = "number"
		}
	}
	return &without
}

// quotesNothing knows errors by what they are or by all of their text, and those of the
// fields that say what kind an object is, which are two texts.
func quotesNothing(err error) bool {
	switch err {
	case resource.ErrFormatWrong, resource.ErrNumeric, resource.ErrSuffix:
		return true
	}
	switch err := err.(type) {
	case base64.CorruptInputError: // a position
		return true
	case *json.SyntaxError: // a document that has been marshaled can only be too deep
		return strings.HasSuffix(err.Error(), "exceeded max depth")
	}
	text := err.Error()
	return text == "boolean or JSON schema expected" ||
		strings.HasPrefix(text, "couldn't get version/kind; json parse error: json: cannot unmarshal ")
}

// beginnings are those of texts that end with what they quote.
var beginnings = []struct {
	beginning string
	instead   error
}{
	{"time: invalid duration ", errNoDuration},
	{"time: missing unit in duration ", errNoDuration},
	{"time: unknown unit ", errNoDuration},
	{"unexpected GroupVersion string: ", errors.New("unexpected GroupVersion string")},
}

var errNoDuration = errors.New("time: invalid duration")
