// Package tutorial follows the tutorial for kubebuilder projects, from an empty folder of
// this module: docs/tutorials/kubebuilder.md.
package tutorial
