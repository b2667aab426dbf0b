import { describe, expect, it } from 'vitest';
import { sends, type Press } from './keys';

const press = (more: Partial<Press> = {}): Press => ({
  key: 'Enter',
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
});

describe('Enter', () => {
  it('sends', () => expect(sends(press())).toBe(true));
  it('sends with Ctrl, too', () => expect(sends(press({ ctrlKey: true }))).toBe(true));
  it('breaks the line with Shift', () => expect(sends(press({ shiftKey: true }))).toBe(false));
  it('is the input method’s while composing', () => {
    expect(sends(press({ isComposing: true }))).toBe(false);
    expect(sends(press({ keyCode: 229 }))).toBe(false);
    expect(sends(press(), true)).toBe(false);
  });
  it('is not another key', () => expect(sends(press({ key: 'a', keyCode: 65 }))).toBe(false));
});
