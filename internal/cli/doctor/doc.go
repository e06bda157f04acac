// Package doctor has the command doctor, which says of each webhook whether API servers
// can call it.
//
//	doctor.go     the command: flags, exit status
//	dial.go       --dial: the checks of all webhooks that connect
//	handshake.go  a TLS handshake, verified as API servers verify it
//	review.go     a dry run that the webhook receives
//	output.go     the report as text and JSON
//
// What the files say is package internal/lint/doctor.
package doctor
