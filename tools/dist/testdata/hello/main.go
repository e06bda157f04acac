// The program hello stands for the programs of gatehouse.
package main

import (
	"fmt"

	"sigs.k8s.io/yaml"
)

func main() {
	text, err := yaml.Marshal("hello")
	fmt.Println(string(text), err)
}
