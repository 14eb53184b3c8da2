package main

import (
	"maps"
	"testing"
)

func TestReadEnv(t *testing.T) {
	got := map[string]string{"KEPT": "1"}
	err := readEnv("\uFEFFFIRST=1\n# comment\n\nPAY=2s\r\nexport READ = \"90s\"\nONE='a=b'\nEMPTY=\nHALF=\"x\n", got)
	want := map[string]string{"KEPT": "1", "FIRST": "1", "PAY": "2s", "READ": "90s", "ONE": "a=b", "EMPTY": "", "HALF": `"x`}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"PAY", "=1", "A B=1", "a\n\"X\"=1"} {
		if readEnv(bad, map[string]string{}) == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestABadLineOfAnEnvFileIsNotRepeated(t *testing.T) {
	err := readEnv("A=1\nsecret token\n", map[string]string{})
	if err == nil || err.Error() != "2: line is not NAME=VALUE" {
		t.Error(err)
	}
}
