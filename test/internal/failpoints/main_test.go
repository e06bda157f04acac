//go:build failpoints

package failpoints

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// row is what every row of every table has to say about itself.
type row = testtable.Row
