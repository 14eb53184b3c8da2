package check_test

var noticeVariants = []variant{
	{"ignored-value", "bad", []string{`"90s"`, `"76s"`}, "warning", "acts as 75s"},
	{"ignored-value", "bad", []string{`"90s"`, `"75s"`}, "", ""},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 4001"}, "error", "1 to 4000"},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 4000"}, "", ""},
	{"rejected", "bad", []string{"idle_timeout: 5000", "idle_timeout: 0"}, "error", ""},
	{"unit-trap", "bad", []string{"timeout: 20", "timeout: 999"}, "warning", "999ms"},
	{"unit-trap", "bad", []string{"timeout: 20", "timeout: 1000"}, "", ""},
	{"sticky-limit", "bad", []string{`"500ms"`, `"5s"`}, "", ""},
	{"sticky-limit", "bad", []string{`"500ms"`, `"4999ms"`}, "warning", "4.999s"},
	{"version-boundary", "bad", []string{`"1.29"`, `"1.29.6"`}, "", ""},
	{"version-boundary", "bad", []string{`"1.29"`, `"1"`}, "warning", "too coarse"},
	{"version-boundary", "bad", []string{`"1.29"`, `"1.28"`}, "", ""},
}
