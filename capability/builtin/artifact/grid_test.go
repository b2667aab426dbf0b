package artifact

import (
	"os"
	"testing"

	"lineup/capability"
	"lineup/capability/capabilitytest"
)

func TestGrid(t *testing.T) {
	capabilitytest.Grid(t, capabilitytest.Subject{
		New: func(t *testing.T) (capability.Provider, func() int) {
			dir := t.TempDir()
			return New(dir, 8), func() int {
				list, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				return len(list)
			}
		},
		Good: `{"name":"a.txt","text":"12345678"}`, Result: `{"name":"a.txt","saved":true,"size":8}`,
		Bad: []string{`{}`, `{"name":"a"}`, `{"name":"a","text":"x","data":"AA=="}`, `{"name":"../a","text":"x"}`, `{"name":"a\\b","text":"x"}`, `{"name":"","text":"x"}`,
			`{"name":"a","data":"AA"}`, `{"name":"a","data":"!"}`, `{"name":"a","text":"123456789"}`, `{"name":"a","text":"x","path":"/"}`},
	})
}
