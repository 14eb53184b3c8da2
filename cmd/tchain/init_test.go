package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/load"
	"pgregory.net/rapid"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/check"
	"tchain.dev/tchain/compile"
	"tchain.dev/tchain/draft"
	"tchain.dev/tchain/emit"
	_ "tchain.dev/tchain/internal/repeatable"
)

// drafted is the stack that init would write for a chain.
func drafted(t rapid.TB, file, links string) (string, error) {
	t.Helper()
	layers, err := parseChain(links)
	if err != nil {
		t.Fatal(err)
	}
	text, err := draftStack(draft.Chain{Package: "shop", Name: "shop", Layers: layers}, file)
	return string(text), err
}

// mustBeClean reads a draft as check does.
func mustBeClean(t rapid.TB, file, links, text string) {
	t.Helper()
	opt := compile.Options{Workers: 1, Overlay: map[string][]byte{file: []byte(text)}}
	sum := compile.Each([]string{file}, opt, func(u *compile.Unit) {
		for _, e := range u.Errors {
			t.Errorf("%s: %d:%d: %s\n%s", links, e.Range.Line, e.Range.Column, e.Message, text)
		}
		if u.Stack == nil {
			return
		}
		for _, f := range check.Run(u.Stack) {
			if f.Severity >= check.Warning {
				t.Errorf("%s: %s: %s\n%s", links, f.Rule, f.Message, text)
			}
		}
	})
	if sum.Units != 1 || len(sum.Errors) > 0 {
		t.Errorf("%s: %+v", links, sum)
	}
}

func layersOf(roles ...chain.Role) []string {
	return slices.DeleteFunc(compile.TypeKeys("layer"), func(key string) bool {
		return !slices.Contains(roles, compile.LayerType(key).Role)
	})
}

// platforms fix two times so that no setting makes them fit: the outer one reuses
// connections for longer than the inner one keeps them, or waits no longer than
// the inner one may take; or one setting of a platform is both.
var platforms = []string{
	"alb,alb", "alb,classicElb", "classicElb,alb", "classicElb,classicElb",
	"cloudflare,azureAppGateway", "cloudflare,cloudflare", "gcpLB,azureAppGateway", "gcpLB,cloudflare",
	"herokuRouter,cloudflare", "herokuRouter,herokuRouter",
}

func TestInitIsCleanForEveryTwoLayersInFrontOfAnApp(t *testing.T) {
	if testing.Short() {
		t.Skip("several hundred stacks")
	}
	passing := layersOf(chain.RolePassing)
	for _, outer := range passing {
		t.Run(outer, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), stackName)
			for _, inner := range passing {
				links := "browser," + outer + "," + inner + ",app,external"
				text, err := drafted(t, file, links)
				if fits := !slices.Contains(platforms, outer+","+inner); fits != (err == nil) {
					t.Errorf("%s: error %v, want one only where platforms do not fit each other", links, err)
				}
				if err == nil {
					mustBeClean(t, file, links, text)
				}
			}
		})
	}
}

// eachTypeOnce are chains that have every type of the catalogue in its usual place.
func eachTypeOnce() []string {
	links := []string{"browser,alb,nginx,app,external", "browser,external", "browser,app", "app,external", "browser,unknown,app,external", "web=browser,my-edge=alb,if=app,for=app"}
	for _, p := range layersOf(chain.RolePassing) {
		links = append(links, "browser,"+p+",external", "browser,"+p+",app", p+",app,external")
	}
	for _, l := range layersOf(chain.RoleLeaf) {
		links = append(links, "browser,app,"+l)
	}
	for _, s := range compile.TypeKeys("server") {
		links = append(links, "browser,alb,app:"+s+",external")
	}
	for _, c := range compile.TypeKeys("client") {
		links = append(links, "browser,alb,app:tomcat/"+c+",external", "app:tomcat/"+c+",app:node,external")
	}
	return links
}

// endless are clients that keep a connection without limit, longer than any server
// whose time is known.
var endless = []string{"app:tomcat/requests,app:node,external", "app:tomcat/urllib3,app:node,external"}

// TestInitIsCleanForEachType also holds each against the schema as the sidecar
// does, which is what cue vet sees.
func TestInitIsCleanForEachType(t *testing.T) {
	ctx, schema := vendoredSchema(t)
	layer, route := schema.LookupPath(cue.ParsePath("#Layer")), schema.LookupPath(cue.ParsePath("#Route"))
	file := filepath.Join(t.TempDir(), stackName)
	all := eachTypeOnce()
	if testing.Short() {
		all = all[:6]
	}
	for _, links := range all {
		text, err := drafted(t, file, links)
		if slices.Contains(endless, links) {
			if err == nil || !strings.Contains(err.Error(), "which api reuses without limit") {
				t.Errorf("%s: error %v, want that nothing ends what api reuses", links, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", links, err)
			continue
		}
		mustBeClean(t, file, links, text)
		stack := ctx.CompileString(text)
		for field, def := range map[string]cue.Value{"layers": layer, "routes": route} {
			each, err := stack.LookupPath(cue.ParsePath(field)).Fields()
			if err != nil {
				t.Fatal(err)
			}
			for each.Next() {
				if err := def.Unify(each.Value()).Validate(cue.Concrete(true)); err != nil {
					t.Errorf("%s: cue vet would refuse %s: %v\n%s", links, each.Selector(), err, text)
				}
			}
		}
	}
}

func vendoredSchema(t *testing.T) (*cue.Context, cue.Value) {
	t.Helper()
	dir := t.TempDir()
	files := append(vendored(), emit.File{Name: "cue.mod/module.cue", Content: moduleFile("shop")})
	if err := emit.WriteDir(dir, files); err != nil {
		t.Fatal(err)
	}
	ctx := cuecontext.New()
	v := ctx.BuildInstance(load.Instances([]string{"."}, &load.Config{Dir: filepath.Join(dir, filepath.FromSlash(vendorDir))})[0])
	if err := v.Err(); err != nil {
		t.Fatal(err)
	}
	return ctx, v
}

// TestInitIsCleanOrSaysWhy draws longer chains, with apps that call apps.
func TestInitIsCleanOrSaysWhy(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred stacks")
	}
	file := filepath.Join(t.TempDir(), stackName)
	passing, leaves := layersOf(chain.RolePassing), layersOf(chain.RoleLeaf)
	servers, clients := compile.TypeKeys("server"), compile.TypeKeys("client")
	rapid.Check(t, func(t *rapid.T) {
		links := rapid.SliceOfN(rapid.SampledFrom(passing), 0, 3).Draw(t, "in front")
		for range rapid.IntRange(1, 2).Draw(t, "apps") {
			links = append(links, "app:"+rapid.SampledFrom(servers).Draw(t, "server")+"/"+rapid.SampledFrom(clients).Draw(t, "client"))
		}
		links = append(links, rapid.SampledFrom(leaves).Draw(t, "leaf"))
		if rapid.Bool().Draw(t, "with a browser") {
			links = slices.Insert(links, 0, "browser")
		}
		all := strings.Join(links, ",")
		text, err := drafted(t, file, all)
		if err == nil {
			mustBeClean(t, file, all, text)
			return
		}
		rule, _, _ := strings.Cut(err.Error(), ":")
		if !slices.Contains([]string{"platform-cap", "keepalive-race", "retry-budget"}, rule) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", all, err)
		}
	})
}
