package registry

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestMarkTerminating has the finalizers of a namespace before and after DELETE.
func TestMarkTerminating(t *testing.T) {
	t.Parallel()
	const other, orphan, foreground = "example.com/a", metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents
	policy := func(p metav1.DeletionPropagation) metav1.DeleteOptions {
		return metav1.DeleteOptions{PropagationPolicy: &p}
	}
	old := func(orphan bool) metav1.DeleteOptions {
		//lint:ignore SA1019 Old clients set it.
		return metav1.DeleteOptions{OrphanDependents: &orphan}
	}
	type test struct {
		testtable.Row
		options     metav1.DeleteOptions
		found, want []string
	}
	testtable.Run(t, []test{
		{testtable.Row{"no policy", "the client does not care"}, metav1.DeleteOptions{}, []string{other, orphan}, []string{other, orphan}},
		{testtable.Row{"background", "the dependents go later"}, policy(metav1.DeletePropagationBackground), []string{foreground, other, orphan}, []string{other}},
		{testtable.Row{"foreground", "the dependents go first"}, policy(metav1.DeletePropagationForeground), []string{orphan, other}, []string{other, foreground}},
		{testtable.Row{"orphan", "the dependents stay"}, policy(metav1.DeletePropagationOrphan), nil, []string{orphan}},
		{testtable.Row{"orphan again", "it has the finalizer"}, policy(metav1.DeletePropagationOrphan), []string{orphan, other}, []string{orphan, other}},
		{testtable.Row{"orphanDependents", "what old clients send"}, old(true), []string{foreground}, []string{orphan}},
		{testtable.Row{"no orphans", "kube-apiserver waits for them"}, old(false), []string{orphan}, []string{foreground}},
	}, func(t *testing.T, r test) {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Finalizers: r.found}}
		markTerminating(namespace, &r.options)
		if diff := cmp.Diff(r.want, namespace.Finalizers); diff != "" {
			t.Errorf("finalizers (-want, +got):\n%s", diff)
		}
		if namespace.DeletionTimestamp == nil || namespace.Status.Phase != corev1.NamespaceTerminating {
			t.Errorf("got %+v, want a Terminating namespace", namespace)
		}
	})
}

// TestMarkTerminatingAgain: the first of two requests decides when the deletion began.
func TestMarkTerminatingAgain(t *testing.T) {
	t.Parallel()
	begun := ptr.To(metav1.NewTime(time.Unix(1, 0)))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: begun}}
	markTerminating(namespace, &metav1.DeleteOptions{})
	if !namespace.DeletionTimestamp.Equal(begun) {
		t.Errorf("got %v, want %v", namespace.DeletionTimestamp, begun)
	}
}
