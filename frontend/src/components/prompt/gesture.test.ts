import { describe, expect, it } from 'vitest';
import { Presses } from './gesture';

const at = (timeStamp: number) => ({ timeStamp, isTrusted: true });
const key = (timeStamp: number, more: object = {}) => ({
  timeStamp,
  repeat: false,
  isComposing: false,
  keyCode: 13,
  ...more,
});

describe('the press behind a click', () => {
  it('began when the pointer went down', () => {
    const presses = new Presses();
    presses.pointerdown(at(100));
    expect(presses.of(at(900))).toEqual({ trusted: true, by: 'pointer', began: 100 });
  });

  it('began when the key went down, and a held key stays one', () => {
    const presses = new Presses();
    presses.keydown(key(100));
    presses.keydown(key(600, { repeat: true }));
    expect(presses.of(at(601))).toMatchObject({ by: 'key', began: 100, repeat: true });
  });

  it('began before all time for a key that was down before we listened', () => {
    const presses = new Presses();
    presses.keydown(key(600, { repeat: true }));
    expect(presses.of(at(601))).toMatchObject({ began: -Infinity });
  });

  it('is composing by keyCode alone, too', () => {
    const presses = new Presses();
    presses.keydown(key(1, { keyCode: 229 }));
    expect(presses.of(at(2))).toMatchObject({ composing: true });
  });

  it('is assistive when nothing was pressed', () => {
    const presses = new Presses();
    presses.pointerdown(at(1));
    presses.end();
    expect(presses.of({ timeStamp: 5, isTrusted: true })).toEqual({
      trusted: true,
      by: 'assistive',
      began: 5,
    });
  });
});
