package churn

import (
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
