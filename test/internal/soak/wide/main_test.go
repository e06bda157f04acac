package wide

import (
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/test/internal/soak/engine"
)

func TestMain(m *testing.M) {
	engine.Quiet()
	goleak.VerifyTestMain(m)
}
