package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot is an order for toy robots of one type.
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
	// type is the name in the catalogue; it cannot be changed. It is v1's
	// model.
	Type string `json:"type"`
	// count is how many are wanted, 1 if absent. It is v1's replicas.
	// +optional
	Count *int32 `json:"count,omitempty"`
	// pieces are what every one of them is built from. They are v1's parts.
	// +optional
	// +listType=map
	// +listMapKey=name
	Pieces []Piece `json:"pieces,omitempty"`
}

// Piece is something that a robot is built from.
type Piece struct {
	// name says which piece.
	Name string `json:"name"`
	// count is how many of it a robot needs, 1 if absent. It is v1's quantity.
	// +optional
	Count *int32 `json:"count,omitempty"`
}

// RobotStatus says how far the factory is.
type RobotStatus struct {
	// built is how many there are. It is v1's replicas.
	// +optional
	Built int32 `json:"built,omitempty"`
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
