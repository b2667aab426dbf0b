package lineupws

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"lineup/app/agent"
)

// CheckURL tells whether an agent's address may be dialled, as a code for the
// user: "" if it may. ws:// is for this machine only, since it carries the
// token and everything said in clear.
func CheckURL(raw string) agent.Code {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.User != nil || u.Fragment != "" {
		return agent.InsecureURL
	}
	switch u.Scheme {
	case "wss":
		return ""
	case "ws":
		if loopbackName(u.Hostname()) {
			return ""
		}
	}
	return agent.InsecureURL
}

func loopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

var errNotLoopback = errors.New("lineupws: the address is not on this machine")

// wsDialer dials wss:// through the proxy of the environment, if there is one,
// and ws:// straight to this machine. What "localhost" means is decided outside
// this program, so the peer's address is looked at before the token is sent.
type wsDialer struct{ plain, tls websocket.Dialer }

func newDialer() *wsDialer {
	const handshake = 15 * time.Second
	return &wsDialer{
		plain: websocket.Dialer{HandshakeTimeout: handshake, NetDialContext: dialLoopback},
		tls:   websocket.Dialer{HandshakeTimeout: handshake, Proxy: http.ProxyFromEnvironment},
	}
}

func (d *wsDialer) DialContext(ctx context.Context, url string, header http.Header) (*websocket.Conn, *http.Response, error) {
	if strings.HasPrefix(strings.ToLower(url), "wss:") {
		return d.tls.DialContext(ctx, url, header)
	}
	return d.plain.DialContext(ctx, url, header)
}

func dialLoopback(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if !onThisMachine(conn.RemoteAddr()) {
		conn.Close()
		return nil, errNotLoopback
	}
	return conn, nil
}

func onThisMachine(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// dial opens the WebSocket. A refusal that will not go away by itself is a
// *agent.RefusedError.
func (l *Link) dial(ctx context.Context) (*websocket.Conn, error) {
	if code := CheckURL(l.cfg.URL); code != "" {
		return nil, &agent.RefusedError{Code: code}
	}
	header := http.Header{"Sec-Websocket-Protocol": {Subprotocol}}
	if token := l.cfg.Token(); token != "" {
		if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, &agent.RefusedError{Code: agent.BadToken}
		}
		header.Set("Authorization", "Bearer "+token)
	}
	conn, resp, err := l.cfg.Dialer.DialContext(ctx, l.cfg.URL, header)
	if err != nil {
		if code := refusal(resp, err); code != "" {
			return nil, &agent.RefusedError{Code: code}
		}
		return nil, err
	}
	if conn.Subprotocol() != Subprotocol {
		conn.Close()
		return nil, &agent.RefusedError{Code: agent.NotLineup}
	}
	return conn, nil
}

// refusal reads a failed handshake. What a proxy says of a server that is down
// passes; any other answer means that this is the wrong door.
func refusal(resp *http.Response, err error) agent.Code {
	if errors.Is(err, errNotLoopback) {
		return agent.InsecureURL
	}
	if resp == nil || !errors.Is(err, websocket.ErrBadHandshake) {
		return ""
	}
	switch {
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		return agent.BadToken
	case resp.StatusCode >= 500, resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusRequestTimeout:
		return ""
	}
	return agent.NotLineup
}
