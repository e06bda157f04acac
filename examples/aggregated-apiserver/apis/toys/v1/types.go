package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot is an order for toy robots of one model.
type Robot struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of every object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which robots are wanted, and how many.
	Spec RobotSpec `json:"spec"`
	// status says how far the factory is. It is written through the status
	// subresource only.
	// +optional
	Status RobotStatus `json:"status,omitempty"`
}

// RobotSpec says which robots are wanted, and how many.
type RobotSpec struct {
	// model is the name in the catalogue; it cannot be changed.
	Model string `json:"model"`
	// replicas is how many are wanted, 1 if absent. The scale subresource reads
	// and writes it.
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`
	// parts are what every one of them is built from.
	// +optional
	// +listType=map
	// +listMapKey=name
	Parts []Part `json:"parts,omitempty"`
}

// Part is something that a robot is built from.
type Part struct {
	// name says which part.
	Name string `json:"name"`
	// quantity is how many of it a robot needs, 1 if absent.
	// +optional
	Quantity *int32 `json:"quantity,omitempty"`
}

// RobotStatus says how far the factory is.
type RobotStatus struct {
	// replicas is how many have been built.
	// +optional
	Replicas int32 `json:"replicas,omitempty"`
	// observedGeneration is the metadata.generation that the factory has seen.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// RobotList is some robots.
type RobotList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is that of every list.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the robots.
	Items []Robot `json:"items"`
}
