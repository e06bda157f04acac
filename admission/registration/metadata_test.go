package registration

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// metadataCase is the metadata of a configuration that is created.
type metadataCase struct {
	row
	meta metav1.ObjectMeta
	want string
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	const (
		noName   = `metadata.name: Required value: name or generateName is required`
		atName   = `metadata.name: Invalid value: `
		prefix   = `metadata.generateName: Invalid value: "A": `
		reserved = `: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`
	)
	testtable.Run(t, []metadataCase{
		{row{"name", "R-020: a subdomain"}, metav1.ObjectMeta{Name: "a.b-c"}, ""},
		{row{"no name", "R-020: no client could get it"}, metav1.ObjectMeta{}, noName},
		{row{"bad name", "R-020: not a subdomain"}, metav1.ObjectMeta{Name: "A"}, atName + `"A": ` + subdomainRule},
		{row{"prefix", "R-020: the server makes a name of it"}, metav1.ObjectMeta{GenerateName: "a-"}, ""},
		{row{"bad prefix", "R-020: the generated name is not reported, because it is not known"}, metav1.ObjectMeta{GenerateName: "A"}, prefix + subdomainRule},
		{row{"name and bad prefix", "R-020: the prefix is checked though it is not used"},
			metav1.ObjectMeta{Name: "a", GenerateName: "A"}, prefix + subdomainRule},
		{row{"namespace", "R-020: configurations belong to the cluster"}, metav1.ObjectMeta{Name: "a", Namespace: "b"},
			`metadata.namespace: Forbidden: not allowed on this type`},
		{row{"label", "R-020: all of metadata is checked"}, metav1.ObjectMeta{Name: "a", Labels: map[string]string{"b": "-"}},
			`metadata.labels: Invalid value: "-": ` + labelValueRule},
		{row{"generation", "R-002: the server counts, whatever was written"}, metav1.ObjectMeta{Name: "a", Generation: -1}, ""},
		{row{"reserved name", "R-039: a manifest of the server may have it"}, metav1.ObjectMeta{Name: "a.static.k8s.io"},
			atName + `"a.static.k8s.io"` + reserved},
		{row{"nothing but the suffix", "R-039: after everything else that is wrong"}, metav1.ObjectMeta{Name: ".static.k8s.io"},
			list(atName+`".static.k8s.io": `+subdomainRule, atName+`".static.k8s.io"`+reserved)},
		{row{"similar to a reserved name", "R-039: only the whole suffix"}, metav1.ObjectMeta{Name: "a.k8s.io"}, ""},
		{row{"reserved name without a dot", "R-039: only the whole suffix"}, metav1.ObjectMeta{Name: "static.k8s.io"}, ""},
		{row{"reserved prefix", "R-039: generateName is not looked at"}, metav1.ObjectMeta{GenerateName: "a.static.k8s.io"}, ""},
	}, func(t *testing.T, tc metadataCase) {
		for _, c := range bothKinds(tc.meta, hooks(fine())) {
			wantText(t, c, Validate(c), tc.want)
		}
	})
}

// TestReservedNameComesLast places R-039 behind what is wrong with webhooks.
func TestReservedNameComesLast(t *testing.T) {
	t.Parallel()
	for _, c := range bothKinds(metav1.ObjectMeta{Name: "a.static.k8s.io"}, hooks(bare())) {
		wantText(t, c, Validate(c), list(effectsRequired, `metadata.name: Invalid value: "a.static.k8s.io": `+
			`names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`))
	}
}

// replacedCase is metadata that replaces other metadata.
type replacedCase struct {
	row
	old, meta metav1.ObjectMeta
	want      string
}

func TestMetadataOfUpdates(t *testing.T) {
	t.Parallel()
	const immutable = `: field is immutable`
	created, later := metav1.NewTime(time.Unix(1, 0)), metav1.NewTime(time.Unix(2, 0))
	stored := metav1.ObjectMeta{Name: "a", UID: "u", Generation: 3, CreationTimestamp: created, ResourceVersion: "7"}
	deleted := metav1.ObjectMeta{Name: "a", DeletionTimestamp: &created, DeletionGracePeriodSeconds: new(int64(0))}
	testtable.Run(t, []replacedCase{
		{row{"from a file", "R-047: what only servers write may be missing"}, stored, metav1.ObjectMeta{Name: "a"}, ""},
		{row{"as it was read", "R-047: and may be there"}, stored, stored, ""},
		{row{"over a file", "R-047: also if the old one never saw a server"}, metav1.ObjectMeta{Name: "a"}, stored, ""},
		{row{"times and counters", "R-047: those are the server's"}, stored,
			metav1.ObjectMeta{Name: "a", Generation: 1, CreationTimestamp: later}, ""},
		{row{"another name", "R-047: it would be another object"}, stored, metav1.ObjectMeta{Name: "b"},
			`metadata.name: Invalid value: "b"` + immutable},
		{row{"no name", "R-020: required is reported before immutable"}, stored, metav1.ObjectMeta{},
			list(`metadata.name: Required value: name or generateName is required`, `metadata.name: Invalid value: ""`+immutable)},
		{row{"prefix for a name", "R-020: no name is generated for an update"}, metav1.ObjectMeta{}, metav1.ObjectMeta{GenerateName: "a"},
			`metadata.name: Required value: name or generateName is required`},
		{row{"bad name", "R-020: a segment of a path first, then immutable, then a subdomain"}, stored, metav1.ObjectMeta{Name: "A/"},
			list(`metadata.name: Invalid value: "A/": may not contain '/'`, `metadata.name: Invalid value: "A/"`+immutable, `metadata.name: Invalid value: "A/": `+subdomainRule)},
		{row{"another UID", "R-047: another object of the same name"}, stored, metav1.ObjectMeta{Name: "a", UID: "v"},
			`metadata.uid: Invalid value: "v"` + immutable},
		{row{"label", "R-020, R-047: three checks find it, one is reported"}, stored,
			metav1.ObjectMeta{Name: "a", Labels: map[string]string{"b": "-"}}, `metadata.labels: Invalid value: "-": ` + labelValueRule},
		{row{"being deleted", "R-047: an update cannot take that back, and does not try to"}, deleted, metav1.ObjectMeta{Name: "a"}, ""},
		{row{"finalizer while being deleted", "R-047: too late for a new one"}, deleted,
			metav1.ObjectMeta{Name: "a", Finalizers: []string{"a.b/c"}},
			`metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/c"}`},
		{row{"reserved name as before", "R-039: only creation is refused"},
			metav1.ObjectMeta{Name: "a.static.k8s.io"}, metav1.ObjectMeta{Name: "a.static.k8s.io"}, ""},
	}, func(t *testing.T, tc replacedCase) {
		olds := bothKinds(tc.old, hooks(fine()))
		for i, c := range bothKinds(tc.meta, hooks(fine())) {
			problems := ValidateUpdate(c, olds[i])
			wantText(t, c, problems, tc.want)
			if all := problems.ToAggregate(); all != nil && len(all.Errors()) != len(problems) {
				t.Errorf("%T: there are problems that occur more than once in %v", c, problems)
			}
		}
	})
}

// TestUpdateReportsMetadataFirst places metadata before the webhooks.
func TestUpdateReportsMetadataFirst(t *testing.T) {
	t.Parallel()
	olds := bothKinds(config(), hooks(fine()))
	for i, c := range bothKinds(metav1.ObjectMeta{Name: "b"}, hooks(bare())) {
		wantText(t, c, ValidateUpdate(c, olds[i]), list(`metadata.name: Invalid value: "b": field is immutable`, effectsRequired))
	}
}
