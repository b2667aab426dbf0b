package envelope

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples of the protocol's proposal, word for word. All but one are only
// a type and a payload, and get the rest of an envelope here.
func TestSeedExamples(t *testing.T) {
	files, _ := filepath.Glob("testdata/seed/*.json")
	if len(files) != 8 {
		t.Fatalf("%d examples", len(files))
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var part struct {
				V       int
				Type    Type
				Payload json.RawMessage
			}
			if err := json.Unmarshal(b, &part); err != nil {
				t.Fatal(err)
			}
			if part.V == 0 {
				b = []byte(wrap(part.Type, string(part.Payload)))
			}
			e := mustDecode(t, string(b))
			if !strings.HasSuffix(f, strings.TrimPrefix(string(e.Type), Prefix)+".json") || !Known(e.Type) {
				t.Errorf("type %s", e.Type)
			}
			roundTrip(t, e)
		})
	}
}

func TestSeedOpen(t *testing.T) {
	b, err := os.ReadFile("testdata/seed/4.1-ui.open.json")
	if err != nil {
		t.Fatal(err)
	}
	e := mustDecode(t, string(b))
	o, err := Payload[UIOpen](e)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "msg_ui_01" || e.ConversationID != "conv_01" || e.Sender != (Party{KindAgent, "agent_hermes_main"}) {
		t.Errorf("envelope %+v", e)
	}
	if o.InstanceID != "weather.dashboard.01" || o.App.Name != "天气面板" || o.App.Integrity != "sha256-BASE64_DIGEST" ||
		o.App.HTML != "<main><button id='refresh'>刷新</button></main>" || string(o.State) != `{"city": "北京", "temperature": 22}` {
		t.Errorf("payload %+v", o)
	}
}
