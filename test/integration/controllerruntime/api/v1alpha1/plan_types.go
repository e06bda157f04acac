package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PlanSpec is what the author of a plan wants.
type PlanSpec struct {
	// claim is the name of the PersistentVolumeClaim that is backed up.
	// +kubebuilder:validation:MinLength=1
	// +required
	Claim string `json:"claim"`

	// cron says when.
	// +optional
	Cron string `json:"cron,omitempty"`

	// keep is how many of the latest backups are kept.
	// +optional
	Keep int32 `json:"keep,omitempty"`

	// suspend stops further backups.
	// +optional
	Suspend bool `json:"suspend,omitempty"`
}

// PlanStatus is what the controller has done about a plan.
type PlanStatus struct {
	// cronJob is the name of the CronJob that makes the backups.
	// +optional
	CronJob string `json:"cronJob,omitempty"`
}

// Plan is a plan for backups.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
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
