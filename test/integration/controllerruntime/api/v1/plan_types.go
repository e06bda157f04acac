package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PlanSpec is what the author of a plan wants.
type PlanSpec struct {
	// claim is the name of the PersistentVolumeClaim that is backed up. It
	// cannot be changed.
	// +kubebuilder:validation:MinLength=1
	// +required
	Claim string `json:"claim"`

	// schedule says when, as cron does. The default is at three every night.
	// +optional
	Schedule string `json:"schedule,omitempty"`

	// retention says what is kept.
	// +optional
	Retention Retention `json:"retention,omitempty,omitzero"`

	// suspend stops further backups.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// protected plans cannot be deleted.
	// +optional
	Protected bool `json:"protected,omitempty"`
}

// Retention says what is kept of the backups of a plan.
type Retention struct {
	// copies is how many of the latest backups are kept. The default is seven.
	// +kubebuilder:validation:Minimum=1
	// +optional
	Copies int32 `json:"copies,omitempty"`
}

// PlanStatus is what the controller has done about a plan.
type PlanStatus struct {
	// observedGeneration is the generation that the rest is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// cronJob is the name of the CronJob that makes the backups.
	// +optional
	CronJob string `json:"cronJob,omitempty"`

	// conditions say how the plan is doing.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Plan is a plan for backups.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:printcolumn:name="Claim",type=string,JSONPath=`.spec.claim`
// +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=`.spec.schedule`
type Plan struct {
	metav1.TypeMeta `json:",inline"`

	// metadata is a standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec is what the author wants.
	// +required
	Spec PlanSpec `json:"spec"`

	// status is what the controller has done.
	// +optional
	Status PlanStatus `json:"status,omitempty,omitzero"`
}

// PlanList is a list of plans.
//
// +kubebuilder:object:root=true
type PlanList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty,omitzero"`
	Items           []Plan `json:"items"`
}
