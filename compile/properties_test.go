package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tchain.dev/tchain/chain"
)

// bootAt is a stack of a Boot release whose client has a property, and a value written
// by hand where the documentation of the property says that it goes.
func bootAt(boot string, p PropertyDoc, client, hand string) string {
	name := strings.ReplaceAll(p.Name, groupName, "pay")
	config := `properties: ` + fmt.Sprintf("%q", name) + `: "1711ms"`
	if hand != "" {
		value := `"1933ms"`
		if strings.HasSuffix(hand, "_MILLIS") || client == "httpUrlConnection" {
			value = "1933"
		}
		config += ", " + strings.ReplaceAll(hand, ".", ": ") + ": " + value
	}
	return jvmStack(`springBoot: "`+boot+`"`, client+`: {`+config+`}`, `{endpoint: scheme: "http", external: {}}`, "GET /")
}

// The documentation of a property says what the resolvers do: a value by hand at the
// place that it names wins over the property, in each release on either side of every
// boundary, and in no other release.
func TestAPropertyGoesWhereItsDocumentationSays(t *testing.T) {
	releases := []string{"3.3.13", "3.4.0", "3.4.11", "3.4.12", "3.5.0", "3.5.7", "3.5.8", "4.0.0", "4.1.2"}
	rows := 0
	for _, p := range Properties() {
		for _, x := range p.Sets {
			for _, boot := range releases {
				in := slices.ContainsFunc(strings.Split(x.Releases, ", "), func(span string) bool {
					words := strings.Fields(span) // from A to before B, from A on
					s := bootSpan{from: words[1]}
					if words[2] == "to" {
						s.before = words[4]
					}
					return s.has(boot)
				})
				alone := resolveText(t, bootAt(boot, p, x.Client, ""))
				bound := inForceOf(alone, "1.711s")
				if in && !bound {
					t.Errorf("%s is nowhere in %s with Boot %s", p.Name, x.Client, boot)
				}
				if !in && x.Client != "httpclient5" && bound {
					t.Errorf("%s is in force in %s with Boot %s, which does not bind it", p.Name, x.Client, boot)
				}
				both := resolveText(t, bootAt(boot, p, x.Client, x.Setting))
				if in && (inForceOf(both, "1.711s") || !inForceOf(both, "1.933s")) {
					t.Errorf("Boot %s: %s by hand does not win over %s in %s", boot, x.Setting, p.Name, x.Client)
				}
				rows++
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows", rows)
	}
}

// inForceOf reports whether a limit of the only call has a bound.
func inForceOf(s *chain.Stack, bound string) bool {
	return slices.ContainsFunc(s.Routes[0].Root.Calls()[0].Limits(), func(l chain.Limit) bool { return chain.Format(l.Bound) == bound })
}

func TestOnlyWhatATeamSaysOfItsOwnSystemIsDeclared(t *testing.T) {
	var own []string
	for _, category := range Categories {
		for _, key := range TypeKeys(category) {
			settings, err := Settings(key)
			if err != nil {
				t.Fatal(err)
			}
			declared := slices.ContainsFunc(settings, func(s SettingDoc) bool { return s.Proof == "declared" })
			if declared && !slices.Contains(own, key) {
				own = append(own, key)
			}
			for _, s := range settings {
				if declared != (s.Proof == "declared") && s.Category == category {
					t.Errorf("%s is %s, others of %s are not", s.ID, s.Proof, key)
				}
			}
		}
	}
	if got := strings.Join(own, " "); got != "app custom external loop" {
		t.Errorf("declared are %s", got)
	}
}

func TestAWordIsNoTypoOfItself(t *testing.T) {
	if got := Closest("app", []string{"app"}); got != "" {
		t.Errorf("app is taken for a typo of %q", got)
	}
	if got := Closest("app", []string{"app", "apps"}); got != "apps" {
		t.Errorf("near app is %q", got)
	}
}
