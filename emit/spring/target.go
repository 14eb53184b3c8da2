package spring

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"tchain.dev/tchain/chain"
	"tchain.dev/tchain/emit"
	"tchain.dev/tchain/emit/internal/limits"
)

// Target is `tchain emit spring`.
var Target = emit.Target{
	Name:     "spring",
	Title:    "Spring: RestTemplate, RestClient and WebClient in Java, and application.yml for the server",
	Packages: true,
	Emit:     write,
}

// target names the target in refusals.
const target = "spring"

// dialect is what HttpClient 5's classic client can do. No limit of it bounds a whole
// call, and none the writing of a request.
var dialect = limits.Dialect{
	Target: target, Name: "HttpClient 5", Proxy: "needs setProxy or useSystemProperties",
	Unit: time.Millisecond, Most: (1<<31 - 1) * time.Millisecond,
	BothBounds: true,
	Kinds:      append(slices.Clone(limits.Common), chain.MaxLifetime),
}

var javaPackage = regexp.MustCompile(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*$`)

// reserved are the words that are no name in Java:
// https://docs.oracle.com/javase/specs/jls/se21/html/jls-3.html#jls-3.9 and 3.10.
var reserved = strings.Fields(`abstract assert boolean break byte case catch char class const continue default do double
	else enum extends final finally float for goto if implements import instanceof int interface long native new package
	private protected public return short static strictfp super switch synchronized this throw throws transient try void
	volatile while _ true false null`)

func write(s *chain.Stack, o emit.Options) ([]emit.File, []emit.Warning, error) {
	pkg := cmp.Or(o.Package, "upstream")
	if !javaPackage.MatchString(pkg) {
		return nil, nil, &emit.Refusal{Target: target, Value: pkg, Why: "it is no name for a Java package"}
	}
	for part := range strings.SplitSeq(pkg, ".") {
		if slices.Contains(reserved, part) {
			return nil, nil, &emit.Refusal{Target: target, Value: pkg, Why: "it is no name for a Java package: Java reserves " + part}
		}
	}
	routes, err := o.Select(s)
	if err != nil {
		return nil, nil, err
	}
	var c emit.Collector
	apps := dialect.Apps(routes, &c)
	booted := emit.Layers(routes, hasProperties)
	if len(apps)+len(booted) == 0 && c.Refusals == nil {
		return nil, nil, &emit.Refusal{Target: target, Nothing: true, Why: "no app of " + s.Name + " has a client or a server of Spring Boot's"}
	}
	several := len(dialect.Apps(s.Routes, new(emit.Collector))) > 1 || len(emit.Layers(s.Routes, hasProperties)) > 1
	dir := func(layer string) string {
		if !several {
			return ""
		}
		return strings.ToLower(strings.Join(words(layer), "_")) + "/"
	}
	var files []emit.File
	for _, a := range apps {
		if c.AtRunTime(target, a.Layer, routes, a.RestsOn) {
			continue
		}
		c.Heed(target, s, a.Layer, routes)
		a.Distinct(className, &c)
		for _, cl := range a.Clients {
			class := httpClient5
			if isWebClient(cl) {
				class = webClient
			}
			file := emit.File{Name: dir(a.Layer) + className(cl) + ".java", Content: class(a, cl, s, pkg, &c)}
			c.Lost("tchain emit "+target, own(cl), []emit.File{file})
			files = append(files, c.Files(target, a.Layer, file)...)
		}
	}
	for _, l := range emit.Layers(routes, emit.OfType("app")) {
		c.Lost("tchain emit "+target, serverOf(l, "jetty", "netty", "undertow"), nil)
	}
	for _, l := range booted {
		if c.AtRunTime(target, l.Name, routes, emit.OfServer) {
			continue
		}
		c.Heed(target, s, l.Name, routes)
		file := emit.File{Name: dir(l.Name) + "application.yml", Content: properties(l, s, &c)}
		c.Lost("tchain emit "+target, serverOf(l, "tomcat"), []emit.File{file})
		files = append(files, c.Files(target, l.Name, file)...)
	}
	c.Unmet(s, func(o chain.Origin) bool {
		return (emit.OfClient(o.Setting) || emit.OfServer(o.Setting)) && !slices.Contains(inputs, o.ID)
	}, files)
	if c.Refusals != nil {
		return nil, nil, errors.Join(c.Refusals...)
	}
	return files, c.Warnings, nil
}

// inputs say how today's code makes what an emitted class makes itself: they have
// done their work in the values that are in force.
var inputs = []string{"httpclient5.context.class", "httpclient5.context.copyOf", "httpclient5.context.object"}

// rivals compete with others for one timer: that in force is in the class, and a
// warning tells of one that is beaten by another time.
var rivals = []string{
	"httpclient5.manager.connectionConfig.connectTimeout", "httpclient5.manager.connectionConfig.socketTimeout", "httpclient5.manager.socketConfig.soTimeout",
	"httpclient5.client.requestConfig.connectionRequestTimeout", "httpclient5.client.requestConfig.connectTimeout",
	"httpclient5.client.requestConfig.responseTimeout", "httpclient5.client.requestConfig.connectionKeepAlive",
	"httpclient5.factory.connectTimeout", "httpclient5.factory.readTimeout", "httpclient5.factory.connectionRequestTimeout",
}

// own are the settings of a client, on all of its routes.
func own(cl *limits.Client) []chain.Setting {
	var out []chain.Setting
	for _, u := range cl.Uses {
		for _, s := range u.Node.Settings {
			if strings.HasPrefix(s.Block+".", "clients."+cl.Name+".") && !slices.Contains(inputs, s.Origin.ID) && !slices.Contains(rivals, s.Origin.ID) {
				out = append(out, s)
			}
		}
	}
	return out
}

// className is the class of a client: "AuthClientConfiguration".
func className(cl *limits.Client) string { return upper(cl.Name) + "ClientConfiguration" }

func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// upper is a name as the start of a Java class: "risk-engine" is RiskEngine.
func upper(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		r := []rune(w)
		b.WriteString(string(unicode.ToUpper(r[0])) + string(r[1:]))
	}
	if text := b.String(); text != "" && !unicode.IsDigit([]rune(text)[0]) {
		return text
	}
	return "X" + b.String()
}

// lower is a name as the start of a bean's name.
func lower(name string) string {
	r := []rune(upper(name))
	return string(unicode.ToLower(r[0])) + string(r[1:])
}
