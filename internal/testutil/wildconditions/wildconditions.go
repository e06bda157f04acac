package wildconditions

import (
	_ "embed"

	"sigs.k8s.io/yaml"
)

// Condition is an expression of a public project.
type Condition struct {
	// Project is the project's repository, as OWNER/NAME.
	Project string `json:"project"`
	// Source is the address of the file or page that has the expression.
	Source string `json:"source"`
	// Name is unique among the conditions of the project.
	Name string `json:"name"`
	// Expression has the operators, fields and structure of the original, with
	// other names and values.
	Expression string `json:"expression"`
}

//go:embed conditions.yaml
var file []byte

// All returns the conditions in the order of the file. It panics if the file is
// not valid.
func All() []Condition {
	var all []Condition
	if err := yaml.UnmarshalStrict(file, &all); err != nil {
		panic(err)
	}
	return all
}
