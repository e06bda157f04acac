// Package session sends objects through admission webhooks, for `gatehouse run`
// and every other command that simulates an API server.
//
// Options hold the values of flags, which AddClusterFlags, AddRequestFlags and
// AddCallFlags define. Prepare checks the options, reads all files (package
// cluster), makes requests of the objects (package requests), creates the
// engine and, with --inject, starts a fault server for each webhook with a
// fault. Admit makes the requests again, because there may be any number of them,
// passes them to simulate.Request, and returns each Result in their order:
//
//	s, err := session.Prepare(options)
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	return s.Admit(ctx, func(r *session.Result) error { … })
//
// Prepare calls no admission webhook. It calls conversion webhooks of
// CustomResourceDefinitions if objects have to be converted.
//
// A mistake in the options is a message.UsageError, one in the files a
// message.InputError. A denial is no error: it is in the Result.
//
// Options and a Session belong to one goroutine; Admit starts others and waits
// for them. The package prints nothing but notices, never connects to an API
// server, and runs no other parts of one than admission and what package strategy
// does. Requests do not influence each other: a Namespace among the inputs keeps
// its labels even if a webhook changes them.
package session
