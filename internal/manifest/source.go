package manifest

import "go.yaml.in/yaml/v3"

// Source returns the syntax tree of the object and how many lines of the file
// precede the text of its document: the lines of the nodes count from there. The
// node is nil if the tree is not known. Callers must not modify it.
//
// The columns of the first line are right if the document begins with its line,
// as all documents in YAML do.
func (d *Document) Source() (node *yaml.Node, before int) {
	o := d.lines()
	if o == nil {
		return nil, 0
	}
	return o.node, o.before
}
