package session

import (
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// row is what every row of every table has to say about itself.
type row = testtable.Row
