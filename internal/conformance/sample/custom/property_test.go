package custom

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"pgregory.net/rapid"
)

// TestWhateverIsAllowed makes objects of random schemas that some object
// satisfies. That they do is what Object itself finds out; lists are held
// against a second judge.
func TestWhateverIsAllowed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &props{Type: "object", Properties: map[string]props{"spec": drawn(t, 3)}}
		structural := structuralOf(t, s)
		object, err := Object(t.Context(), s)
		if err != nil {
			text, _ := json.Marshal(s)
			t.Fatalf("%v\n%s", err, text)
		}
		if errs := listtype.ValidateListSetsAndMaps(nil, structural, object); len(errs) > 0 {
			text, _ := json.Marshal(s)
			t.Fatalf("%v\n%s\n%v", errs.ToAggregate(), text, object)
		}
	})
}

// structuralOf makes sure that a cluster would take the schema.
func structuralOf(t *rapid.T, s *props) *structuralschema.Structural {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(internal)
	if err != nil {
		t.Fatal(err)
	}
	if errs := structuralschema.ValidateStructural(nil, structural); len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return structural
}

// drawn draws a schema that something satisfies.
func drawn(t *rapid.T, depth int) props {
	kinds := []func(*rapid.T) props{drawnText, drawnPattern, drawnNumber, drawnChoice}
	if depth > 0 {
		kinds = append(kinds,
			func(t *rapid.T) props { return drawnObject(t, depth-1) },
			func(t *rapid.T) props { return drawnList(t, depth-1) },
			func(t *rapid.T) props { return drawnMap(t, depth-1) },
		)
	}
	return rapid.SampledFrom(kinds).Draw(t, "kind")(t)
}

func upTo(t *rapid.T, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, "n") }

// drawnText has limits, said in one place or in two.
func drawnText(t *rapid.T) props {
	s := props{Type: "string"}
	limits := props{MinLength: new(upTo(t, 20))}
	limits.MaxLength = new(*limits.MinLength + 1 + upTo(t, 5))
	switch upTo(t, 3) {
	case 0:
		s.MinLength, s.MaxLength = limits.MinLength, limits.MaxLength
	case 1:
		s.AllOf = []props{limits}
	case 2:
		s.AnyOf = []props{{Enum: []apiextensionsv1.JSON{{Raw: []byte(`"no"`)}}, MinLength: new(int64(9))}, limits}
	case 3:
		s.Format = rapid.SampledFrom([]string{"date-time", "ipv4", "uuid", "email", "byte", "unheard-of"}).Draw(t, "format")
	}
	return s
}

func drawnPattern(t *rapid.T) props {
	s := props{Type: "string", Pattern: rapid.SampledFrom([]string{
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, `^#[0-9a-f]{6}$`, `^(a|bc)+$`, `^v\d+(beta\d+)?$`, `[A-Z]`, `^\S+/\S+$`, `^(GET|PUT)$`, `.*\.example\.com$`,
	}).Draw(t, "pattern")}
	if s.Pattern == `^(a|bc)+$` {
		s.MinLength = new(upTo(t, 30))
	}
	return s
}

// drawnNumber allows some number, and a few more around it.
func drawnNumber(t *rapid.T) props {
	kind := rapid.SampledFrom([]string{"integer", "number"}).Draw(t, "type")
	step := float64(1 + upTo(t, 9))
	middle := step * float64(rapid.Int64Range(-20, 20).Draw(t, "middle"))
	s := props{Type: kind}
	if upTo(t, 1) == 1 {
		s.Minimum, s.ExclusiveMinimum = new(middle-step*3), upTo(t, 1) == 1
	}
	if upTo(t, 1) == 1 {
		s.Maximum, s.ExclusiveMaximum = new(middle+step*3), upTo(t, 1) == 1
	}
	if upTo(t, 1) == 1 {
		s.MultipleOf = new(step)
	}
	return s
}

func drawnChoice(t *rapid.T) props {
	if upTo(t, 1) == 1 {
		return props{XIntOrString: true, AnyOf: []props{{Type: "integer"}, {Type: "string"}}}
	}
	values := []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}, {Raw: []byte(`"c"`)}}
	return props{Type: "string", Enum: values, AllOf: []props{{Enum: values[upTo(t, 2):]}}}
}

func drawnObject(t *rapid.T, depth int) props {
	s := props{Type: "object", Properties: map[string]props{}}
	var names []string
	for i := range 1 + upTo(t, 3) {
		name := fmt.Sprintf("p%d", i)
		names = append(names, name)
		s.Properties[name] = drawn(t, depth)
	}
	for _, name := range names {
		if upTo(t, 1) == 1 {
			s.Required = append(s.Required, name)
		}
	}
	optional := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(s.Required, name) })
	if len(optional) > 1 {
		s.OneOf = []props{{Required: optional[:1]}, {Required: optional[1:2]}}
	} else {
		s.MinProperties = new(upTo(t, int64(len(names))))
	}
	return s
}

// drawnList draws a list, a set or a map.
func drawnList(t *rapid.T, depth int) props {
	s := props{Type: "array", MinItems: new(upTo(t, 3))}
	s.MaxItems = new(*s.MinItems + upTo(t, 1))
	item := drawn(t, depth)
	switch upTo(t, 2) {
	case 1:
		s.XListType = new("set")
		item = props{Type: rapid.SampledFrom([]string{"string", "integer"}).Draw(t, "type")}
		item.MaxLength = new(1 + upTo(t, 9))
		if item.Type == "integer" {
			item = props{Type: "integer", Maximum: new(float64(upTo(t, 9)))}
		}
	case 2:
		s.XListType, s.XListMapKeys = new("map"), []string{"key"}
		item = props{Type: "object", Required: []string{"key"}, Properties: map[string]props{"key": {Type: "string"}, "value": item}}
	}
	s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item}
	return s
}

func drawnMap(t *rapid.T, depth int) props {
	item := drawn(t, depth)
	return props{Type: "object", MinProperties: new(upTo(t, 3)), AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &item}}
}
