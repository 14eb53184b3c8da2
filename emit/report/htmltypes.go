package report

import (
	"strconv"

	"tchain.dev/tchain/chain"
)

// pageData is what the page's script draws from. Two hundred routes mostly go the
// same ways: ways are kept apart from routes and stand once, and so does every
// text. Times are milliseconds, and what never comes is -1.
type pageData struct {
	Texts  []string    `json:"texts"`
	Kinds  []text      `json:"kinds"` // all faults, in the order of a request's way
	Axes   []pageAxis  `json:"axes"`
	Ways   []pageWay   `json:"ways"`
	Routes []pageRoute `json:"routes"`
}

// A text is an index into the page's texts.
type text int

type pageAxis struct {
	Max   millis     `json:"max"`
	Ticks []pageTick `json:"ticks"`
}

type pageTick struct {
	At   millis `json:"at"`
	Text string `json:"text"`
}

type pageRoute struct {
	Way      int           `json:"way"`
	Title    string        `json:"title"`
	About    text          `json:"about"`
	Findings []pageFinding `json:"findings"`
}

type pageFinding struct {
	Hop      int    `json:"hop"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Message  text   `json:"message"`
	Place    text   `json:"place"`
	Href     text   `json:"href"`
	Fixes    []text `json:"fixes"`
}

type pageWay struct {
	Main   int         `json:"main"`
	Hops   []pageHop   `json:"hops"`
	Faults []pageFault `json:"faults"`
}

// pageBar is a wait as it is drawn.
type pageBar struct {
	Limit    millis        `json:"limit"`
	Value    text          `json:"value"`
	Left     text          `json:"left"`
	Source   text          `json:"source"`
	Href     text          `json:"href"`
	Segments []pageSegment `json:"segments"`
}

type pageHop struct {
	From text `json:"from"`
	To   text `json:"to"`
	pageBar
	Ends    text        `json:"ends"`
	Pool    *pagePool   `json:"pool,omitempty"`
	Timers  []pageTimer `json:"timers"`
	Unknown []text      `json:"unknown,omitempty"`
}

type pageSegment [3]millis // part, from, to

type pagePool struct {
	Size int  `json:"size"`
	Need *int `json:"need,omitempty"`
	Text text `json:"text"`
}

// value, kind, name, source, address, proof, what is left
type pageTimer [7]text

type pageFault struct {
	Kind  text        `json:"kind"`
	Hop   int         `json:"hop"`
	Does  text        `json:"does"`
	First text        `json:"first"`
	Then  text        `json:"then"`
	Cell  text        `json:"cell"`
	Tone  string      `json:"tone"`
	Axis  int         `json:"axis"`
	Lasts [2]millis   `json:"lasts"`
	Gives *[2]millis  `json:"gives,omitempty"` // hop, time
	Bar   *pageBar    `json:"bar,omitempty"`   // of that hop, where it is another one than the way's
	Spans [][4]millis `json:"spans"`           // hop, from, to, ending
	Lines []pageLine  `json:"lines"`
}

type pageLine struct {
	At   millis `json:"at"`
	Time text   `json:"time"`
	Who  text   `json:"who"`
	What text   `json:"what"`
}

// millis is a time on an axis, or any other number beside one.
type millis float64

// MarshalJSON writes as many digits as there are, and no exponent.
func (m millis) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m), 'f', -1, 64), nil
}

func onAxis(d Duration) millis {
	if chainTime(d) == chain.Never {
		return -1
	}
	return millis(float64(d) / 1e6)
}
