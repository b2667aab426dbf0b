import { afterEach, expect, it } from 'vitest';
import { credentials, takeFragmentTicket } from './session';

afterEach(() => {
  history.replaceState(null, '', '/');
  sessionStorage.clear();
});

it('takes the ticket out of the URL at once', () => {
  history.replaceState(null, '', '/?a=1#ticket=abc%2Bd');
  expect(takeFragmentTicket()).toBe('abc+d');
  expect(location.href).toMatch(/\/\?a=1$/);
  expect(takeFragmentTicket()).toBe('');
});

it('leaves another fragment alone', () => {
  history.replaceState(null, '', '/#main');
  expect(takeFragmentTicket()).toBe('');
  expect(location.hash).toBe('#main');
});

it('gives the ticket once and keeps the token for this tab only', async () => {
  history.replaceState(null, '', '/#ticket=abc');
  const web = credentials();
  expect(await web.takeTicket()).toBe('abc');
  expect(await web.takeTicket()).toBe('');
  web.keepToken('token');
  expect(credentials().token()).toBe('token');
  web.keepToken('');
  expect(web.token()).toBe('');
});

it('speaks to /ui of the server the page came from', async () => {
  expect(await credentials().address()).toBe(`ws://${location.host}/ui`);
});
