package reinvocation_test

import (
	"flag"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

var update = flag.Bool("update", false, "rewrite the output in testdata")

// row is what every row of every table has to say about itself.
type row = testtable.Row

type partial = metav1.PartialObjectMetadata

// object returns an object that equals only objects of the same name.
func object(name string) *partial {
	return &partial{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
