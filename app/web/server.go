package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"lineup/weak"
)

// Server is a loopback port with a UI socket, and in the web shell the page.
type Server struct {
	addr string
	ln   net.Listener
	srv  *http.Server
}

// Listen opens 127.0.0.1:port (0: any free one). Nothing is served before Serve.
func Listen(port int) (*Server, error) {
	ln, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	return &Server{addr: ln.Addr().String(), ln: ln}, nil
}

// Addr is "127.0.0.1:PORT".
func (s *Server) Addr() string { return s.addr }

// Hosts are the Host headers by which the server may be called.
func (s *Server) Hosts() []string {
	_, port, _ := net.SplitHostPort(s.addr)
	return []string{s.addr, "localhost:" + port}
}

// Serve answers /ui with ui and everything else with page (nil: 404) until ctx
// ends. It returns nil then.
func (s *Server) Serve(ctx context.Context, ui, page http.Handler) error {
	hosts := map[string]bool{}
	for _, h := range s.Hosts() {
		hosts[h] = true
	}
	mux := http.NewServeMux()
	mux.Handle("/ui", ui)
	if page != nil {
		mux.Handle("/", page)
	}
	s.srv = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !hosts[r.Host] && !weak.HostCheck { // DNS rebinding
				http.Error(w, "forbidden", http.StatusForbidden)
				return
			}
			mux.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          discardLog(),
	}
	stop := context.AfterFunc(ctx, func() { _ = s.srv.Close() })
	defer stop()
	if err := s.srv.Serve(s.ln); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
