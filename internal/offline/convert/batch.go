package convert

import (
	batchv1 "k8s.io/api/batch/v1"
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// batches are the kinds of the group batch. Jobs have one version of a shape
// that can be converted.
func batches() []family {
	return []family{{kind: "CronJob", resource: "cronjobs", versions: []version{
		same(batchv1.SchemeGroupVersion, (*batchv1.CronJob)(nil)),
		same(batchv1beta1.SchemeGroupVersion, (*batchv1beta1.CronJob)(nil)),
	}, hub: func() runtime.Object { return &batchv1.CronJob{} }}}
}

func leases() []family {
	return []family{{kind: "Lease", resource: "leases", versions: []version{
		same(coordinationv1.SchemeGroupVersion, (*coordinationv1.Lease)(nil)),
		same(coordinationv1beta1.SchemeGroupVersion, (*coordinationv1beta1.Lease)(nil)),
	}, hub: func() runtime.Object { return &coordinationv1.Lease{} }}}
}
