package defaults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// scheme knows nothing but the defaults.
func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	Register(s)
	return s
}

// part decodes YAML into a part of an object, strictly, sets its defaults, and
// returns what that changed: a line for each field, such as
// "ports[0].protocol: TCP", or "-ports[0].protocol" for one that is gone.
type part func(t *testing.T, before string) string

// of makes a part of its function.
func of[T any](set func(*T)) part {
	return func(t *testing.T, before string) string {
		t.Helper()
		value := new(T)
		decode(t, before, value)
		old := leaves(t, value)
		set(value)
		return changes(old, leaves(t, value))
	}
}

// decode reads YAML by way of JSON, as API servers do. The short way, by the Go
// type, makes pointers that no field needs.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

func changes(before, after map[string]string) string {
	var lines []string
	for path, value := range after {
		if old, ok := before[path]; !ok || old != value {
			lines = append(lines, strings.TrimSpace(path+": "+value))
		}
	}
	for path, value := range before {
		if _, ok := after[path]; !ok && !isZero(value) {
			lines = append(lines, "-"+path)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// leaves flattens the JSON of a value: paths of everything that has no parts.
func leaves(t *testing.T, value any) map[string]string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&plain); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	flatten(out, "", plain)
	return out
}

func flatten(out map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, field := range v {
			flatten(out, strings.TrimPrefix(path+"."+key, "."), field)
		}
		if len(v) == 0 {
			out[path] = "{}"
		}
	case []any:
		for i, element := range v {
			flatten(out, fmt.Sprintf("%s[%d]", path, i), element)
		}
		if len(v) == 0 {
			out[path] = "[]"
		}
	case string:
		out[path] = v
	default:
		out[path] = fmt.Sprint(v)
	}
}

// isZero tells what an encoding may have of a field that is not set.
func isZero(value string) bool {
	return slices.Contains([]string{"", "0", "{}", "[]", "<nil>", "false"}, value)
}

// sorted are the lines of a text in order, without indentation.
func sorted(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
