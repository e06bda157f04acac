// Package strategy does to the objects of a request what an API server does
// besides admission: it prunes, defaults, prepares and validates them.
//
// A Custom does so for the kind of a CustomResourceDefinition, with the code of
// k8s.io/apiextensions-apiserver and in its order:
//
//  1. Decode prunes fields that the schema does not have, drops nulls,
//     and coerces the metadata of the object and of embedded resources.
//  2. Default sets defaults: after decoding, and after the patch of a webhook.
//  3. Prepare resets what the endpoint does not store: the status, or
//     everything but the status.
//  4. Validate validates metadata, schema, list types and rules in CEL. An
//     UPDATE is ratcheted: what was wrong before and has not changed is
//     accepted.
//  5. Read prunes, converts and defaults the object as storing and reading it
//     does. Before the first step it does so to the object that is stored.
//
// Validate validates an object of another kind: its metadata only, because the
// rules for the built-in kinds are in k8s.io/kubernetes, which cannot be
// imported.
//
// A Custom is safe for concurrent use. Errors of objects are those of an API
// server. NewCustom has an error for a schema that an API server would not
// accept; rules in CEL that do not compile are errors of the objects.
//
// The package does not validate the CustomResourceDefinition itself, calls no
// conversion webhooks, and does not set metadata.generation.
package strategy
