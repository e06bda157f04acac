package test

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
