import { describe, expect, it } from 'vitest';
import { BEAT_MS, Heartbeat, MISSED_BEATS } from './heartbeat';

function watched(frames: string[], answers: (id: string) => boolean) {
  const silent: string[] = [];
  let now = 0;
  const heart: Heartbeat = new Heartbeat({
    frames: () => frames,
    ping: (id) => {
      if (answers(id)) queueMicrotask(() => heart.answered(id));
      return true;
    },
    silent: (ids) => void silent.push(ids.join()),
  });
  return {
    silent,
    async beats(count: number, every = BEAT_MS) {
      for (let n = 0; n < count; n++) {
        heart.beat((now += every));
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

describe('the heartbeat of frames', () => {
  it('tells the one that is silent, and only that one', async () => {
    const it = watched(['good', 'bad'], (id) => id === 'good');
    await it.beats(MISSED_BEATS);
    expect(it.silent).toEqual([]);
    await it.beats(1);
    expect(it.silent).toEqual(['bad']);
  });

  it('tells those that fell silent together at once', async () => {
    const it = watched(['a', 'good', 'b'], (id) => id === 'good');
    await it.beats(MISSED_BEATS + 1);
    expect(it.silent).toEqual(['a,b']);
  });

  it('takes one answer for a sign of life', async () => {
    let asked = 0;
    const it = watched(['slow'], () => ++asked % MISSED_BEATS === 0);
    await it.beats(40);
    expect(it.silent).toEqual([]);
  });

  it('judges nobody while the page itself stands still', async () => {
    const it = watched(['bad'], () => false);
    await it.beats(20, 3 * BEAT_MS);
    expect(it.silent).toEqual([]);
  });

  it('forgets a frame that is out of view', async () => {
    const frames = ['bad'];
    const it = watched(frames, () => false);
    await it.beats(MISSED_BEATS);
    frames.length = 0;
    await it.beats(1);
    frames.push('bad');
    await it.beats(MISSED_BEATS);
    expect(it.silent).toEqual([]);
  });
});
