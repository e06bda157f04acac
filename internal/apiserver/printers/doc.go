// Package printers makes the tables that `kubectl get` shows.
//
// table.go has the table convertor. The other files have the columns and cells
// of the common resources, as in kube-apiserver. All other resources get the
// columns of rest.NewDefaultTableConvertor: name and time of creation. The
// table generators of kube-apiserver are in k8s.io/kubernetes, which cannot be
// imported.
package printers
