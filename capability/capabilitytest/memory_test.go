package capabilitytest

import "testing"

func TestMemory(t *testing.T) {
	Contract(t, func(*testing.T) Store {
		m := NewMemory([]byte("key"))
		return Store{m.Ledger(), m.Grants(), m.Audit()}
	})
}
