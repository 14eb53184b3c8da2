package compile

import (
	"strings"
	"testing"
)

// Spring 5 has a request factory for HttpClient 4. HttpClient 5 may be called beside it.
func TestASpringBeforeHttpClient5HasNoFactoryForIt(t *testing.T) {
	for _, row := range []struct{ runtime, client, told string }{
		{`springBoot: "2.7"`, `properties: "spring.http.client.read-timeout": "5s"`, "springBoot 2.7 has no factory and no properties for HttpClient 5: Spring before 6.0 takes HttpClient 4 only, as httpclient4"},
		{`springBoot: "2.7.18"`, `factory: {connectTimeout: "1s", readTimeout: "2s", connectionRequestTimeout: "3s"}`, "springBoot 2.7.18 has no factory"},
		{`spring: "5.3.39"`, `factory: connectTimeout: "1s"`, "spring 5.3.39 has no factory"},
		{``, `spring: "5.3.39", factory: connectTimeout: "1s"`, "spring 5.3.39 has no factory"},
		{`springBoot: "2.7.18"`, ``, ""},
	} {
		client := `{version: "5.1.4", ` + row.client + `}`
		s := resolveText(t, called(row.runtime, "http", "", client, `"/x": {}`))
		var told []string
		for _, n := range s.Notices {
			told = append(told, n.Message)
		}
		if got := strings.Join(told, "\n"); row.told == "" && got != "" || !strings.HasPrefix(got, row.told) || len(told) > 1 {
			t.Errorf("%s %s: %s", row.runtime, row.client, got)
		}
		for timer, want := range map[string]string{timerConnect: "3m", timerRead: "3m", timerWait: "3m"} {
			if got, _ := derived(t, s, "/x", timer); !strings.HasPrefix(got, "180s") && !strings.HasPrefix(got, want) {
				t.Errorf("%s %s: %s is %s", row.runtime, row.client, timer, got)
			}
		}
	}
}
