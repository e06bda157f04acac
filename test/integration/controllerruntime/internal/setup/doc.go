// Package setup says what the manager of this project is made of, so that tests
// run the same as production.
package setup

//go:generate go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0 object crd:maxDescLen=0 webhook paths=example.com/backups/... output:crd:dir=../../config/crd/bases output:webhook:dir=../../config/webhook
