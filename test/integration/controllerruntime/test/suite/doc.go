// Package suite tests the project as kubebuilder scaffolds it: BeforeSuite
// brings up an API server and the manager, and specs use them. The API server
// is gatehouse's, or with the build tag envtest that of envtest; the specs are
// the same.
//
// docs/envtest.md of gatehouse shows the two suite files side by side.
package suite
