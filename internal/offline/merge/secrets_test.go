package merge

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/testutil/testtable"
)

// hidden is a secret in the forms in which these tests have it: as it is, in
// base64, and as a number.
var hidden = []string{"TOPSECRET", "VE9QU0VDUkVU", "8675309"}

const secret = `
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: shop, uid: u4, annotations: {a: TOPSECRET}}
data: {p: VE9QU0VDUkVU}
`

// leakRow is a patch or a configuration that cannot be used.
type leakRow struct {
	row
	of   types.PatchType
	text string
	// stored is added to the stored Secret.
	stored string
	// fails is what is said of it.
	fails string
}

func copies(path string) string {
	return `[{"op":"copy","from":"/data/p","path":"` + path + `"}]`
}

func leakingPatches() []leakRow {
	const owned = `metadata: {ownerReferences: [{uid: a, name: b, kind: C, apiVersion: d}]}`
	const j, m, s = types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType
	return []leakRow{
		{row{"copied to a time", "decoding quotes it"}, j, copies("/metadata/creationTimestamp"), "", "metadata.creationTimestamp: expected a time of the form"},
		{row{"copied to kind", "it is compared"}, j, copies("/kind"), "", "the patch changes kind, which is Secret"},
		{row{"copied to apiVersion", "it is looked for"}, j, copies("/apiVersion"), "", "the patch changes apiVersion, which is v1, to a version without the kind Secret"},
		{row{"copied to name", "it is compared"}, j, copies("/metadata/name"), "", "the name of the object does not match the name on the URL (s)"},
		{row{"copied to namespace", "it is compared"}, j, copies("/metadata/namespace"), "", "the namespace of the provided object does not match"},
		{row{"copied to a number", "decoding says what it got"}, j, copies("/metadata/generation"), "", "metadata.generation: expected int64, got string"},
		{row{"copied to a list", "decoding says what it got"}, j, copies("/metadata/finalizers"), "", "metadata.finalizers: expected array, got string"},
		{row{"copied to data", "decoding says what it got"}, j, copies("/data"), "", "data: expected object, got string"},
		{row{"unknown op", "the library quotes it"}, j, `[{"op":"TOPSECRET","path":"/data/p"}]`, "", "operation 0: op has to be add"},
		{row{"op of the wrong type", "numbers are quoted"}, j, `[{"op":8675309,"path":"/data/p"}]`, "", "error decoding patch: json: cannot unmarshal number into"},
		{row{"failed test", "it has two values"}, j, `[{"op":"test","path":"/data/p","value":"TOPSECRET"}]`, "", "testing value /data/p failed"},
		{row{"text for the whole", "it is no object"}, j, `[{"op":"replace","path":"","value":"TOPSECRET"}]`, "", "replace operation value must be object or array"},
		{row{"list for the whole", "it has no kind"}, j, `[{"op":"replace","path":"","value":["TOPSECRET"]}]`, "", "the patched object has no readable apiVersion and kind"},
		{row{"kind of the wrong type", "it cannot be read"}, m, `{"kind":{"a":"TOPSECRET"}}`, "", "the patched object has no readable apiVersion and kind"},
		{row{"malformed apiVersion", "parsing quotes it"}, m, `{"apiVersion":"TOP/SECRET/TOPSECRET"}`, "", "the patched object has no readable apiVersion and kind"},
		{row{"no base64", "decoding counts bytes"}, m, `{"data":{"p":"!TOPSECRET"}}`, "", "data.p: illegal base64 data at input byte 0"},
		{row{"number in data", "decoding knows it"}, m, `{"data":{"p":8675309}}`, "", "data.p: expected string in base64, got number"},
		{row{"fraction", "decoding quotes it"}, m, `{"metadata":{"generation":1.8675309}}`, "", "metadata.generation: expected int64, got number"},
		{row{"large number", "decoding quotes it"}, m, `{"metadata":{"generation":86753098675309867530986753098675309}}`, "", "metadata.generation: expected int64, got number"},
		{row{"number beyond JSON", "reading quotes it"}, m, `{"data":{"p":8675309e999}}`, "", "cannot unmarshal number into Go"},
		{row{"stringData", "decoding knows it"}, m, `{"stringData":"TOPSECRET"}`, "", "stringData: expected object, got string"},
		{row{"two wrong values", "one is named"}, m, `{"data":{"a":"!TOPSECRET","b":8675309}}`, "", "data.a: illegal base64 data"},
		{row{"managed fields", "they have their own decoder"}, m, `{"metadata":{"managedFields":[{"time":"TOPSECRET"}]}}`, "", "metadata.managedFields[0].time: expected a time of the form"},
		{row{"strategic time", "conversion quotes it"}, s, `{"metadata":{"creationTimestamp":"TOPSECRET"}}`, "", "metadata.creationTimestamp: expected a time of the form"},
		{row{"strategic kind", "it is compared"}, s, `{"kind":"TOPSECRET"}`, "", "the patch changes kind, which is Secret"},
		{row{"strategic apiVersion", "it is compared"}, s, `{"apiVersion":"TOPSECRET"}`, "", "the patch changes apiVersion, which is v1"},
		{row{"strategic number", "conversion knows it"}, s, `{"data":{"p":8675309}}`, "", "data.p: expected string in base64, got number"},
		{row{"strategic no base64", "conversion counts bytes"}, s, `{"data":{"p":"!TOPSECRET"}}`, "", "data.p: illegal base64 data at input byte 0"},
		{row{"unknown directive", "merging prints the map"}, s, `{"data":{"$patch":"bogus","password":"TOPSECRET"}}`, "", "$patch has to be replace, merge or delete"},
		{row{"secret directive", "merging prints it"}, s, `{"$patch":"TOPSECRET"}`, "", "$patch has to be replace, merge or delete"},
		{row{"no merge key", "merging prints the element"}, s, `{"metadata":{"ownerReferences":[{"name":"TOPSECRET"}]}}`, owned, "an element of a list does not contain declared merge key: uid"},
		{row{"no merge key, and its text", "the key comes last"}, s, `{"metadata":{"ownerReferences":[{"name":"does not contain declared merge key: TOPSECRET"}]}}`, owned, "an element of a list does not contain declared merge key: uid"},
		{row{"two types", "merging prints the list"}, s, `{"metadata":{"finalizers":["TOPSECRET",{"a":"TOPSECRET"}]}}`, `metadata: {finalizers: [b]}`, "the elements of a list are not all of one type"},
		{row{"wrong order", "merging prints both lists"}, s, `{"metadata":{"$setElementOrder/finalizers":["a"],"finalizers":["TOPSECRET"]}}`, "", "the elements of a list are in another order than in its $setElementOrder"},
		{row{"retained keys", "merging compares them"}, s, `{"data":{"$retainKeys":["TOPSECRET"],"p":"VE9QU0VDUkVU"}}`, "", "invalid patch format of retainKeys"},
		{row{"object for a list", "merging names the types"}, s, `{"metadata":{"ownerReferences":{"uid":"TOPSECRET"}}}`, "", "metadata.ownerReferences: expected array, got object"},
		{row{"unknown field", "its value is not its name"}, s, `{"dataa":{"p":"TOPSECRET"}}`, "", "dataa"},
		{row{"strategic patch that is a text", "reading says what it got"}, s, `"TOPSECRET"`, "", "json: cannot unmarshal string into Go value"},
		{row{"no JSON", "reading quotes what is wrong"}, s, `{"data":TOPSECRET}`, "", "invalid JSON patch"},
	}
}

func leakingConfigurations() []leakRow {
	const owners = `metadata: {managedFields: [{manager: m, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: `
	return []leakRow{
		{row{"number", "it is printed with its Go type"}, "", `data: {a: 8675309}`, "", ".data.a: expected string"},
		{row{"object", "it is printed with its Go type"}, "", `data: {a: {b: TOPSECRET}}`, "", ".data.a: expected string"},
		{row{"text for an object", "it is printed"}, "", `stringData: TOPSECRET`, "", ".stringData: expected map"},
		{row{"text for a boolean", "it is printed"}, "", `immutable: TOPSECRET`, "", ".immutable: expected boolean"},
		{row{"object for a text", "it is printed"}, "", `type: {a: TOPSECRET}`, "", ".type: expected string"},
		{row{"list for an object", "it is printed"}, "", `metadata: {labels: [TOPSECRET]}`, "", ".metadata.labels: expected map"},
		{row{"text for metadata", "it is printed"}, "", `metadata: TOPSECRET`, "", ".metadata: expected map"},
		{row{"several", "each is printed"}, "", `{data: {a: 8675309}, stringData: [TOPSECRET]}`, "", ".data.a: expected string"},
		{row{"no base64", "conversion counts bytes"}, "", `data: {q: "!TOPSECRET"}`, "", "data.q: illegal base64 data at input byte 0"},
		{row{"time", "conversion quotes it"}, "", `metadata: {creationTimestamp: TOPSECRET}`, "", "metadata.creationTimestamp: expected a time of the form"},
		{row{"element twice", "the key is the value"}, "", `metadata: {finalizers: [TOPSECRET, TOPSECRET]}`, "", ".metadata.finalizers: duplicate entries for a key"},
		{row{"wrong type in an element", "the key is in the path"}, "", `metadata: {ownerReferences: [{uid: TOPSECRET, name: {a: b}}]}`, "", ".metadata.ownerReferences: expected string"},
		{row{"unknown kind", "it is looked for"}, "", `kind: TOPSECRET`, "", "invalid object type: it has to be /v1, Kind=Secret"},
		{row{"unknown version", "it is looked for"}, "", `apiVersion: TOPSECRET/v1`, "", "invalid object type: it has to be /v1, Kind=Secret"},
		{row{"malformed apiVersion", "the whole configuration is quoted"}, "", `apiVersion: a/b/TOPSECRET`, "", "error decoding patch: "},
		{row{"no kind", "the whole configuration is quoted"}, "", `{kind: "", stringData: {a: TOPSECRET}}`, "", "error decoding patch: Object 'Kind' is missing"},
		{row{"other UID", "it is a value as well"}, "", `{metadata: {uid: TOPSECRET}, data: 5}`, "", ".data: expected map"},
		{row{"conflict", "values differ"}, "", `data: {p: T1RIRVI=}`, owners + `{"f:data": {"f:p": {}}}}]}`, ".data.p"},
		{row{"conflict in an element", "its key is in the path"}, "", `metadata: {ownerReferences: [{uid: TOPSECRET, name: a, kind: B, apiVersion: c}]}`,
			`metadata: {ownerReferences: [{uid: TOPSECRET, name: b, kind: B, apiVersion: c}], managedFields: [{manager: m, operation: Update, apiVersion: v1, fieldsType: FieldsV1, ` +
				`fieldsV1: {"f:metadata": {"f:ownerReferences": {'k:{"uid":"TOPSECRET"}': {}}}}}]}`, ".metadata.ownerReferences"},
		{row{"malformed managed fields", "decoding prints the entry"}, "", `data: {}`, owners + `{"k:TOPSECRET": {}}}]}`, "failed to decode managed fields: "},
		{row{"unknown type of managed fields", "decoding quotes it"}, "", `data: {}`, `metadata: {managedFields: [{operation: Update, apiVersion: v1, fieldsType: TOPSECRET}]}`, "failed to decode managed fields: "},
	}
}

// TestPatchKeepsSecrets patches a Secret in all ways that fail.
func TestPatchKeepsSecrets(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	testtable.Run(t, leakingPatches(), func(t *testing.T, tc leakRow) {
		stored := config(t, secret)
		merged(stored.Object, config(t, tc.stored).Object)
		_, err := m.Patch(fromMap(t, stored), []byte(tc.text), tc.of, Options{Manager: "me"})
		checkKept(t, err, tc.fails)
	})
}

// TestApplyKeepsSecrets applies to a Secret in all ways that fail, and creates
// it.
func TestApplyKeepsSecrets(t *testing.T) {
	t.Parallel()
	m := merger(t, true)
	testtable.Run(t, leakingConfigurations(), func(t *testing.T, tc leakRow) {
		sent := config(t, "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: shop}}")
		merged(sent.Object, config(t, tc.text).Object)
		stored := config(t, secret)
		merged(stored.Object, config(t, tc.stored).Object)
		_, err := m.Apply(fromMap(t, stored), sent, Options{Manager: "me"})
		checkKept(t, err, tc.fails)
		if tc.stored == "" {
			_, err = m.Apply(nil, sent, Options{Manager: "me"})
			checkKept(t, err, "")
		}
	})
}

// fromMap returns an object of a built-in kind.
func fromMap(t *testing.T, o *unstructured.Unstructured) runtime.Object {
	t.Helper()
	encoded, err := o.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return object(t, string(encoded))
}

// merged adds members to an object, and to the objects in it.
func merged(to, from map[string]any) {
	for name, value := range from {
		inner, ok := value.(map[string]any)
		into, also := to[name].(map[string]any)
		if ok && also {
			merged(into, inner)
			continue
		}
		to[name] = value
	}
}

// checkKept finds a secret in an error, and whether it says what it has to say.
func checkKept(t *testing.T, err error, fails string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), fails) {
		t.Errorf("error %v, want %q", err, fails)
	}
	for _, value := range hidden {
		// Libraries also print errors with all that is in them.
		for _, text := range []string{coding(err), fmt.Sprintf("%+v", err), causes(err)} {
			if strings.Contains(text, value) {
				t.Errorf("%s is in the error %s", value, text)
			}
		}
	}
}

// causes is what programs read of an error.
func causes(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return ""
	}
	return fmt.Sprintf("%+v", status.Status().Details)
}
