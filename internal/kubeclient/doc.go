// Package kubeclient prepares the connections of commands to the API server of a
// cluster: to read a snapshot, and to forward ports.
package kubeclient
