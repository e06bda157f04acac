// Package webhook has the webhooks of this project, written with kubewebhook as
// its README and its examples show it: one labels objects of any kind with
// their team, and one refuses pods with images from elsewhere.
package webhook
