// Package rewrite changes objects in the text of a manifest, and nothing else: the
// comments, the order of the fields, and all lines without a change stay as they
// are.
//
//	rewrite.go  File: the text with its changes
//	editor.go   compares an object with what it becomes, and collects the splices
//	insert.go   new fields and items, in block style and in flow style
//	span.go     where the text of a value begins and ends
//	print.go    values as text
//
// A change may set scalars, and add fields and items of lists. It removes nothing.
// New fields are the last of their object, and new items the last of their list.
// In flow style, and so in JSON, new text is JSON.
//
// File reads the result, and compares every document with what it has to be. So
// what the package does not understand is an error, and never a wrong file.
// Anchors are an error, too: other parts of the file share them.
package rewrite
