package emit

import "testing"

func TestAFileIsOfOneLayer(t *testing.T) {
	var c Collector
	c.Files("x", "web-api", File{Name: "web_api.conf"}, File{Name: "other.conf"})
	if files := c.Files("x", "web_api", File{Name: "web_api.conf"}); len(files) != 1 || len(c.Refusals) != 1 ||
		c.Refusals[0].Error() != "web_api.conf: cannot be written by tchain emit x: layers web-api and web_api would both be written to it" {
		t.Errorf("%v, %v", files, c.Refusals)
	}
}
