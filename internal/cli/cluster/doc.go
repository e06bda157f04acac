// Package cluster connects commands with a cluster as kubectl does: by the flags of
// kubectl, $KUBECONFIG, ~/.kube/config, and in a pod by its service account.
//
// The flags are those of package clientcmd, which kubectl's are made of. Package
// genericclioptions of cli-runtime has them too, and links kustomize: it makes gatehouse
// larger by a third.
//
// The package connects to nothing. An Options belongs to one command.
package cluster
