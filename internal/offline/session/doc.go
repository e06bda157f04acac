// Package session takes objects through admission webhooks: what `gatehouse run` is
// about, and every other command that asks what an API server would do with them.
//
// # Steps
//
// Options say what is asked, in the words of flags, which AddClusterFlags,
// AddRequestFlags and AddCallFlags define. Prepare makes a Session of them:
//
//  1. the options are checked, without opening a file;
//  2. all files are read and sorted (package cluster): CustomResourceDefinitions teach
//     kinds, webhook configurations become the source of the engine, RBAC objects its
//     authorizer, Namespaces its labels, and the rest are objects; before them, with
//     --admission-control-config-file, a server's kubeconfigs and static manifests;
//  3. package requests makes requests of the objects: they are created, updated,
//     deleted or sent to a subresource, as flags say; request files and
//     AdmissionReviews say it themselves;
//  4. the engine is put together, and with --inject a fault server is started for each
//     webhook that it names.
//
// Admit takes the requests through dispatcher.Simulate, one after the other, and shows
// each as a Visit. Tell says at the end what else should be known. Close ends it all:
//
//	s, err := session.Prepare(options)
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	return s.Admit(ctx, func(v *session.Visit) error { … })
//
// No admission webhook is called before Admit. Conversion webhooks of
// CustomResourceDefinitions are called in step 3 if objects have to be converted.
//
// # Concurrency
//
// Options and a Session belong to one goroutine. Requests are admitted one at a time,
// in order. The only goroutines are those of the engine, of HTTP connections and of
// fault servers; Close ends the latter two.
//
// # Errors
//
// A mistake in the options is a message.UsageError, one in what they name a
// message.InputError. A denial is no error: it is in the Visit.
//
// # What it does not do
//
// It prints nothing but notices. It never talks to an API server, does not validate
// objects against their schema, and does not know what else an API server's chain
// would do to them. Requests do not influence each other: a Namespace among the inputs
// has the labels that are written in it, whatever webhooks make of it.
package session
