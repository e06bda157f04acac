package suite_test

import (
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	backupsv1 "example.com/backups/api/v1"
	backupsv1alpha1 "example.com/backups/api/v1alpha1"
)

func TestPlans(t *testing.T) {
	klog.SetLogger(GinkgoLogr)
	ctrl.SetLogger(GinkgoLogr)
	RegisterFailHandler(Fail)
	RunSpecs(t, "Plans")
}

// start runs a manager until the suite has ended.
func start(mgr ctrl.Manager) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- mgr.Start(ctx) }()
	DeferCleanup(func() {
		cancel()
		Expect(<-ended).To(Succeed())
	})
}

func newPlan(name string) *backupsv1.Plan {
	return &backupsv1.Plan{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec:       backupsv1.PlanSpec{Claim: "data"},
	}
}

var _ = Describe("A plan", func() {
	It("gets defaults, also in its first version", func(ctx context.Context) {
		old := &backupsv1alpha1.Plan{
			ObjectMeta: metav1.ObjectMeta{Name: "first", Namespace: "default"},
			Spec:       backupsv1alpha1.PlanSpec{Claim: "data", Keep: 3},
		}
		Expect(k8sClient.Create(ctx, old)).To(Succeed())
		Expect(old.Spec.Cron).To(Equal("0 3 * * *"))

		plan := &backupsv1.Plan{}
		Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(old), plan)).To(Succeed())
		Expect(plan.Spec.Retention.Copies).To(BeEquivalentTo(3))
	})

	It("is refused if it cannot be followed", func(ctx context.Context) {
		plan := newPlan("daily")
		plan.Spec.Schedule = "daily"
		Expect(k8sClient.Create(ctx, plan)).To(MatchError(ContainSubstring("has 1 fields, want 5")))
	})

	It("is followed by a CronJob", func(ctx context.Context) {
		plan := newPlan("followed")
		Expect(k8sClient.Create(ctx, plan)).To(Succeed())
		job := &batchv1.CronJob{}
		Eventually(func() error { return k8sClient.Get(ctx, client.ObjectKeyFromObject(plan), job) }).Should(Succeed())
		Expect(job.Spec.Schedule).To(Equal("0 3 * * *"))
		Expect(metav1.IsControlledBy(job, plan)).To(BeTrue())
	})
})
