package matching_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// counting is a namespace source that records its calls.
func counting(asked *[]string, labels map[string]string, err error) func(*input) {
	return func(in *input) {
		in.Namespaces = namespaces(func(name string) (map[string]string, error) {
			*asked = append(*asked, name)
			return labels, err
		})
	}
}

// lookupCase counts the look-ups of two webhooks with an Update in between.
type lookupCase struct {
	row
	ask  testRequest
	err  error
	want []string
}

func TestNamespaceIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []lookupCase{{
		row: row{"pod", "the namespace of a pod does not change with the pod"},
		ask: creating(), want: []string{"ns"},
	}, {
		row: row{"error", "an error is an answer too: the request is going to fail by it"},
		ask: creating(), err: errors.New("cache is cold"), want: []string{"ns"},
	}, {
		row: row{"namespace deleted", "S-093: the labels in force do not change with the request"},
		ask: writing(apiadmission.Delete, other), want: []string{"ns"},
	}, {
		row: row{"namespace created", "S-092: the labels are those of the request's object"},
		ask: writing(apiadmission.Create, other), want: nil,
	}}, func(t *testing.T, tc lookupCase) {
		var asked []string
		r := request(tc.ask, counting(&asked, web, tc.err))
		w := compile(asking(byNamespace))
		for range 2 {
			match(t.Context(), w, r)
		}
		r.Update(tc.ask.attributes())
		match(t.Context(), w, r)
		if diff := cmp.Diff(tc.want, asked); diff != "" {
			t.Errorf("look-ups (-want +got):\n%s", diff)
		}
	})
}

func TestUpdateOfNamespaceDropsItsLabels(t *testing.T) {
	t.Parallel()
	for _, op := range []apiadmission.Operation{apiadmission.Create, apiadmission.Update} {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			w := compile(asking(byNamespace))
			r := request(writing(op, other), unasked(t))
			if m := match(t.Context(), w, r); m.Stage != admission.StageNamespaceSelector {
				t.Fatalf("before the update: stage %v, want %v", m.Stage, admission.StageNamespaceSelector)
			}
			r.Update(writing(op, web).attributes())
			if m := match(t.Context(), w, r); m.Stage != admission.StagePassed {
				t.Errorf("after the update: stage %v, want %v", m.Stage, admission.StagePassed)
			}
		})
	}
}

// A second look-up would give other labels, which must not come to light.
func TestUpdateOfPodKeepsTheNamespace(t *testing.T) {
	t.Parallel()
	answers := []map[string]string{web, other}
	r := request(creating(), func(in *input) {
		in.Namespaces = namespaces(func(string) (map[string]string, error) {
			answer := answers[0]
			answers = answers[1:]
			return answer, nil
		})
	})
	w := compile(asking(byNamespace))
	for _, moment := range []string{"before", "after"} {
		if m := match(t.Context(), w, r); m.Stage != admission.StagePassed {
			t.Errorf("%s the update: stage %v, want %v", moment, m.Stage, admission.StagePassed)
		}
		r.Update(creating().attributes())
	}
}
