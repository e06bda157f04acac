// Package snapshot is the command `gatehouse snapshot`: it reads from a cluster what the
// other commands take as files.
//
// Package internal/snapshot reads the objects and writes the folder, and package
// internal/cli/cluster has the flags of kubectl. From its start the command is draining
// (command.Draining): after an interrupt it removes what is temporary, and the folder is as
// it was.
package snapshot
