import { host, type Host } from '$/host';

const schemes = new Set(['http:', 'https:', 'mailto:']);

/**
 * What only the page can do in the web shell: the host, which has decided, asks
 * for it. A failure answers "refused", and the call is recorded as failed.
 */
export function serveWebShell(from: Host = host) {
  from.handle('page.clipboard_write', async ({ text }) => {
    await navigator.clipboard.writeText(text);
    return {};
  });
  from.handle('page.open_url', async ({ url }) => {
    if (!schemes.has(new URL(url).protocol)) throw new Error(`not to be opened: ${url}`);
    // Two steps, because "noopener" hides whether the browser blocked the window.
    const opened = window.open('', '_blank');
    if (!opened) throw new Error('the browser blocked the window');
    opened.opener = null;
    opened.location.replace(url);
    return {};
  });
}
