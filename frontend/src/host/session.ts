/** Where the host is, and the one-time ticket that proves who opened this page. */
export interface Session {
  ws: string;
  ticket: string;
}

const tokenKey = 'lineup.token';

/**
 * The page's credentials. A ticket is for one hello; the token that hello
 * returns is for this tab only (sessionStorage), so a reload needs no new ticket.
 */
export interface Credentials {
  /** True where a spent ticket can be replaced without the user (the desktop window). */
  readonly renewable: boolean;
  /** The socket's address. */
  address(): Promise<string>;
  /** The ticket, once; "" when there is none. */
  takeTicket(): Promise<string>;
  token(): string;
  keepToken(token: string): void;
}

export function credentials(): Credentials {
  return location.protocol === 'wails:' ? new DesktopCredentials() : new WebCredentials();
}

/** The desktop window: the same-origin session reply has address and ticket, fresh each time. */
class DesktopCredentials implements Credentials {
  readonly renewable = true;
  #session: Session | null = null;

  async address() {
    // Fetched anew at each attempt: the host may be another process on another port.
    const reply = await fetch('/session.json', { cache: 'no-store' });
    this.#session = (await reply.json()) as Session;
    return this.#session.ws;
  }
  async takeTicket() {
    const ticket = this.#session?.ticket ?? '';
    if (this.#session) this.#session.ticket = '';
    return ticket;
  }
  token = readToken;
  keepToken = writeToken;
}

/** A browser tab: the ticket comes in the URL's fragment, which no server sees. */
class WebCredentials implements Credentials {
  readonly renewable = false;
  #ticket = takeFragmentTicket();

  async address() {
    return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ui`;
  }
  async takeTicket() {
    const ticket = this.#ticket;
    this.#ticket = '';
    return ticket;
  }
  token = readToken;
  keepToken = writeToken;
}

/** Takes `#ticket=…` out of the URL at once, so that it is in no history, bookmark or screenshot. */
export function takeFragmentTicket(): string {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket') ?? '';
  if (ticket) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

function readToken(): string {
  try {
    return sessionStorage.getItem(tokenKey) ?? '';
  } catch {
    return ''; // storage switched off: a reload then needs a new link
  }
}

function writeToken(token: string) {
  try {
    if (token) sessionStorage.setItem(tokenKey, token);
    else sessionStorage.removeItem(tokenKey);
  } catch {
    // see readToken
  }
}
