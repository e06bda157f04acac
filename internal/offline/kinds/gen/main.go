// Command gen writes the table of built-in kinds of package kinds.
//
// It is run by go generate in the folder of that package. What it knows comes
// from the modules that go.mod names, and from the short lists in lists.go:
//
//  1. client-go's fake typed clients have the kinds and the names of their
//     resources; the typed clients show which kinds have a status or a scale.
//  2. k8s.io/api has the group of each, and marks which are cluster-scoped
//     (+genclient:nonNamespaced), and which are no longer served.
//  3. The lists add what has no client, and take away what is no resource.
package main

import (
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	source, err := generate()
	if err != nil {
		log.Fatalf("writing the table of kinds: %v", err)
	}
	if err := os.WriteFile("table.go", source, 0o644); err != nil {
		log.Fatalf("writing the table of kinds: %v", err)
	}
}
