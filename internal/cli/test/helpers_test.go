package test

import (
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }
