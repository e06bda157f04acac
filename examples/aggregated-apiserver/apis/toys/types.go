package toys

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot is an order for toy robots of one model.
type Robot struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Spec   RobotSpec
	Status RobotStatus
}

// RobotSpec says which robots are wanted, and how many.
type RobotSpec struct {
	// Model is the name in the catalogue; required, and never changed afterwards.
	Model string
	// Replicas is how many are wanted; at least 0.
	Replicas int32
	// Parts are what every one of them is built from, each name once.
	Parts []Part
}

// Part is something that a robot is built from.
type Part struct {
	// Name is required.
	Name string
	// Quantity is how many of it a robot needs; at least 1.
	Quantity int32
}

// RobotStatus says how far the factory is.
type RobotStatus struct {
	// Replicas is how many have been built.
	Replicas int32
	// ObservedGeneration is the metadata.generation that the factory has seen.
	ObservedGeneration int64
}

// RobotList is some robots.
type RobotList struct {
	metav1.TypeMeta
	metav1.ListMeta

	Items []Robot
}
