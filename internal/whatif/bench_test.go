package whatif_test

import "testing"

func BenchmarkBuild(b *testing.B) {
	documents := setOf(b, beforeText(b)).Documents()
	for b.Loop() {
		if _, err := builder(shop)(documents); err != nil {
			b.Fatal(err)
		}
	}
}
