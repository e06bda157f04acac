// Package v1 has the webhooks for plans in v1: one that sets defaults, and one
// that refuses what is wrong. A plan in another version is converted before
// they see it.
package v1
