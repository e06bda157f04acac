// Package hostname knows in which form names of hosts are compared, so that nobody has an
// idea of it of their own: two that are taken for one, although net/http goes to different
// servers for them, let a stranger have what is meant for somebody else.
//
// # Concurrency
//
// The package keeps nothing; its functions may be called from anywhere.
package hostname
