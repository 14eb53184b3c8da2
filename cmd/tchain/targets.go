package main

import "tchain.dev/tchain/emit/targets"

func targetNames() []string {
	var out []string
	for _, t := range targets.All {
		out = append(out, t.Name)
	}
	return out
}
