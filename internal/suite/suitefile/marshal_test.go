package suitefile_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// written is a typical first suite.
const written = `apiVersion: gatehouse/v1alpha1
kind: AdmissionTest
name: shop
configurations:
- webhooks.yaml
- apiVersion: v1
  kind: Namespace
  metadata:
    name: lab
    annotations: {}
    labels:
      tea: green
  spec: {}
  status: {}
recursive: true
namespaces:
- name: shop
  labels:
    'on': 'yes'
webhooks:
- exec:
    command:
    - go
    - run
    - .
    env:
    - name: EMPTY
    - name: NUMBER
      value: '007'
serial: true
defaults:
  userInfo:
    username: ann
cases:
- name: |-
    is admitted
    at once
  request: pod.yaml
  expect:
    warnings: []
    patch:
    - op: add
      path: /spec/priority
      value: 1.50
- name: is denied
  request:
    namespace: shop
    operation: DELETE
    oldObject:
      apiVersion: v1
      kind: Pod
      spec:
        containers:
        - name: a
          image: <b&c>
          tty: null
  expect:
    message: '^no: #\d'
    called: []
`

func start() *suitefile.AdmissionTest {
	return &suitefile.AdmissionTest{
		Name: "shop",
		Configurations: []json.RawMessage{
			json.RawMessage(`"webhooks.yaml"`),
			json.RawMessage(`{"status":{},"spec":{},"kind":"Namespace","metadata":{"annotations":{},"labels":{"tea":"green"},"name":"lab"},"apiVersion":"v1"}`),
		},
		Namespaces: []suitefile.Namespace{{Name: "shop", Labels: map[string]string{"on": "yes"}}},
		Webhooks: []suitefile.Webhook{{Exec: &suitefile.Exec{
			Command: []string{"go", "run", "."}, Env: []suitefile.EnvVar{{Name: "EMPTY"}, {Name: "NUMBER", Value: "007"}},
		}}},
		Recursive: true,
		Serial:    true,
		Defaults:  suitefile.Defaults{UserInfo: &authenticationv1.UserInfo{Username: "ann"}},
		Cases: []suitefile.AdmissionTestCase{
			{
				Name: "is admitted\nat once", Request: json.RawMessage(`"pod.yaml"`),
				Expect: suitefile.Expect{Warnings: []string{}, Patch: []json.RawMessage{json.RawMessage(`{"op":"add","path":"/spec/priority","value":1.50}`)}},
			},
			{
				Name: "is denied",
				Request: json.RawMessage(`{"operation":"DELETE","namespace":"shop","oldObject":{"apiVersion":"v1","kind":"Pod",` +
					`"spec":{"containers":[{"image":"<b&c>","name":"a","tty":null}]}}}`),
				Expect: suitefile.Expect{Message: new(`^no: #\d`), Called: []string{}},
			},
		},
	}
}

// TestMarshal compares the whole text: people are to go on with it.
func TestMarshal(t *testing.T) {
	t.Parallel()
	got, err := suitefile.Marshal(start())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMarshalAndRead writes every suite down that can be read, and reads what
// is written.
func TestMarshalAndRead(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(readCases(), looseCases()), func(t *testing.T, tc readCase) {
		checkRewritten(t, only(t, tc.input).JSON)
	})
}

// checkRewritten reads a suite, writes it down and reads it again: in both it
// is the same.
func checkRewritten(t *testing.T, document []byte) {
	t.Helper()
	file := &suitefile.AdmissionTest{}
	if err := json.Unmarshal(document, file); err != nil {
		t.Fatal(err)
	}
	text, err := suitefile.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	again := &suitefile.AdmissionTest{}
	if err := yaml.UnmarshalStrict(text, again); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(file, again, sameJSON()); diff != "" {
		t.Errorf("the suite has changed (-before +after):\n%s\n%s", diff, text)
	}
	if _, err := suitefile.Read(only(t, string(text))); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
}

// sameJSON compares what JSON says, not how.
func sameJSON() cmp.Option {
	return cmp.Transformer("value", func(raw json.RawMessage) any {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return string(raw)
		}
		return value
	})
}

// FuzzMarshal writes a text down in every place where one may stand, and reads
// it again.
func FuzzMarshal(f *testing.F) {
	for _, seed := range []string{
		"", "yes", "y", "~", "null", "007", "0o7", "1e3", "1_000", "12:30:45", "2001-01-01", "0x1F", ".5", "+1", ".inf", "<<", "=", "- a", "a: b", "#", " a ",
		"a\nb", "a\n", "\na", "  a\nb", "---\na", "a\n---\nb", "...", "\t", "a\tb\nc", "\r\n", "\u2028", "\u0085", "\ufeff", "é", "\x00", "\"'", "!x", "&a", "*a", "%a", "@", "`", "|", ">",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		object := slices.Concat([]byte(`{"apiVersion":"v1","kind":"Pod","a":`), quoted, []byte(`,"b":{`), quoted, []byte(`:[`), quoted, []byte(`]}}`))
		// What JSON cannot say, such as half a character, is not what is written.
		if err := json.Unmarshal(quoted, &text); err != nil {
			t.Fatal(err)
		}
		file := &suitefile.AdmissionTest{
			TypeMeta:       metav1.TypeMeta{APIVersion: "gatehouse/v1alpha1", Kind: "AdmissionTest"},
			Configurations: []json.RawMessage{object}, Namespaces: []suitefile.Namespace{{Name: text, Labels: map[string]string{text: text}}},
			Cases: []suitefile.AdmissionTestCase{{Name: text, Request: quoted, Expect: suitefile.Expect{Called: []string{text}}}},
		}
		written, err := suitefile.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		again := &suitefile.AdmissionTest{}
		if err := json.Unmarshal(only(t, string(written)).JSON, again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(file, again, sameJSON()); diff != "" {
			t.Errorf("the suite has changed (-before +after):\n%s\n%q", diff, written)
		}
	})
}

// TestMarshalErrors is about JSON that is none.
func TestMarshalErrors(t *testing.T) {
	t.Parallel()
	bad := &suitefile.AdmissionTest{Name: "a", Configurations: []json.RawMessage{json.RawMessage("{")}}
	text, err := suitefile.Marshal(bad)
	const want = `write suite "a": json: error calling MarshalJSON for type json.RawMessage: unexpected end of JSON input`
	if testtable.Text(err) != want || text != nil {
		t.Errorf("\n got %v, %q\nwant %s", err, text, want)
	}
	if !reflect.DeepEqual(bad.TypeMeta, metav1.TypeMeta{}) {
		t.Errorf("the suite was changed: %v", bad.TypeMeta)
	}
}
