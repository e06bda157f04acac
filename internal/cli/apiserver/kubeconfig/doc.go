// Package kubeconfig writes a kubeconfig file that exists as long as its server
// runs.
//
// Open checks the path, creates a temporary file beside it and removes a file
// that an earlier server has left behind; Publish renames the temporary file,
// so that readers never see a part of the content; Close removes the file.
// Files that gatehouse serve did not write are not changed.
//
// Concurrency: a File must not be used concurrently. Errors name the file and
// the flag.
package kubeconfig
