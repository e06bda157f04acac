package wide

import (
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/test/internal/soak/engine"
)

func TestMain(m *testing.M) {
	engine.Quiet()
	leaktest.Main(m)
}
