// Package etcd runs etcd in this process, as the database of one API server.
//
//	server.go       Start, Stop and the endpoint for clients
//	datadirlock.go  the lock on the data folder; lock_*.go has the system calls
//	config.go       the configuration of a single member
//	log.go          the log of etcd, which has the reason of a panic or exit
//	corruption.go   detection of damaged files
//	start.go        starting etcd with a deadline
//
// The member listens on Unix sockets in a folder that only the user may enter.
// etcd has no authentication here, and a client of etcd would bypass the API
// server.
//
// etcd does not synchronize temporary data with the disk, which makes the
// server faster. Start reads existing data completely. If the data is damaged,
// it returns an error; etcd itself would panic or end the process.
//
// Concurrency: a process may run any number of servers, each with its own data.
// The methods of a Server may be called concurrently. When Stop returns, all
// goroutines have ended. If another program has the database open and Start
// gives up, two goroutines remain until that program closes the database.
//
// Logs: if etcd cannot write its files, Start returns an error. After the
// start, and in some cases during it, etcd instead writes one line to standard
// error and ends the process with status 2. The etcd client, which
// k8s.io/apiserver creates once per process, warns in JSON on standard error
// about interrupted requests.
package etcd
