package cel

import (
	"fmt"
	"strings"
	"testing"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/cel/common"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPlainIsExact compares plain conditions with cel-go: what they know, they
// know exactly.
func TestPlainIsExact(t *testing.T) {
	t.Parallel()
	requests, fields := variables(t), map[string]*Fields{}
	for name, vars := range requests {
		fields[name] = &Fields{Variables: vars} // which all expressions share
	}
	asked, known := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		expression := conditions(3).Draw(t, "expression")
		program := compile(expression)
		if program.Err != nil {
			return // the types did not fit
		}
		if program.Plain == nil {
			t.Fatalf("not plain: %s", expression)
		}
		for name, vars := range requests {
			asked++
			value, cost, ok := program.Plain.Eval(fields[name])
			if !ok {
				continue
			}
			known++
			want, details, err := program.Program.ContextEval(t.Context(), vars)
			if err != nil || want != celtypes.Bool(value) || *details.ActualCost() != cost {
				t.Fatalf("%s of %s is %v for %d, want %v for %d (%v)",
					expression, name, value, cost, want, *details.ActualCost(), err)
			}
		}
	})
	if known*4 < asked {
		t.Errorf("only %d of %d were known: this compares little", known, asked)
	}
}

// conditions generates expressions, most of which compile.
func conditions(depth int) *rapid.Generator[string] {
	paths := rapid.SampledFrom(strings.Fields("object.metadata.name object.metadata.namespace object.metadata.labels.app " +
		"object.metadata.labels.none object.metadata.labels object.metadata.creationTimestamp object.metadata.deletionTimestamp " +
		"object.metadata.generation object.spec.hostNetwork object.spec.priority object.spec.containers object.spec " +
		"object.spec.activeDeadlineSeconds object.status.phase object oldObject oldObject.metadata.name " +
		"object.metadata.labels.`a.b` object.metadata.labels.a.b object.metadata.labels.`a.b`.c " +
		"request.operation request.userInfo.username request.userInfo.groups request.dryRun request.kind.kind request.name request"))
	constants := rapid.SampledFrom([]string{`'api'`, `'default'`, `''`, `'CREATE'`, `"a name of more than twenty characters"`,
		`'naïve'`, `true`, `false`, `0`, `7`, `-1`, `1.5`, `null`})
	comparison := rapid.Custom(func(t *rapid.T) string {
		sides := []any{paths.Draw(t, "path"), constants.Draw(t, "constant")}
		return fmt.Sprintf(rapid.SampledFrom([]string{"%s == %s", "%s != %s", "%[2]s == %[1]s", "%[2]s != %[1]s"}).Draw(t, "order"), sides...)
	}).Filter(func(e string) bool { return !strings.Contains(e, "1.5") && !strings.Contains(e, "null") })
	membership := rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{`'api'`, `'default'`, `'CREATE'`, `'naïve'`}), 1, 4).Draw(t, "words")
		return paths.Draw(t, "path") + " in [" + strings.Join(words, ", ") + "]"
	})
	presence := rapid.Custom(func(t *rapid.T) string {
		return "has(" + paths.Filter(func(p string) bool { return strings.Contains(p, ".") }).Draw(t, "path") + ")"
	})
	if depth == 0 {
		return rapid.OneOf(comparison, membership, presence)
	}
	inner := conditions(depth - 1)
	return rapid.OneOf(comparison, membership, presence,
		rapid.Custom(func(t *rapid.T) string { return "!(" + inner.Draw(t, "negated") + ")" }),
		rapid.Custom(func(t *rapid.T) string {
			joint := rapid.SampledFrom([]string{" && ", " || "}).Draw(t, "joint")
			return "(" + strings.Join(rapid.SliceOfN(inner, 2, 4).Draw(t, "joined"), joint) + ")"
		}))
}

// variables returns those of several requests, by name.
func variables(t *testing.T) map[string]interpreter.Activation {
	t.Helper()
	seven := int32(7)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "naïve", Namespace: "default", Labels: map[string]string{"app": "api"}, Generation: 7},
		Spec:       corev1.PodSpec{HostNetwork: true, Priority: &seven, Containers: []corev1.Container{{Name: "c"}}},
	}
	request := common.SchemalessTypedToVal(&admissionv1.AdmissionRequest{
		Operation: "CREATE", Kind: metav1.GroupVersionKind{Kind: "Pod"},
		UserInfo: authenticationv1.UserInfo{Username: "a name of more than twenty characters", Groups: []string{"default"}},
	})
	custom := celtypes.DefaultTypeAdapter.NativeToValue(map[string]any{
		"metadata": map[string]any{"name": "api", "labels": map[string]any{"app": nil, "none": "default", "a.b": "api", "a": map[string]any{"b": "default"}}, "generation": int64(7)},
		"spec":     map[string]any{"hostNetwork": false, "priority": 1.5, "containers": []any{}},
		"status":   "default",
	})
	all := map[string]interpreter.Activation{}
	for name, objects := range map[string][2]any{
		"creation": {common.SchemalessTypedToVal(pod), nil},
		"empty":    {common.SchemalessTypedToVal(&corev1.Pod{}), common.SchemalessTypedToVal(&corev1.Pod{})},
		"custom":   {custom, custom},
		"deletion": {nil, custom},
	} {
		vars, err := interpreter.NewActivation(map[string]any{"object": objects[0], "oldObject": objects[1], "request": request})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = vars
	}
	return all
}

// TestPlain says which expressions are plain.
func TestPlain(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []struct {
		row
		expression string
		want       bool
	}{
		{row{"comparison", "the most common condition"}, "object.metadata.namespace != 'kube-system'", true},
		{row{"membership", "the second most common"}, "!(request.userInfo.username in ['a', 'b'])", true},
		{row{"presence", "guards what may be absent"}, "has(object.metadata.labels) && object.metadata.labels.app == 'api'", true},
		{row{"index", "a key may be anything, also an error"}, "object.metadata.labels['app'] == 'api'", false},
		{row{"two fields", "either may be of any size"}, "object.metadata.name == oldObject.metadata.name", false},
		{row{"order", "what has no order is an error"}, "object.spec.priority < 3", false},
		{row{"fraction", "numbers of different types are compared in ways of their own"}, "object.spec.priority == 1.5", false},
		{row{"function", "each has a cost of its own"}, "object.metadata.name.startsWith('a')", false},
		{row{"macro", "it has to be possible to interrupt it"}, "object.spec.containers.all(c, c.name == 'a')", false},
		{row{"authorizer", "it asks somebody"}, "authorizer.group('').resource('pods').check('get').allowed()", false},
		{row{"namespace", "the variable is always null"}, "namespaceObject.metadata.name == 'a'", false},
		{row{"constant", "it has no field"}, "true", false},
		{row{"optional", "its values are wrapped"}, "object.?metadata.name == optional.of('a')", false},
		{row{"partly", "all of it has to be plain"}, "object.metadata.name == 'a' || object.metadata.name.size() == 1", false},
	}, func(t *testing.T, tc struct {
		row
		expression string
		want       bool
	}) {
		program := compile(tc.expression)
		if program.Err != nil {
			t.Fatal(program.Err)
		}
		if got := program.Plain != nil; got != tc.want {
			t.Errorf("plain is %v, want %v", got, tc.want)
		}
	})
}
