package diff

import (
	"slices"
	"strings"
)

// A Matched is a stack of each side that belong together; one of them may be nil.
type Matched struct{ Old, New *Stack }

// Match pairs the stacks of two sides: the new ones in their order, then what is
// only in the old side.
func Match(olds, news []Stack) []Matched {
	m := &matcher{olds: olds, news: news, of: make([]int, len(news)), taken: make([]bool, len(olds))}
	for i := range m.of {
		m.of[i] = -1
	}
	// A name that one stack of each side has tells more than its directory: what is
	// in that may have been moved there from elsewhere.
	m.by(true, func(s *Stack) string { return s.Stack.Name })
	m.by(false, func(s *Stack) string { return s.Dir + "\x00" + s.Stack.Name })
	// Above directories of one name, as dev and prod, one that was renamed tells the
	// stacks apart no longer: those with the longest common end belong together.
	for n := m.depth(); n > 0; n-- {
		m.by(true, func(s *Stack) string { return s.Stack.Name + "\x00" + ending(s.Dir, n) })
	}
	m.by(true, func(s *Stack) string { return s.Stack.Name })
	// A directory alone tells least: others of the name may have been moved there.
	m.by(true, func(s *Stack) string { return s.Dir })
	if len(olds) == 1 && len(news) == 1 {
		m.by(true, func(*Stack) string { return "" })
	}
	var out []Matched
	for i := range news {
		p := Matched{New: &news[i]}
		if m.of[i] >= 0 {
			p.Old = &olds[m.of[i]]
		}
		out = append(out, p)
	}
	for i := range olds {
		if !m.taken[i] {
			out = append(out, Matched{Old: &olds[i]})
		}
	}
	return out
}

type matcher struct {
	olds, news []Stack
	of         []int // for each new stack the old one, −1 is none yet
	taken      []bool
}

// depth is how many elements the longest directory of an old stack has.
func (m *matcher) depth() int {
	n := 0
	for i := range m.olds {
		n = max(n, strings.Count(m.olds[i].Dir, "/")+1)
	}
	return n
}

// ending is the last n elements of a directory, with what stands for none in
// front where it has fewer.
func ending(dir string, n int) string {
	all := strings.Split(dir, "/")
	return strings.Repeat("/", max(n-len(all), 0)) + strings.Join(all[max(len(all)-n, 0):], "/")
}

// by pairs what has the same key and is not paired yet, in order; with unique
// only where each side has one.
func (m *matcher) by(unique bool, key func(*Stack) string) {
	free := map[string][]int{}
	for i := range m.olds {
		if !m.taken[i] {
			k := key(&m.olds[i])
			free[k] = append(free[k], i)
		}
	}
	want := map[string]int{}
	for i := range m.news {
		if m.of[i] < 0 {
			want[key(&m.news[i])]++
		}
	}
	for i := range m.news {
		if m.of[i] >= 0 {
			continue
		}
		k := key(&m.news[i])
		list := free[k]
		if len(list) == 0 || unique && (len(list) != 1 || want[k] != 1) {
			continue
		}
		m.of[i], m.taken[list[0]], free[k] = list[0], true, list[1:]
	}
}

// paired gives the items of two lists that have the same key, the k-th with the
// k-th, in the order of the new list; what is only in the old one comes last. An
// index is −1 where there is none.
func paired[T any](olds, news []T, key func(*T) string) [][2]int {
	free := map[string][]int{}
	for i := range olds {
		k := key(&olds[i])
		free[k] = append(free[k], i)
	}
	var out [][2]int
	var used []int
	for i := range news {
		k, o := key(&news[i]), -1
		if list := free[k]; len(list) > 0 {
			o, free[k] = list[0], list[1:]
			used = append(used, o)
		}
		out = append(out, [2]int{o, i})
	}
	slices.Sort(used)
	for i := range olds {
		if _, met := slices.BinarySearch(used, i); !met {
			out = append(out, [2]int{i, -1})
		}
	}
	return out
}

// at is the item at an index, nil for −1.
func at[T any](list []T, i int) *T {
	if i < 0 {
		return nil
	}
	return &list[i]
}

// kind is how a thing differs of which either side may lack.
func kind[T any](o, n *T) Kind {
	switch {
	case o == nil:
		return New
	case n == nil:
		return Gone
	}
	return Changed
}
