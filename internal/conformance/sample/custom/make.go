package custom

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"example.com/gatehouse/internal/conformance/schemas"
)

type props = apiextensionsv1.JSONSchemaProps

// branches is the number of branches of anyOf and oneOf that are tried.
const branches = 4

// Object makes an object that the schema of a custom kind allows. It has no
// apiVersion and kind, and no metadata except for a name that the schema
// restricts. Numbers are int64 or float64.
func Object(ctx context.Context, s *props) (map[string]any, error) {
	validate, err := schemas.Validator(s)
	if err != nil {
		return nil, err
	}
	left := &budget{ctx: ctx, steps: maxWork}
	var first error
	for i := 0; i < 2*branches && left.renew(); i++ {
		object, err := attempt{branch: i % branches, full: i >= branches, left: left}.root(s)
		if err == nil {
			err = truncateError(validate(object).ToAggregate())
		}
		if err == nil {
			return object, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, cmp.Or(ctx.Err(), first)
}

// truncateError bounds the text of an error: that of a validator may quote
// megabytes.
func truncateError(err error) error {
	const most = 500
	if err == nil || len(err.Error()) <= most {
		return err
	}
	return errors.New(strings.ToValidUTF8(err.Error()[:most], "") + "…")
}

// attempt is one strategy to make values.
type attempt struct {
	// branch selects a branch of anyOf and oneOf; full includes optional
	// properties.
	branch int
	full   bool
	// left is the remaining budget.
	left *budget
}

// root makes the object. The API server defines metadata; a schema can only
// restrict the name.
func (a attempt) root(s *props) (map[string]any, error) {
	flat := new(*a.flatten(s))
	flat.Properties = maps.Clone(flat.Properties)
	name, named := flat.Properties["metadata"].Properties["name"]
	for _, known := range []string{"apiVersion", "kind", "metadata"} {
		delete(flat.Properties, known)
	}
	object := a.object(flat, 0)
	if _, has := flat.Properties["spec"]; has && object["spec"] == nil {
		object["spec"] = a.value(new(flat.Properties["spec"]), 0, 0)
	}
	if named {
		object["metadata"] = map[string]any{"name": a.value(&name, 0, 0)}
	}
	if a.left.err != nil {
		return nil, a.left.err
	}
	return plain(object)
}

// plain converts an object to JSON types.
func plain(object map[string]any) (map[string]any, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var read map[string]any
	return read, utiljson.Unmarshal(text, &read)
}
