// Package storage serves robots from etcd: the resource, and its subresources
// status and scale.
//
//	storage.go    New, which makes all three
//	status.go     the same store, with another strategy
//	scale.go      the same store, seen as Scale of autoscaling/v1
//	scaling.go    what a change of the Scale changes in the robot
//
// All methods may be called by any number of goroutines. Errors are those of the
// API, ready for a client. Destroy of the resource closes the connection to etcd;
// the subresources share it and have nothing to close.
package storage
