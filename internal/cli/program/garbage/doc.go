// Package garbage lets a program that imports it start without collecting garbage.
//
// The packages of Kubernetes allocate several megabytes while they initialize, and Go
// collects garbage for the first time at 4 MB. A command that ends soon would spend a
// third of its time on marking what it needs until its end. With this package the first
// collection comes at 32 MB, and Go's own rule holds from then on: see debug.SetGCPercent.
// A percentage in $GOGC takes precedence.
//
// It takes effect when it is initialized. Go initializes packages in the order of their
// import paths, as far as their imports allow: so this one, which imports only the
// standard library, comes before those of Kubernetes.
package garbage
