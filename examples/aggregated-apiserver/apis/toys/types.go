package toys

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Robot is an order for toy robots of one model.
type Robot struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Spec   RobotSpec
	Status RobotStatus
}

// RobotSpec is the model and the number of robots.
type RobotSpec struct {
	// Model is the name in the catalogue; required, and never changed
	// afterwards.
	Model string
	// Replicas is the desired number; at least 0.
	Replicas int32
	// Parts are the parts of every robot, each name once.
	Parts []Part
}

// Part is a part of a robot.
type Part struct {
	// Name is required.
	Name string
	// Quantity is the number per robot; at least 1.
	Quantity int32
}

// RobotStatus is the progress of the factory.
type RobotStatus struct {
	// Replicas is the number of finished robots.
	Replicas int32
	// ObservedGeneration is the metadata.generation that the factory has seen.
	ObservedGeneration int64
}

// RobotList is a list of robots.
type RobotList struct {
	metav1.TypeMeta
	metav1.ListMeta

	Items []Robot
}
