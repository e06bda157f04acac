// Package served serves the webhooks of this project for tests: the manager with
// its webhook server, without controllers and without an API server.
package served
