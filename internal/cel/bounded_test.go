package cel

import (
	"context"
	"encoding/json"
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
	"example.com/gatehouse/internal/testutil/wildconditions"
)

// sized are variables of a known size.
type sized struct {
	interpreter.Activation
	size uint64
}

func (s sized) Size() (uint64, bool) { return s.size, true }

// failer is a *testing.T, or that of package rapid.
type failer interface {
	Errorf(format string, args ...any)
}

// compareBounded evaluates the bounded form of a program under several limits,
// and compares values and costs with those of the program. It returns for how
// many limits there was a value.
func compareBounded(t failer, p *Program, name string, vars Variables) (evaluated int) {
	want, details, err := p.Program.ContextEval(context.Background(), vars)
	for _, limit := range []uint64{10, 1000, maxCost / 25, maxCost / 2, 10 * maxCost} {
		value, cost, ok := p.Bounded.Eval(context.Background(), vars, limit)
		if !ok {
			continue
		}
		evaluated++
		if err != nil || want != celtypes.Bool(value) || cost < *details.ActualCost() || cost > limit {
			t.Errorf("%s of %s is %v for at most %d, limit %d; want %v for %d (%v)",
				p.Expression, name, value, cost, limit, want, *details.ActualCost(), err)
		}
	}
	return evaluated
}

// TestBoundedWildConditions compares the conditions of public projects, and
// requires that most of them are evaluated without counting.
func TestBoundedWildConditions(t *testing.T) {
	t.Parallel()
	all, requests := wildconditions.All(), variables(t)
	bounded, evaluated, evaluations := 0, 0, 0
	for _, w := range all {
		p := compile(w.Expression)
		if p.Err != nil {
			t.Errorf("%s %s: %v", w.Project, w.Name, p.Err)
			continue
		}
		if p.Bounded == nil || p.Bounded.costsFor(0)[0] > maxCost {
			t.Logf("has no bound: %s %s: %s", w.Project, w.Name, w.Expression)
			continue
		}
		bounded++
		for name, vars := range requests {
			evaluations++
			if compareBounded(t, p, name, vars) > 0 {
				evaluated++
			}
		}
	}
	t.Logf("%d of %d have a bound; %d of %d evaluations", bounded, len(all), evaluated, evaluations)
	if len(all) == 0 || bounded < len(all)*9/10 {
		t.Errorf("only %d of %d conditions have a bound", bounded, len(all))
	}
	if evaluated <= evaluations/2 {
		t.Errorf("only %d of %d evaluations were within the bound: this compares little", evaluated, evaluations)
	}
}

// TestBoundedRandomConditions compares random expressions.
func TestBoundedRandomConditions(t *testing.T) {
	t.Parallel()
	requests := variables(t)
	compiled, evaluated := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := compile(conditions(2).Draw(t, "expression"))
		if p.Err != nil || p.Bounded == nil {
			return // the types did not fit
		}
		for name, vars := range requests {
			compiled++
			if compareBounded(t, p, name, vars) > 0 {
				evaluated++
			}
		}
	})
	if evaluated*10 < compiled {
		t.Errorf("only %d of %d were evaluated: this compares little", evaluated, compiled)
	}
}

// paths are fields of the variables, of any type.
var paths = strings.Fields("object.metadata.name object.metadata.namespace object.metadata.labels.app " +
	"object.metadata.labels object.metadata.annotations object.metadata.creationTimestamp object.metadata.generation " +
	"object.spec.hostNetwork object.spec.priority object.spec.containers object.spec object.status.phase object oldObject " +
	"oldObject.metadata.name oldObject.spec.containers object.metadata.labels.`a.b` object.spec.containers[0].env " +
	"request.operation request.userInfo.username request.userInfo.groups request.dryRun request.kind.kind request.name request")

// forms are expressions of paths (P), words (W), numbers (N), and other
// expressions (E).
var forms = []string{
	"P == W", "P != W", "W == P", "P == P", "P in [W, W]", "W in P", "P == N", "P > N", "has(P.name)", "size(P) > N",
	"!(E)", "E && E", "E || E", "E ? E : E", "P.?labels[W].orValue(W) == W", "P[?W].hasValue()",
	"P.startsWith(W)", "P.endsWith(P)", "P.contains(W)", "P.contains(P)", "P.matches('^[a-z0-9-]+(\\\\.[a-z]+)*$')", "P.matches(P)",
	"P + P == W", "(P + P + P).contains(P)", "P.lowerAscii() == W", "P.replace(W, P).contains(P)", "P.split('-').size() > N",
	"P.split('').exists(s, s == W)", "P.join(P) == W", "P.map(x, x).join(',') == W", "string(P) == W", "P.find('[a-z]+') == W",
	"P.findAll('[a-z]').size() > N", "P.substring(N) == W", "P.charAt(N) == W", "P.indexOf(W) > N", "P.trim() == P",
	"P.all(x, x != W)", "P.exists(x, x == P)", "P.exists_one(x, x.startsWith(W))", "P.all(x, P.exists(y, x == y))",
	"P.all(x, has(x.env) && x.env.exists(e, e.name == W))", "P.map(x, x) == P", "W in P.map(x, x.name)",
	"P.map(x, P.map(y, y)).exists(l, W in l)", "P.filter(x, E).size() > N", "P.filter(x, x.name == W) == P.filter(x, x.image != W)",
	"(P + P).all(x, x.name != W)", "(has(P.name) ? P : []).exists(x, x.image.contains(W))", "[P, P].exists(o, o == P)",
	"P.all(k, P[k] == W)", "P.all(k, v, k != v)", "[1, 2, 3].map(x, x * 2).sum() == N", "P.isSorted()", "P.indexOf(W) == N",
	"sets.contains(P, [W])", "sets.intersects(P.map(x, x), P)", "P.transformList(i, x, x).size() > N", "quantity(P).isGreaterThan(quantity('1Gi'))",
	"isQuantity(P)", "isURL(P)", "url(P).getHost() == W", "isIP(P)", "isCIDR(P)", "'%s-%s'.format([P, W]) == P", "type(P) == string",
	"P.reverse() == W", "optional.of(P).hasValue()", "semver(P).major() > N", "isSemver(P)", "duration(P) > duration('1s')",
	"format.dns1123Label().validate(P).hasValue()", "jsonpatch.escapeKey(P) == W", "int(P) > N", "P.min() == N", "P.flatten().size() > N",
}

// conditions generates expressions, many of which compile.
func conditions(depth int) *rapid.Generator[string] {
	fill := map[rune]*rapid.Generator[string]{
		'P': rapid.SampledFrom(paths),
		'W': rapid.SampledFrom([]string{`'api'`, `'default'`, `''`, `"a name of more than twenty characters"`, `'naïve'`, `'-'`}),
		'N': rapid.SampledFrom([]string{"0", "1", "7", "-1"}),
		'E': rapid.Just("true"),
	}
	if depth > 0 {
		fill['E'] = conditions(depth - 1)
	}
	return rapid.Custom(func(t *rapid.T) string {
		var text strings.Builder
		for _, c := range rapid.SampledFrom(forms).Draw(t, "form") {
			if drawn := fill[c]; drawn != nil {
				fmt.Fprintf(&text, "%s", drawn.Draw(t, string(c)))
				continue
			}
			text.WriteRune(c)
		}
		return "(" + text.String() + ")"
	})
}

// variables returns those of several requests, by name.
func variables(t testing.TB) map[string]Variables {
	t.Helper()
	request := &admissionv1.AdmissionRequest{
		Operation: "CREATE", Kind: metav1.GroupVersionKind{Kind: "Pod"},
		UserInfo: authenticationv1.UserInfo{Username: "a name of more than twenty characters", Groups: []string{"default"}},
	}
	var custom any
	if err := json.Unmarshal([]byte(`{"metadata": {"name": "api", "generation": 7,
		"labels": {"app": null, "none": "default", "a.b": "api", "a": {"b": "default"}}},
		"spec": {"hostNetwork": false, "priority": 1.5, "containers": ["a", "b", "naïve"]}, "status": "default"}`), &custom); err != nil {
		t.Fatal(err)
	}
	all := map[string]Variables{}
	for name, objects := range map[string][2]any{
		"a creation": {samplePod(2, 5), nil},
		"an empty":   {&corev1.Pod{}, &corev1.Pod{}},
		"a large":    {samplePod(60, 100), samplePod(61, 90)},
		"a long":     {samplePod(3, 30_000), samplePod(3, 30_000)},
		"a custom":   {celtypes.DefaultTypeAdapter.NativeToValue(custom), celtypes.DefaultTypeAdapter.NativeToValue(custom)},
		"a deletion": {nil, custom},
	} {
		values := map[string]any{"request": common.SchemalessTypedToVal(request), "namespaceObject": nil}
		read := []any{request}
		for i, variable := range []string{"object", "oldObject"} {
			object := objects[i]
			if _, isTyped := object.(*corev1.Pod); isTyped {
				read, object = append(read, object), common.SchemalessTypedToVal(object)
			} else {
				read = append(read, custom)
			}
			values[variable] = object
		}
		encoded, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		vars, err := interpreter.NewActivation(values)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = sized{vars, uint64(len(encoded))}
	}
	return all
}

// samplePod returns a pod with so many containers, labels and variables, and
// texts of so many characters.
func samplePod(n, length int) *corev1.Pod {
	priority, text := int32(7), strings.Repeat("a-b.", length/4)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "naïve", Namespace: "default", Generation: 7,
			Labels: map[string]string{"app": "api"}, Annotations: map[string]string{"text": text},
		},
		Spec: corev1.PodSpec{HostNetwork: true, Priority: &priority},
	}
	for i := range n {
		pod.Labels[fmt.Sprintf("l%d", i)] = "v"
		c := corev1.Container{Name: fmt.Sprintf("c%d", i), Image: "registry.example.com/" + text}
		for j := range n {
			c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("E%d", j), Value: "v"})
		}
		pod.Spec.Containers = append(pod.Spec.Containers, c)
	}
	return pod
}

// TestBoundedFor checks for what there is a bound, and which.
func TestBoundedFor(t *testing.T) {
	t.Parallel()
	type boundCase struct {
		row
		expression  string
		size, limit uint64
		want        bool
	}
	vars := variables(t)["a creation"]
	testtable.Run(t, []boundCase{
		{row{"comparison with a constant", "cel-go counts the shorter one"}, "object.metadata.namespace != 'kube-system'", 1 << 40, 10, true},
		{row{"low limit", "two fields and a comparison cost 4"}, "object.metadata.namespace != 'kube-system'", 1, 3, false},
		{row{"two fields", "either may be of any size"}, "object.metadata.name == oldObject.metadata.name", 1 << 40, maxCost, false},
		{row{"two small fields", "a tenth of 4 KiB"}, "object.metadata.name == request.operation", 4 << 10, 420, true},
		{row{"two larger fields", "a tenth of 16 KiB"}, "object.metadata.name == request.operation", 4<<10 + 1, 420, false},
		{row{"loop", "it runs a few times"}, "object.spec.containers.all(c, c.name != 'a')", 4 << 10, 1000, true},
		{row{"loop under a low limit", "it may run 15 times"}, "object.spec.containers.all(c, c.name != 'a')", 4 << 10, 50, false},
		{row{"pattern", "its cost is the product of two sizes"}, "object.metadata.name.matches('^[a-z]{2,20}$')", 4 << 10, 2000, true},
		{row{"pattern on a large object", "the name might be all of it"}, "object.metadata.name.matches('^[a-z]{2,20}$')", 1 << 21, maxCost, false},
		{row{"above the highest cost", "kube-apiserver stops there, whatever the limit"}, "[object, object, object].all(o, o.metadata.name.matches('^[a-z]{2,20}$'))", 1 << 20, 10 * maxCost, false},
		{row{"fields in a loop", "each iteration pays for them"}, "object.spec.containers.all(c, c.name != 'x' && c.image != 'x')", 4 << 10, 145, false},
		{row{"struct", "40, two fields and a comparison"}, "google.protobuf.StringValue{value: object.metadata.namespace} == 'kube-system'", 1, 45, true},
		{row{"struct under a low limit", "its fields count, too"}, "google.protobuf.StringValue{value: object.metadata.namespace} == 'kube-system'", 1, 44, false},
		{row{"authorizer", "it must not be called twice"}, "authorizer.group('').resource('pods').check('get').allowed() || true", 1, maxCost, false},
		{row{"error", "the program has the error"}, "object.metadata.none == 'a'", 1, maxCost, false},
	}, func(t *testing.T, tc boundCase) {
		program := compile(tc.expression)
		if program.Err != nil {
			t.Fatal(program.Err)
		}
		if program.Bounded == nil {
			if tc.want {
				t.Error("has no bound")
			}
			return
		}
		_, cost, got := program.Bounded.Eval(t.Context(), sized{vars, tc.size}, tc.limit)
		if got != tc.want || cost > tc.limit {
			t.Errorf("evaluated: %v for at most %d, want %v and at most %d", got, cost, tc.want, tc.limit)
		}
	})
}

// TestBoundedInterruptsLoops runs a loop more often than the limit permits.
func TestBoundedInterruptsLoops(t *testing.T) {
	t.Parallel()
	p := compile("object.spec.containers.all(c, c.env.all(e, e.name != 'x'))")
	vars := variables(t)["a large"] // of 60 containers with 60 variables each
	if _, cost, ok := p.Bounded.Eval(t.Context(), vars, 20_000); ok {
		t.Errorf("3,600 iterations are allowed for at most %d", cost)
	}
	p = compile("object.metadata.labels.map(l, l.none)[0] == 'a' && object.metadata.name == 'api'")
	if value, cost, ok := p.Bounded.Eval(t.Context(), vars, 1000); ok {
		t.Errorf("the false operand hides an interrupted loop: %v for at most %d", value, cost)
	}
}
