// Package tutorial follows the tutorial for kubebuilder projects from an empty folder:
// docs/tutorials/kubebuilder.md.
package tutorial
