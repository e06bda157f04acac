// Package storage serves robots from etcd: the resource, and its subresources
// status and scale.
//
//	storage.go    New, which creates all three
//	status.go     the same store with another strategy
//	scale.go      the same store as Scale of autoscaling/v1
//	scaling.go    how a change of the Scale changes the robot
//
// All methods are safe for concurrent use. Errors are API errors, ready for a
// client. Destroy of the resource closes the connection to etcd, which the
// subresources share.
package storage
