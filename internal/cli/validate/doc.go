// Package validate is the command `gatehouse validate`: it says what kube-apiserver
// would say about the webhook configurations in files.
//
//  1. the documents of the files are read, and those of other kinds are counted;
//  2. each configuration is decoded, defaulted and validated (package registration), and
//     becomes a judgement, with the places of what is wrong; a name that an earlier one
//     has is wrong, too;
//  3. the judgements are printed as kubectl would, or as one JSON document, and then
//     what could not be read.
//
// The answer is no if a configuration is not valid. What cannot be read is a mistake in
// the input, and comes after the rest.
//
// The package starts no goroutines, connects to nobody and calls no webhook.
package validate
