package migrate

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/internal/offline/flags"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// TestSkeletonsAreValid: an API server stores the skeletons of real webhooks, and
// each says where its webhook is.
func TestSkeletonsAreValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(projects + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	webhooks, skeletons := 0, 0
	for _, file := range files {
		o := options{files: flags.Files{Paths: []string{file}}, stderr: new(bytes.Buffer)}
		items, err := o.read()
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range items {
			webhooks++
			if i.Line == 0 || i.Webhook == "" || len(i.Losses) == 0 {
				t.Errorf("%s: %+v says too little", file, i)
			}
			if i.Policy == nil {
				continue
			}
			skeletons++
			wantValid(t, i.Policy)
			wantValid(t, i.Binding)
		}
	}
	t.Logf("%d files, %d webhooks, %d skeletons", len(files), webhooks, skeletons)
	if len(files) < 60 || webhooks < 150 || skeletons < webhooks-10 {
		t.Error("there are too few skeletons")
	}
}

func wantValid(t *testing.T, fields map[string]any) {
	t.Helper()
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	o, warnings, err := policy.Decode(text, registration.Strict)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("error %v, warnings %q", err, warnings)
	}
	policy.Default(o)
	if problems := policy.Validate(o); len(problems) > 0 {
		t.Errorf("%s: %v", text, problems)
	}
}

type nameCase struct {
	row
	given, want []string
}

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 249) + ".b.c"
	dotted := "b." + strings.Repeat("a", 248) + ".cd"
	testtable.Run(t, []nameCase{
		{row{"one", "a webhook's name is a name of a policy"}, []string{"a.example.com"}, []string{"a.example.com"}},
		{row{"taken", "configurations may share names of webhooks"}, []string{"a.b.c", "a.b.c", "a.b.c"}, []string{"a.b.c", "a.b.c-2", "a.b.c-3"}},
		{row{"long", "a name has at most 253 characters"}, []string{long, long}, []string{long, long[:251] + "-2"}},
		{row{"long, with a dot at the cut", "no part of a name begins with a dash"}, []string{dotted, dotted}, []string{dotted, dotted[:250] + "-2"}},
		{row{"reserved", "the ending is for manifests of a server"}, []string{"a.static.k8s.io"}, []string{"a.static.k8s.io-policy"}},
	}, func(t *testing.T, tc nameCase) {
		taken := names{}
		var got []string
		for _, name := range tc.given {
			got = append(got, taken.take(&admission.Webhook{Phase: admission.Mutating, Name: name}))
			other := taken.take(&admission.Webhook{Phase: admission.Validating, Name: name})
			if other != got[len(got)-1] {
				t.Errorf("the validating policy is named %q: the kinds do not share names", other)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, name := range got {
			w := &admission.Webhook{Phase: admission.Validating, Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{"*"}, Rule: registrationv1.Rule{APIGroups: []string{"*"},
					APIVersions: []string{"*"}, Resources: []string{"*"}}}}}
			p, b := skeleton(w, name)
			wantValid(t, fieldsOf(p))
			wantValid(t, fieldsOf(b))
		}
	})
}
