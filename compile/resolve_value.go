package compile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"tchain.dev/tchain/chain"
)

// resolve is the value in force of one field: fixed by the platform, else
// written, else the product's default.
func (e *effective) resolve(fr frame, f *Field) *setting {
	s := &setting{field: f, group: fr.group, name: fr.name + f.Name, block: fr.block}
	if f.Fixed != "" {
		s.take(f, f.Fixed)
		s.origin = e.originOf(fr, f, chain.Fixed, f.Fixed)
		return s
	}
	v := fr.blocks.value(f.Name)
	if v == nil {
		e.fallBack(fr, s)
		return s
	}
	s.field, s.state, s.raw, s.text, s.d = v.Field, known, v.Raw, v.Text, v.D
	s.origin = e.complete(v)
	if _, rest, nested := strings.Cut(fr.block, "."); v.Field.Block != "" {
		s.block = v.Field.Block // of blocks that inherit, the one that it stands in
		if nested {
			s.block += "." + rest
		}
	}
	if !v.known() {
		s.state, s.origin.Source = unknown, chain.Injected
		return s
	}
	e.accept(fr, s)
	return s
}

// reckonsWith takes the nearest value that the product does take for one that it
// refuses, so that nothing else is said of what can never be in force.
func (s *setting) reckonsWith(text string) {
	s.raw, s.d = parseDefault(s.field, text)
	s.origin.Note = s.text + " is refused: " + text + " is reckoned with"
}

// accept applies what the product does to a written value: it may reject it,
// take it for its default, or use no more of it than its cap.
func (e *effective) accept(fr frame, s *setting) {
	written := s.origin
	if slices.Contains(s.field.Flags, "millis") {
		s.d = s.d.Truncate(time.Millisecond)
	}
	reject := func(kind chain.NoticeKind, message string) {
		e.notices = append(e.notices, chain.Notice{Kind: kind, Layer: e.layer, Origin: written, Message: message})
	}
	meaning, untold := s.meaning(), s.untold()
	low, high := bound(s, s.field.Min), bound(s, s.field.Max)
	switch {
	case meaning == "invalid":
		reject(chain.NoticeRejected, fmt.Sprintf("%s: %s does not take %s", written.Name, e.typ.Key, s.text))
		e.fallBack(fr, s)
	case meaning == "off": // whatever the range of what is on
	case low > 0 || high < 0:
		reject(chain.NoticeRejected, fmt.Sprintf("%s %s is outside of what %s takes, %s to %s", written.Name, s.text, e.typ.Key, s.field.Min, s.field.Max))
		if low > 0 {
			s.reckonsWith(s.field.Min)
		} else {
			s.reckonsWith(s.field.Max)
		}
	case meaning == "default":
		e.fallBack(fr, s)
		s.origin.StandAt(written)
		s.origin.Place, s.origin.Setting = written.Place, written.Setting
		s.origin.Note = strings.TrimPrefix(s.origin.Note+"; "+written.Text+" means the default", "; ")
	case s.d == 0 && !zeroText(s.text) && slices.Contains(s.field.Flags, "millis"):
		reject(chain.NoticeIgnored, fmt.Sprintf("%s %s acts as 0: whole milliseconds count", written.Name, s.text))
	case s.overflows():
		o := s.field.Overflow
		reject(chain.NoticeIgnored, fmt.Sprintf("%s %s acts as %s: %s", written.Name, s.text, o.As, o.Why))
		_, s.d = parseDefault(s.field, o.As)
		s.origin.Note = "acts as " + o.As + ": " + o.Why
	case s.field.Cap != "":
		if _, most := parseDefault(s.field, s.field.Cap); most > 0 && s.d > most {
			reject(chain.NoticeIgnored, fmt.Sprintf("%s %s acts as %s: %s", written.Name, s.text, s.field.Cap, s.field.CapWhy))
			s.d, s.origin.Note = most, "acts as "+s.field.Cap+": "+s.field.CapWhy
		}
	}
	if untold != "" {
		reject(chain.NoticeIgnored, fmt.Sprintf("%s %s acts as %s: %s", written.Name, written.Text, s.acts(meaning), untold))
	}
	if n, bare := s.raw.(int64); bare && s.written() && n > 0 && n < s.field.Suspect {
		reject(chain.NoticeUnit, fmt.Sprintf("%s %d is %s in %s", written.Name, n, chain.Format(s.d), e.typ.Key))
	}
}

// overflows reports whether the value is above what the product's number holds.
func (s *setting) overflows() bool {
	if s.field.Overflow.Above == "" {
		return false
	}
	_, most := parseDefault(s.field, s.field.Overflow.Above)
	return s.d > most
}

// acts is what a value comes to by its meaning.
func (s *setting) acts(meaning string) string {
	switch {
	case meaning == "default" && s.text != "":
		return s.text + ", the default"
	case meaning == "default":
		return "one that is not set"
	case meaning == "infinite" && s.field.Notation == nil:
		return "no bound"
	case meaning == "infinite":
		return "no limit"
	}
	return meaning
}

// bound compares a limit of the catalogue with the value: positive if the
// limit is above it, 0 if there is none or they are equal.
func bound(s *setting, text string) int {
	if text == "" {
		return 0
	}
	raw, d := parseDefault(s.field, text)
	if s.field.Notation != nil {
		return cmp.Compare(d, s.d)
	}
	n, isNumber := raw.(int64)
	mine, mineToo := s.raw.(int64)
	if !isNumber || !mineToo {
		return 0
	}
	return cmp.Compare(n, mine)
}

// fallBack gives a setting the product's own value, if it has one.
func (e *effective) fallBack(fr frame, s *setting) {
	s.state, s.raw, s.text, s.d = unset, nil, "", 0
	spec, ok := e.defaultOf(fr, s.field)
	if !ok {
		s.origin = e.originOf(fr, s.field, "", "")
		return
	}
	if spec.From == "" {
		s.take(s.field, spec.Value)
		s.origin = e.originOf(fr, s.field, chain.Default, spec.Value)
		return
	}
	from := fr.field.child(spec.From)
	if from == nil || e.falling > len(fr.field.Fields) { // a type of a team's may fall back to itself
		s.origin = e.originOf(fr, s.field, "", "")
		return
	}
	e.falling++
	other := e.resolve(fr, from)
	e.falling--
	s.state, s.raw, s.text, s.d = other.state, other.raw, other.text, other.d
	s.origin = e.originOf(fr, s.field, chain.Derived, other.text)
	s.origin.Note = s.origin.Name + " not set: " + spec.From
	s.origin.Estimate = other.origin.Estimate
	s.rests = other.written() || other.rests
	if other.written() {
		s.origin.StandAt(other.origin)
	}
	switch m := other.meaning(); {
	case m == "":
	case other.field.Zero == s.field.Zero && other.field.Negative == s.field.Negative:
	default:
		s.field = like(s.field, other.field)
	}
}

// like is a field whose zero means what it means for another one, as where a
// setting falls back to that other one's value.
func like(f, other *Field) *Field {
	out := *f
	out.Zero, out.Negative = other.Zero, other.Negative
	return &out
}

func (s *setting) take(f *Field, text string) {
	s.state, s.text = known, text
	s.raw, s.d = parseDefault(f, text)
	if text == neverText && (f.Notation != nil || f.Fixed != "") {
		s.d = chain.Never
	}
}

// defaultOf is the newest default that the version has and whose condition holds.
func (e *effective) defaultOf(fr frame, f *Field) (best DefaultSpec, ok bool) {
	for _, d := range f.Defaults {
		if d.Until != "" {
			if e.version != "" && !atLeast(e.version, d.Until) && e.hasSince(d.Since) && e.when(fr, d.When) {
				return d, true
			}
			continue
		}
		if !e.hasSince(d.Since) || !e.when(fr, d.When) {
			continue
		}
		if !ok || d.Since == best.Since || best.Since == "" || d.Since != "" && atLeast(d.Since, best.Since) {
			best, ok = d, true
		}
	}
	return best, ok
}

func (e *effective) hasSince(since string) bool {
	switch {
	case since == "":
		return true
	case isMonth(since):
		return atLeast(e.asOf, since)
	case e.before != "" && atLeast(since, e.before):
		return false
	}
	return atLeast(e.version, since)
}

// when reports whether a block or setting is written: "upstream", or with "!"
// that it is not; it may be the block that the setting itself stands in. A block
// by peer counts if it is there for this peer.
func (e *effective) when(fr frame, cond string) bool {
	name, not := strings.CutPrefix(cond, "!")
	if name == "" {
		return true
	}
	inside := len(fr.path) > 0 && fr.path[len(fr.path)-1] == name && slices.ContainsFunc(fr.blocks, func(b *Block) bool { return b != nil })
	there := inside || fr.blocks.value(name) != nil || e.blocks.value(name) != nil || len(e.blocks.child(name)) > 0
	for _, f := range e.typ.Root.Fields {
		if f.Name == name && f.Elem != nil {
			there = f.Keyed == "peer" && e.peer != "" && len(e.blocks.element(f, e.peer)) > 0 ||
				f.Keyed != "peer" && len(e.blocks.keys(f)) > 0
		}
	}
	return there != not
}

// originOf is the origin of what is not written: it stands at the part itself.
func (e *effective) originOf(fr frame, f *Field, source chain.Source, text string) chain.Origin {
	at := e.slotOf(fr, f)
	return chain.Origin{
		Source: source, Layer: e.layer, Setting: at.setting, ID: f.ID, Name: f.said(f.Name), Text: text,
		Product: e.productText, Proved: f.Proof != "", Doc: f.DocURL, Pos: e.pos, Place: at.place,
	}
}

// A slot is where a setting would be written.
type slot struct {
	setting string
	place   *chain.Place
}

// slots are those of the fields of one struct, by name.
type slots map[string]slot

// slotsAt are the slots below a path, which are asked for again by each version, each
// peer, and each route that says something of the part.
func (e *effective) slotsAt(path []string) slots {
	k := key(path)
	known, ok := e.slots[k]
	if ok {
		return known
	}
	if e.slots == nil {
		e.slots = map[string]slots{}
	}
	known = slots{}
	e.slots[k] = known
	return known
}

func (e *effective) slotOf(fr frame, f *Field) slot {
	known := fr.slots
	if known == nil {
		known = e.slotsAt(fr.path)
	}
	s, ok := known[f.Name]
	if ok {
		return s
	}
	path := append(slices.Clone(fr.path), f.Name)
	s.setting = settingPath(path)
	if f.Fixed == "" {
		s.place = e.insertion(path, f)
	}
	known[f.Name] = s
	return s
}

// insertion is where a setting that is not written could be; nil if nowhere.
func (e *effective) insertion(path []string, f *Field) *chain.Place {
	if e.place == nil {
		return nil
	}
	before, after, at, ok := e.place(path)
	if !ok {
		return nil
	}
	p := &chain.Place{Range: at, Before: before, After: after}
	quoted := f.takes("string") && !f.takes("int")
	if f.Notation != nil {
		p.Notation = *f.Notation
		quoted = f.takes("string") && len(f.Notation.Units) > 0
	}
	if quoted {
		p.Before, p.After = before+`"`, `"`+after
	}
	return p
}

// complete is a written value's origin with what only its part knows.
func (e *effective) complete(v *Value) chain.Origin {
	o := v.Origin
	o.Layer = e.layer
	o.Product, o.Proved, o.Doc = e.productText, v.Field.Proof != "", v.Field.DocURL
	return o
}
