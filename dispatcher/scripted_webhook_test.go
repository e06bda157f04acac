package dispatcher_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// scriptedWebhook returns a webhook of the transcripts. It logs the objects it
// receives.
func (p *transcript) scriptedWebhook(t *testing.T, name string) exchange {
	t.Helper()
	patchFor, ok := scriptedPatches()[name]
	if !ok {
		t.Fatalf("no webhook has the script %q", name)
	}
	return func(r *http.Request) (*http.Response, error) {
		review, seen, err := podIn(r)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(p.log, "  %s saw %s\n", name, podState(seen))
		operations, err := patchFor(seen)
		if err != nil {
			return nil, err
		}
		members := `"allowed":true`
		if len(operations) > 0 {
			members += "," + patchMembers("["+strings.Join(operations, ",")+"]")
		}
		return response(http.StatusOK, "", fmt.Sprintf(
			`{"kind":"AdmissionReview","apiVersion":%q,"response":{"uid":%q,%s}}`,
			review.APIVersion, review.Request.UID, members)), nil
	}
}

// scriptedPatches are the patches of the webhooks of kube-apiserver's own
// reinvocation tests, by path.
func scriptedPatches() map[string]func(*corev1.Pod) ([]string, error) {
	set := func(value string) func(*corev1.Pod) ([]string, error) {
		return func(*corev1.Pod) ([]string, error) {
			return []string{fmt.Sprintf(`{"op":"replace","path":"/metadata/labels/fight","value":%q}`, value)}, nil
		}
	}
	return map[string]func(*corev1.Pod) ([]string, error){
		"noop":                func(*corev1.Pod) ([]string, error) { return nil, nil },
		"broken":              func(*corev1.Pod) ([]string, error) { return nil, errors.New("out of order") },
		"settrue":             set("true"),
		"setfalse":            set("false"),
		"addlabel":            addA,
		"conditionaladdlabel": addBIfA,
		"setpriority":         setPriority,
		"setinvalidpriority": func(*corev1.Pod) ([]string, error) {
			return []string{`{"op":"add","path":"/spec/priorityClassName","value":"invalid"}`}, nil
		},
	}
}

func addA(p *corev1.Pod) ([]string, error) {
	if p.Labels["a"] == "true" {
		return nil, nil
	}
	return []string{addLabel("a", "true")}, nil
}

func addBIfA(p *corev1.Pod) ([]string, error) {
	if p.Labels["a"] == "" {
		return nil, nil
	}
	return []string{addLabel("b", "true")}, nil
}

func setPriority(p *corev1.Pod) ([]string, error) {
	if p.Spec.PriorityClassName == "high-priority" {
		return nil, nil
	}
	operations := []string{`{"op":"add","path":"/spec/priorityClassName","value":"high-priority"}`}
	if p.Spec.Priority != nil {
		operations = append(operations, `{"op":"remove","path":"/spec/priority"}`)
	}
	return operations, nil
}
