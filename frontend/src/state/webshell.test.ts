import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Host } from '$/host';
import { FakeHost } from './fake-host';
import { serveWebShell } from './webshell';

const handlers: Record<string, (params: never) => Promise<unknown>> = {};
const replace = vi.fn();
let opened: { opener: unknown; location: { replace: typeof replace } } | null;

beforeEach(() => {
  const host = new FakeHost();
  host.handle = ((method: string, handler: never) => void (handlers[method] = handler)) as Host['handle'];
  serveWebShell(host);
  opened = { opener: window, location: { replace } };
  replace.mockClear();
  vi.stubGlobal('open', () => opened);
});
afterEach(() => void vi.unstubAllGlobals());
const open = (url: string) => handlers['page.open_url']!({ url } as never);

it('opens an address in a window that cannot reach this one', async () => {
  await open('https://a.example/');
  expect(replace).toHaveBeenCalledWith('https://a.example/');
  expect(opened?.opener).toBeNull();
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'smb://a/b', 'no url'])(
  'refuses %s',
  async (url) => {
    await expect(open(url)).rejects.toThrow();
    expect(replace).not.toHaveBeenCalled();
  },
);

it('says so when the browser blocks the window', async () => {
  opened = null;
  await expect(open('https://a.example/')).rejects.toThrow();
});

it('fails when the clipboard is not to be had', async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } });
  await expect(handlers['page.clipboard_write']!({ text: 'a' } as never)).rejects.toThrow();
});
