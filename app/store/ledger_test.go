package store

import (
	"path/filepath"
	"testing"

	"lineup/capability/capabilitytest"
)

func capabilityStore(t *testing.T) (*Store, capabilitytest.Store) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	key := []byte("a key")
	return s, capabilitytest.Store{Ledger: s.Ledger(key), Grants: s.Grants(key), Audit: s.Audit(key)}
}

func TestCapabilityContract(t *testing.T) {
	capabilitytest.Contract(t, func(t *testing.T) capabilitytest.Store {
		_, c := capabilityStore(t)
		return c
	})
}
