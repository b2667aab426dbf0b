package app

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

const (
	keyringService = "LineUp Desktop"
	keyringWait    = 3 * time.Second
	// TokenEnv is the token for the agent of --agent, for systems without a keyring.
	TokenEnv = "LINEUP_AGENT_TOKEN"
)

// secrets keeps agents' tokens in the system's keyring. Where there is none
// they live as long as the process.
type secrets struct {
	scope string // tells one data folder from another

	mu      sync.Mutex
	session map[string]string // "" = asked, and there is none
	keyring bool
	probed  bool
}

func newSecrets(scope string) *secrets {
	return &secrets{scope: scope, session: map[string]string{}}
}

func (s *secrets) user(agent string) string { return s.scope + "#" + agent }

// within gives a keyring that asks somebody for a password no more than a moment.
func within[T any](fn func() (T, error)) (T, bool) {
	type res struct {
		v   T
		err error
	}
	ch := make(chan res, 1)
	go func() { v, err := fn(); ch <- res{v, err} }()
	t := time.NewTimer(keyringWait)
	defer t.Stop()
	select {
	case r := <-ch:
		return r.v, r.err == nil
	case <-t.C:
		var zero T
		return zero, false
	}
}

// Persistent tells whether tokens survive the process.
func (s *secrets) Persistent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.works()
}

func (s *secrets) works() bool {
	if !s.probed && !hasSessionBus() {
		s.probed = true
	}
	if !s.probed {
		s.probed = true
		_, s.keyring = within(func() (struct{}, error) {
			_, err := keyring.Get(keyringService, s.user("probe"))
			if err == keyring.ErrNotFound {
				err = nil
			}
			return struct{}{}, err
		})
	}
	return s.keyring
}

// hasSessionBus tells whether there is a bus to ask. Where there is none, asking
// would start one that nobody ends: a daemon more with each start.
func hasSessionBus() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true // their keyrings need none
	}
	if a := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" && a != "autolaunch:" {
		return true
	}
	dir := cmp.Or(os.Getenv("XDG_RUNTIME_DIR"), fmt.Sprintf("/run/user/%d", os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Get returns an agent's token, or "".
func (s *secrets) Get(agent string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.session[agent]; ok {
		return t
	}
	t := ""
	if s.works() {
		t, _ = within(func() (string, error) { return keyring.Get(keyringService, s.user(agent)) })
	}
	s.session[agent] = t
	return t
}

// Set keeps a token. It never fails: without a keyring it is for this session.
func (s *secrets) Set(agent, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session[agent] = token
	if s.works() {
		within(func() (struct{}, error) {
			return struct{}{}, keyring.Set(keyringService, s.user(agent), token)
		})
	}
	return nil
}

// ForSession keeps a token without touching the keyring.
func (s *secrets) ForSession(agent, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session[agent] = token
}

// Delete forgets a token.
func (s *secrets) Delete(agent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session[agent] = ""
	if s.works() {
		within(func() (struct{}, error) {
			return struct{}{}, keyring.Delete(keyringService, s.user(agent))
		})
	}
}

func envToken() string { return os.Getenv(TokenEnv) }
