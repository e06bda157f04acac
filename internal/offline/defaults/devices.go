package defaults

import (
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
)

func resourceClaim(c *resourcev1.ResourceClaim) {
	deviceRequests(&c.Spec)
	some(c.Status.Allocation, func(a *resourcev1.AllocationResult) {
		each(
			a.Devices.Results,
			func(r *resourcev1.DeviceRequestAllocationResult) { each(r.Tolerations, toleration) },
		)
	})
}

func resourceClaimTemplate(t *resourcev1.ResourceClaimTemplate) {
	deviceRequests(&t.Spec.Spec)
}

func deviceRequests(s *resourcev1.ResourceClaimSpec) {
	each(s.Devices.Requests, func(r *resourcev1.DeviceRequest) {
		some(r.Exactly, func(e *resourcev1.ExactDeviceRequest) {
			oneDevice(&e.AllocationMode, &e.Count)
			each(e.Tolerations, toleration)
		})
		each(r.FirstAvailable, func(f *resourcev1.DeviceSubRequest) {
			oneDevice(&f.AllocationMode, &f.Count)
			each(f.Tolerations, toleration)
		})
	})
}

func toleration(t *resourcev1.DeviceToleration) {
	fill(&t.Operator, resourcev1.DeviceTolerationOpEqual)
}

func resourceClaimBeta2(c *resourcev1beta2.ResourceClaim) {
	deviceRequestsBeta2(&c.Spec)
	some(c.Status.Allocation, func(a *resourcev1beta2.AllocationResult) {
		each(
			a.Devices.Results,
			func(r *resourcev1beta2.DeviceRequestAllocationResult) { each(r.Tolerations, tolerationBeta2) },
		)
	})
}

func resourceClaimTemplateBeta2(t *resourcev1beta2.ResourceClaimTemplate) {
	deviceRequestsBeta2(&t.Spec.Spec)
}

func deviceRequestsBeta2(s *resourcev1beta2.ResourceClaimSpec) {
	each(s.Devices.Requests, func(r *resourcev1beta2.DeviceRequest) {
		some(r.Exactly, func(e *resourcev1beta2.ExactDeviceRequest) {
			oneDevice(&e.AllocationMode, &e.Count)
			each(e.Tolerations, tolerationBeta2)
		})
		each(r.FirstAvailable, func(f *resourcev1beta2.DeviceSubRequest) {
			oneDevice(&f.AllocationMode, &f.Count)
			each(f.Tolerations, tolerationBeta2)
		})
	})
}

func tolerationBeta2(t *resourcev1beta2.DeviceToleration) {
	fill(&t.Operator, resourcev1beta2.DeviceTolerationOpEqual)
}

func resourceClaimBeta1(c *resourcev1beta1.ResourceClaim) {
	deviceRequestsBeta1(&c.Spec)
	some(c.Status.Allocation, func(a *resourcev1beta1.AllocationResult) {
		each(
			a.Devices.Results,
			func(r *resourcev1beta1.DeviceRequestAllocationResult) { each(r.Tolerations, tolerationBeta1) },
		)
	})
}

func resourceClaimTemplateBeta1(t *resourcev1beta1.ResourceClaimTemplate) {
	deviceRequestsBeta1(&t.Spec.Spec)
}

// deviceRequestsBeta1 leaves alone the fields of a request that has
// alternatives instead, and must have none of them set.
func deviceRequestsBeta1(s *resourcev1beta1.ResourceClaimSpec) {
	each(s.Devices.Requests, func(r *resourcev1beta1.DeviceRequest) {
		if len(r.FirstAvailable) == 0 {
			oneDevice(&r.AllocationMode, &r.Count)
		}
		each(r.Tolerations, tolerationBeta1)
		each(r.FirstAvailable, func(f *resourcev1beta1.DeviceSubRequest) {
			oneDevice(&f.AllocationMode, &f.Count)
			each(f.Tolerations, tolerationBeta1)
		})
	})
}

func tolerationBeta1(t *resourcev1beta1.DeviceToleration) {
	fill(&t.Operator, resourcev1beta1.DeviceTolerationOpEqual)
}

// oneDevice makes a request without a mode and a count a request for one device.
func oneDevice[M ~string](mode *M, count *int64) {
	fill(mode, M(resourcev1.DeviceAllocationModeExactCount))
	if *mode == M(resourcev1.DeviceAllocationModeExactCount) {
		number(count, 1)
	}
}
