package chain

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// FuzzPlay looks for routes on which the fold and the simulation part, for as
// long as it is let: go test -run NONE -fuzz FuzzPlay ./chain. A route takes
// some kilobytes of draws, so that it starts from inputs of that length.
func FuzzPlay(f *testing.F) {
	for seed := range uint64(24) {
		var bytes [16 << 10]byte
		random := rand.New(rand.NewPCG(seed, 1))
		for i := range bytes {
			bytes[i] = byte(random.Uint32())
		}
		f.Add(bytes[:])
	}
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		r := randomRoute(t, false)
		for _, fault := range Faults(r) {
			agrees(t, r, fault)
		}
	}))
}
