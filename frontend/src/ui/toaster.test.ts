import { mount, tick, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import { toast } from './toast';
import Toaster from './Toaster.svelte';

it('never takes the keyboard from somebody who types', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const field = document.body.appendChild(document.createElement('input'));
  const toaster = mount(Toaster, { target: document.body, props: { label: 'Notices', theme: 'light' } });
  toast.undo('Gone', 'Undo', () => {});
  await tick();
  await expect.poll(() => document.querySelector('[data-sonner-toast]')?.textContent).toContain('Gone');
  field.focus();
  for (const key of ['w', 'Enter', ' '])
    field.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true }));
  expect(document.activeElement).toBe(field);
  await unmount(toaster);
  vi.unstubAllGlobals();
});
