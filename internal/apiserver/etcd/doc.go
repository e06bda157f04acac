// Package etcd runs the database of an API server inside the process.
//
// The steps, in order: Start chooses the folders, takes the data with a lock of its
// own, refuses data that another process has open or that is damaged, starts a cluster
// of one member and waits until that member has elected itself; Endpoint says where
// clients connect; Stop closes the database, gives the data back and removes what was
// temporary.
//
// The member listens on Unix sockets in a folder that only the user may enter,
// not on ports: etcd would let everybody who can reach it read and write
// everything, past all that the API server in front of it asks for.
//
// Without a folder of its own the data is temporary: it is removed by Stop, and
// until then nothing is done to have it survive a crash of the machine, which is
// most of what makes such a server quick.
//
// Concurrency: any number of servers may run in a process, each with its own
// data. The methods of a Server may be called from everywhere. Once Stop has
// returned, none of its goroutines is left; a Start that had to give up on a database
// that somebody has open leaves two, which end when it is closed there.
//
// Errors say which folder they are about. Damaged data is an error, too, as far as
// reading all of it can tell: etcd itself would panic, or end the process. What etcd
// logs is dropped, but for the last words before it does either all the same, which
// go to the standard error. The client is another matter: the one that
// k8s.io/apiserver makes, once per process, warns on the standard error, in JSON, of
// requests that are cut off, whatever the level of any log.
//
// What the package does not do: it makes no client and no clusters of several
// members, and it neither compacts nor backs up, the former being the API
// server's task.
package etcd
