package crdconversion_test

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row = testtable.Row
