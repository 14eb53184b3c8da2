package conformance

import (
	"fmt"
	"time"
)

// compare says where an observation differs from the prediction, one sentence
// each; nil if they agree.
func compare(predicted Prediction, observed Result) []string {
	var out []string
	differ := func(what string, p, o any) {
		if p != o {
			out = append(out, fmt.Sprintf("%s: predicted %v, observed %v", what, p, o))
		}
	}
	differ("status", predicted.Status, observed.Status)
	differ("written by", predicted.By, observed.By)
	differ("setting", predicted.Setting, observed.Setting)
	differ("attempts", predicted.Attempts, observed.Attempts)
	differ("cut", predicted.Cut, observed.Cut)
	differ("running", predicted.Running, observed.Running)
	tol := Tolerances[observed.Product]
	late := func(what string, p, o int) {
		off := time.Duration(o-p) * time.Millisecond
		if off < -tol.Early || off > tol.Late {
			out = append(out, fmt.Sprintf("%s: predicted %d ms, observed %d ms, tolerance -%v +%v", what, p, o, tol.Early, tol.Late))
		}
	}
	switch {
	case predicted.FirstByteMS == NoByte || observed.FirstByteMS == NoByte && predicted.FirstByteMS != 0:
		differ("first byte", predicted.FirstByteMS, observed.FirstByteMS)
	case predicted.FirstByteMS != 0:
		late("first byte", predicted.FirstByteMS, observed.FirstByteMS)
	}
	if !predicted.Running && !observed.Running {
		late("elapsed", predicted.ElapsedMS, observed.ElapsedMS)
	}
	return out
}
