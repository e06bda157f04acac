// Package tutorial follows docs/tutorials/embedding.md from an empty folder: it writes the
// files of the page, and gives its commands to one shell, with the built command in the
// PATH. What the page shows of a command has to be what it prints. The test needs kubectl.
package tutorial
