package registration

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apimachinery/pkg/util/version"
	celplugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"example.com/gatehouse/internal/testutil/testtable"
)

// updateCase is a configuration that replaces another, and the whole text of
// what is wrong with that. documented is what the catalogue has of it.
type updateCase struct {
	row
	old, given []hook
	documented string
	want       string
}

// TestUpdate runs kube-apiserver's own update tests, by their numbers in the
// catalogue, with a compiler that knows test() in what is stored only, as
// theirs does.
func TestUpdate(t *testing.T) {
	t.Parallel()
	check := checkerWithTest(t)
	const (
		unspoken   = `Invalid value: ["invalid-v1"]`
		onlyOne    = `webhooks[0].admissionReviewVersions: ` + unspoken + `: must include at least one of v1, v1beta1`
		twice      = `webhooks[1].name: Duplicate value: "webhook.k8s.io"`
		noVersions = `.admissionReviewVersions: Required value: must specify one of v1, v1beta1`
		unknown    = `Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"`
		undeclared = `undeclared reference to 'test'`
	)
	unsure := effects("Unknown")
	testtable.Run(t, []updateCase{
		{row{"U1 side effects as before", "R-044: nothing became worse"}, hooks(bare(unsure)), hooks(bare(unsure)), "", ""},
		{row{"U2 to v1", "R-043: an old webhook moves on"}, hooks(bare(unsure)), hooks(bare(unsure, versions("v1"))), "", ""},
		{row{"U3 unknown to unknown", "R-043: it could not be called before either"},
			hooks(bare(unsure, versions("invalid-v0"))), hooks(bare(unsure, versions("invalid-v1", "invalid-v2"))), "", ""},
		{row{"U4 known to unknown", "R-043: it could be called before"},
			hooks(bare(unsure, versions("v1beta1", "invalid-v1"))), hooks(bare(unsure, versions("invalid-v1"))), unspoken, onlyOne},
		{row{"U5 nothing to unknown", "R-043: no versions is no unknown version"},
			hooks(bare(unsure, versions())), hooks(bare(unsure, versions("invalid-v1"))), unspoken, onlyOne},
		{row{"U6 a second of the name", "R-045: the old names were unique, one is"},
			hooks(fine(versions())), hooks(fine(versions()), fine(versions())), twice,
			list(`webhooks[0]`+noVersions, `webhooks[1]`+noVersions, twice)},
		{row{"U7 names as before", "R-045: they were repeated before"},
			hooks(bare(unsure), bare(unsure)), hooks(bare(unsure), bare(unsure)), "", ""},
		{row{"U8 new side effects", "R-044: there were none before"},
			hooks(fine()), hooks(bare(unsure)), unknown, `webhooks[0].sideEffects: ` + unknown},
		{row{"U9 side effects again", "the catalogue has it twice"}, hooks(bare(unsure)), hooks(bare(unsure)), "", ""},
		{row{"U10 conditions as before", "R-041: they are not compiled"},
			hooks(fine(when("c", "test() == true"))), hooks(fine(when("c", "test() == true"))), "", ""},
		{row{"U11 another expression", "R-042: it is compiled as a new one"},
			hooks(fine(when("c", "true"))), hooks(fine(when("c", "test() == true"))), undeclared,
			`webhooks[0].matchConditions[0].expression: Invalid value: "test() == true": compilation failed: ERROR: <input>:1:5: ` +
				undeclared + " (in container '')\n | test() == true\n | ....^"},
		{row{"stored elsewhere", "R-042: beside U11, the same expression is accepted once it occurs in any old condition"},
			hooks(fine(when("c", "true"), when("d", "test() == true"))), hooks(fine(when("c", "test() == true"))), "", ""},
	}, func(t *testing.T, tc updateCase) {
		if !strings.Contains(tc.want, tc.documented) || (tc.want == "") != (tc.documented == "") {
			t.Fatalf("the row contradicts the catalogue, which has %q", tc.documented)
		}
		olds := bothKinds(config(), tc.old)
		for i, c := range bothKinds(config(), tc.given) {
			wantText(t, c, validateUpdate(viewed(t, c), viewed(t, olds[i]), check), tc.want)
		}
	})
}

func viewed(t *testing.T, c Configuration) view {
	t.Helper()
	v, err := viewOf(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// checkerWithTest returns a compiler to which test() came with a version that
// does not exist yet, so that only a stored expression can use it.
func checkerWithTest(t *testing.T) checker {
	t.Helper()
	env, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 999),
		EnvOptions: []cel.EnvOption{cel.Function("test", cel.Overload("test", nil, cel.BoolType,
			cel.FunctionBinding(func(...ref.Val) ref.Val { return types.True })))},
	})
	if err != nil {
		t.Fatal(err)
	}
	compiler := celplugin.NewCompiler(env)
	return func(expression string, stored bool) error {
		mode := environment.NewExpressions
		if stored {
			mode = environment.StoredExpressions
		}
		declared := celplugin.OptionalVariableDeclarations{HasAuthorizer: true}
		if err := compiler.CompileCELExpression(boolean(expression), declared, mode).Error; err != nil {
			return err
		}
		return nil
	}
}

// boolean is an expression that has to give a bool.
type boolean string

func (b boolean) GetExpression() string  { return string(b) }
func (boolean) ReturnTypes() []*cel.Type { return []*cel.Type{cel.BoolType} }
