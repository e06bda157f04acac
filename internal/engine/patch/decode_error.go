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

// errMismatch replaces errors that may quote the object: the UnmarshalJSON
// method of a type may return any text.
var errMismatch = errors.New("the patched object has a value that does not fit its field")

// redactError removes the object's content from an error of decoding.
// kube-apiserver shows that content to the user and in its log, the whole
// object if the kind is missing.
//
// redactError returns an error unchanged if it quotes nothing, or if it is
// about a kind that is not registered, which it names.
func redactError(err error) error {
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
	for _, quoting := range quotingErrors {
		if strings.HasPrefix(err.Error(), quoting.prefix) {
			return quoting.instead
		}
	}
	return errMismatch
}

// withoutValue returns the error without the number that it may quote, and
// without the errors that wrapped it.
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

// quotesNothing recognizes errors that quote nothing by their value, type or
// whole text, and the errors about the fields kind and apiVersion, which are
// strings.
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
	const noKind = "couldn't get version/kind; json parse error: json: cannot unmarshal "
	text := err.Error()
	return text == "boolean or JSON schema expected" || strings.HasPrefix(text, noKind)
}

// quotingErrors are errors whose text ends with the value that it quotes.
var quotingErrors = []struct {
	prefix  string
	instead error
}{
	{"time: invalid duration ", errNoDuration},
	{"time: missing unit in duration ", errNoDuration},
	{"time: unknown unit ", errNoDuration},
	{"unexpected GroupVersion string: ", errors.New("unexpected GroupVersion string")},
}

var errNoDuration = errors.New("time: invalid duration")
