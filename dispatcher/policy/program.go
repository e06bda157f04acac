package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/apiserver/pkg/cel/mutation/dynamic"

	"example.com/gatehouse/admission"
)

// recordingProgram records each evaluation if the context has a record.
type recordingProgram struct {
	celgo.Program
	field string
}

// ContextEval implements cel.Program.
func (p *recordingProgram) ContextEval(
	ctx context.Context, input any,
) (ref.Val, *celgo.EvalDetails, error) {
	record, _ := ctx.Value(evaluationKey{}).(*admission.PolicyEvaluation)
	if record == nil {
		return p.Program.ContextEval(ctx, input)
	}
	began := time.Now()
	value, details, err := p.Program.ContextEval(ctx, input)
	result := admission.ExpressionResult{Field: p.field, Err: err, Elapsed: time.Since(began)}
	if err == nil && ctx.Value(noValuesKey{}) == nil {
		result.Value = shown(value)
	}
	if details != nil {
		if cost := details.ActualCost(); cost != nil {
			result.Cost = *cost
		}
	}
	record.Expressions = append(record.Expressions, result)
	return value, details, err
}

// WithoutValues returns a context for requests whose records need no
// ExpressionResult.Value, which is expensive.
func WithoutValues(ctx context.Context) context.Context {
	return context.WithValue(ctx, noValuesKey{}, true)
}

type noValuesKey struct{}

// evaluationKey is the key of the *admission.PolicyEvaluation in a context.
type evaluationKey struct{}

// maxShown is the length of a value in a record.
const maxShown = 1 << 10

// shown returns a value as CEL prints it, cut if it is long. What a mutation
// returns is shown as JSON.
func shown(value ref.Val) string {
	text := types.Format(value)
	if encoded, err := json.Marshal(plain(value)); err == nil && string(encoded) != "null" {
		text = string(encoded)
	}
	if len(text) > maxShown {
		return fmt.Sprintf("%.*s… (%d bytes)", maxShown, text, len(text))
	}
	return text
}

// plain returns what a mutation returns, for JSON, and nil for all other values.
func plain(value ref.Val) any {
	switch value := value.(type) {
	case *dynamic.ObjectVal:
		return value.Value()
	case traits.Lister:
		var operations []any
		for i := value.Iterator(); i.HasNext() == types.True; {
			operation, ok := i.Next().(*mutation.JSONPatchVal)
			if !ok {
				return nil
			}
			operations = append(operations, operationOf(operation))
		}
		if operations != nil {
			return operations
		}
	}
	return nil
}

// operationOf returns an operation of a JSON patch.
func operationOf(p *mutation.JSONPatchVal) any {
	var value any
	if p.Val != nil {
		value = native(p.Val)
	}
	return struct {
		Op    string `json:"op"`
		From  string `json:"from,omitempty"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}{p.Op, p.From, p.Path, value}
}

// native returns a value of an operation, for JSON, which has no other keys than
// strings.
func native(value ref.Val) any {
	switch value := value.(type) {
	case types.Null:
		return nil
	case traits.Mapper:
		all := map[string]any{}
		for i := value.Iterator(); i.HasNext() == types.True; {
			key := i.Next()
			all[fmt.Sprint(key.Value())] = native(value.Get(key))
		}
		return all
	case traits.Lister:
		all := []any{}
		for i := value.Iterator(); i.HasNext() == types.True; {
			all = append(all, native(i.Next()))
		}
		return all
	}
	return value.Value()
}
