import { beforeEach, describe, expect, it } from 'vitest';
import { PromptGuard, QUIET_MS, type Disturbance, type Gesture } from './guard';

let now = 0;
let timers: { at: number; then: () => void }[] = [];
let replies: (() => void)[] = [];
let guard: PromptGuard;

function tick(ms: number) {
  now += ms;
  const due = timers.filter((timer) => timer.at <= now);
  timers = timers.filter((timer) => timer.at > now);
  for (const timer of due) timer.then();
}

/** Replies to the latest prompt.shown and lets the promise settle. */
async function hostSays(index = replies.length - 1) {
  replies[index]?.();
  await Promise.resolve();
  await Promise.resolve();
}

const click = (more: Partial<Gesture> = {}): Gesture => ({
  trusted: true,
  by: 'pointer',
  began: now,
  ...more,
});
const key = (more: Partial<Gesture> = {}) => click({ by: 'key', ...more });

beforeEach(() => {
  now = 1000;
  timers = [];
  replies = [];
  guard = new PromptGuard({
    now: () => now,
    shown: () => new Promise<void>((resolve) => replies.push(resolve)),
    after: (ms, then) => {
      const timer = { at: now + ms, then };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  });
});

async function shownAndOpen() {
  guard.disturb('appeared');
  await hostSays();
  tick(QUIET_MS);
}

describe('the quiet time', () => {
  it('takes nothing before the host knows that the prompt is seen', () => {
    guard.disturb('appeared');
    tick(10_000);
    expect(guard.ready()).toBe(false);
    expect(guard.grant(click())).toEqual({ ok: false, why: 'quiet' });
    expect(guard.deny(click())).toEqual({ ok: false, why: 'quiet' });
  });

  it('ignores a click at 499 ms and takes one at 500 ms', async () => {
    guard.disturb('appeared');
    await hostSays();
    tick(QUIET_MS - 1);
    expect(guard.grant(click())).toEqual({ ok: false, why: 'quiet' });
    expect(guard.deny(click())).toEqual({ ok: false, why: 'quiet' });
    tick(1);
    expect(guard.grant(click())).toEqual({ ok: true });
  });

  it('ignores a press that began in the quiet time and ended after it', async () => {
    guard.disturb('appeared');
    await hostSays();
    const began = now + 100;
    tick(QUIET_MS + 100);
    expect(guard.grant(click({ began }))).toEqual({ ok: false, why: 'quiet' });
  });

  it.each<Disturbance>(['moved', 'changed', 'uncovered', 'window_focus', 'refused'])(
    'starts anew, and tells the host, when it was %s',
    async (what) => {
      await shownAndOpen();
      guard.disturb(what);
      expect(guard.ready()).toBe(false);
      expect(guard.grant(click()).ok).toBe(false);
      await hostSays();
      tick(QUIET_MS - 1);
      expect(guard.grant(click()).ok).toBe(false);
      tick(1);
      expect(guard.grant(click())).toEqual({ ok: true });
    },
  );

  it('takes no reply to an earlier showing', async () => {
    guard.disturb('appeared');
    guard.disturb('moved');
    await hostSays(0);
    tick(QUIET_MS);
    expect(guard.grant(click()).ok).toBe(false);
    await hostSays(1);
    tick(QUIET_MS);
    expect(guard.grant(click())).toEqual({ ok: true });
  });

  it('says when it opens, once, and not for a showing that was disturbed', async () => {
    let changes = 0;
    const counted = new PromptGuard({
      now: () => now,
      shown: () => new Promise<void>((resolve) => replies.push(resolve)),
      changed: () => changes++,
      after: (ms, then) => {
        const timer = { at: now + ms, then };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    });
    counted.disturb('appeared');
    await hostSays();
    counted.disturb('moved');
    await hostSays();
    const before = changes;
    tick(QUIET_MS);
    expect(changes - before).toBe(1);
    expect(counted.ready()).toBe(true);
  });
});

describe('hidden', () => {
  it('takes nothing while covered and waits again once uncovered', async () => {
    await shownAndOpen();
    guard.hide();
    tick(5000);
    expect(guard.grant(click())).toEqual({ ok: false, why: 'hidden' });
    expect(guard.deny(click())).toEqual({ ok: false, why: 'hidden' });
    guard.uncover();
    await hostSays();
    expect(guard.grant(click())).toEqual({ ok: false, why: 'quiet' });
    tick(QUIET_MS);
    expect(guard.grant(click())).toEqual({ ok: true });
  });

  it('does not tell the host that it was shown while it cannot be seen', () => {
    guard.hide();
    guard.disturb('changed');
    expect(replies).toHaveLength(0);
    guard.uncover();
    expect(replies).toHaveLength(1);
  });
});

describe('purpose', () => {
  it('grants nothing to keys before focus was moved onto a button', async () => {
    await shownAndOpen();
    expect(guard.grant(key())).toEqual({ ok: false, why: 'not_on_purpose' });
    guard.focusMoved('card');
    expect(guard.grant(key())).toEqual({ ok: false, why: 'not_on_purpose' });
    guard.focusMoved('button');
    expect(guard.grant(key())).toEqual({ ok: true });
  });

  it.each<Disturbance>(['appeared', 'changed'])('forgets the purpose when it %s', async (what) => {
    await shownAndOpen();
    guard.focusMoved('button');
    guard.disturb(what);
    await hostSays();
    tick(QUIET_MS);
    expect(guard.grant(key())).toEqual({ ok: false, why: 'not_on_purpose' });
  });

  it('forgets it when focus leaves', async () => {
    await shownAndOpen();
    guard.focusMoved('button');
    guard.focusMoved('outside');
    expect(guard.grant(key()).ok).toBe(false);
  });

  it.each([
    ['a script', { trusted: false }],
    ['a held key', { repeat: true }],
    ['an input method', { composing: true }],
  ])('is not what %s has', async (_who, more) => {
    await shownAndOpen();
    guard.focusMoved('button');
    expect(guard.grant(key(more))).toEqual({ ok: false, why: 'untrusted' });
    expect(guard.deny(key(more))).toEqual({ ok: false, why: 'untrusted' });
  });

  it('may be refused from the card without a purpose', async () => {
    await shownAndOpen();
    guard.focusMoved('card');
    expect(guard.deny(key())).toEqual({ ok: true });
  });
});

it('takes one answer: nothing while busy', async () => {
  await shownAndOpen();
  guard.setBusy(true);
  expect(guard.grant(click())).toEqual({ ok: false, why: 'busy' });
  expect(guard.deny(click())).toEqual({ ok: false, why: 'busy' });
  expect(guard.ready()).toBe(false);
});
