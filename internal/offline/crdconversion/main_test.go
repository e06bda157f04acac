package crdconversion_test

import (
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

type row = testtable.Row
