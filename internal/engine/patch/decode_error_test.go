package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/testutil/testtable"
)

// gauge is a kind of a host's own, with a field of every type that reads
// itself.
type gauge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Duration          metav1.Duration                       `json:"duration"`
	Time              metav1.Time                           `json:"time"`
	MicroTime         metav1.MicroTime                      `json:"microTime"`
	Quantity          resource.Quantity                     `json:"quantity"`
	Port              intstr.IntOrString                    `json:"port"`
	Data              []byte                                `json:"data"`
	Address           net.IP                                `json:"address"`
	Quoted            int                                   `json:"quoted,string"`
	Any               any                                   `json:"any"`
	Talkative         talkative                             `json:"talkative"`
	Schema            apiextensionsv1.JSONSchemaPropsOrBool `json:"schema"`
}

func (g *gauge) DeepCopyObject() runtime.Object { c := *g; return &c }

// talkative quotes its input in errors.
type talkative string

func (*talkative) UnmarshalJSON(given []byte) error { return fmt.Errorf("what is %s?", given) }

// wrapping is an error of a type that adds what it was given to what it found.
type wrapping struct{ error }

func (w wrapping) Error() string { return "sesame: " + w.error.Error() }

func (w wrapping) Unwrap() error { return w.error }

type redactRow struct {
	row
	field, value string
	err          string
}

// discreetRows try to put a secret where it does not fit.
func redactRows() []redactRow {
	const unfit = "the patched object has a value that does not fit its field"
	return []redactRow{
		{row{"duration", "upstream's error ends with it"}, "duration", `"sesame"`, "time: invalid duration"},
		{row{"duration without a unit", "upstream's error ends with it"}, "duration", `"5318008"`, "time: invalid duration"},
		{row{"duration of another unit", "upstream's error has it twice"}, "duration", `"5sesame"`, "time: invalid duration"},
		{row{"duration that is a number", "nothing is quoted"}, "duration", `5318008`, "json: cannot unmarshal number into Go struct field gauge.duration of type string"},
		{row{"time", "upstream's error has it"}, "time", `"sesame"`, `parsing time as "2006-01-02T15:04:05Z07:00": not in that form`},
		{row{"time with more behind it", "upstream's error has it twice"}, "time", `"2006-01-02T15:04:05Zsesame"`, `parsing time as "2006-01-02T15:04:05Z07:00": not in that form`},
		{row{"time in microseconds", "upstream's error has it"}, "microTime", `"sesame"`, `parsing time as "2006-01-02T15:04:05.000000Z07:00": not in that form`},
		{row{"quantity", "nothing is quoted"}, "quantity", `"sesame"`, resource.ErrFormatWrong.Error()},
		{row{"quantity with another suffix", "nothing is quoted"}, "quantity", `"5nnn"`, resource.ErrSuffix.Error()},
		{row{"large number for a port", "upstream's error has it"}, "port", `5318008531800853`, "json: cannot unmarshal number into Go struct field gauge.port of type int32"},
		{row{"object for a port", "nothing is quoted"}, "port", `{"sesame":1}`, "json: cannot unmarshal object into Go struct field gauge.port of type int32"},
		{row{"text that is not base64", "the error has only its position"}, "data", `"ses@me"`, "illegal base64 data at input byte 3"},
		{row{"address", "errors of types that read text quote it"}, "address", `"sesame"`, unfit},
		{row{"number in quotes", "upstream's error quotes it"}, "quoted", `"sesame"`, unfit},
		{row{"number that no float is", "G46: upstream's error has it"}, "any", `5318008e999`, "json: cannot unmarshal number into Go struct field gauge.any of type float64"},
		{row{"JSON schema", "CustomResourceDefinitions have this text, and nothing is quoted"}, "schema", `"sesame"`, "boolean or JSON schema expected"},
		{row{"type of the host's own", "it may say anything"}, "talkative", `"sesame"`, unfit},
		{row{"version", "upstream's error ends with it"}, "apiVersion", `"se/sa/me"`, "unexpected GroupVersion string"},
	}
}

func TestRedactError(t *testing.T) {
	t.Parallel()
	kind := schema.GroupVersionKind{Group: "acme.example.com", Version: "v1", Kind: "Gauge"}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(kind, &gauge{})
	interfaces := apiadmission.NewObjectInterfacesFromScheme(scheme)
	testtable.Run(t, redactRows(), func(t *testing.T, tc redactRow) {
		document := fmt.Sprintf(`{"kind":"Gauge","apiVersion":"acme.example.com/v1",%q:%s}`, tc.field, tc.value)
		_, err := Object([]byte(document), false, kind, interfaces)
		if testtable.Text(err) != tc.err {
			t.Errorf("error %q, want %q", testtable.Text(err), tc.err)
		}
	})
}

// TestRedactWrappedError has errors that are known in the middle of others.
func TestRedactWrappedError(t *testing.T) {
	t.Parallel()
	var number int8
	for _, err := range []error{
		json.Unmarshal([]byte(`"sesame"`), &number),
		json.Unmarshal([]byte(`5318008`), &number),
		resource.ErrSuffix,
		errors.New("boolean or JSON schema expected"),
	} {
		got := redactError(wrapping{err}).Error()
		if strings.Contains(got, "sesame") || strings.Contains(got, "5318008") {
			t.Errorf("%q quotes the object", got)
		}
	}
}
