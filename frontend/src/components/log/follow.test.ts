import { describe, expect, it } from 'vitest';
import { END_SLACK, Follow, OLDER_AT, wantsOlder, type View } from './follow';

/** A log of lines, each 20 px, with the view's scroll position clamped as a browser does. */
class FakeLog {
  follow = new Follow<number>();
  top = 0;
  lines: { id: number; size: number }[] = [];
  constructor(
    count: number,
    readonly height = 200,
  ) {
    for (let id = 0; id < count; id++) this.lines.push({ id, size: 20 });
    this.settle();
  }
  view(): View {
    return { top: this.top, height: this.height, content: this.lines.reduce((sum, l) => sum + l.size, 0) };
  }
  offsetOf = (id: number): number | null => {
    let y = 0;
    for (const line of this.lines) {
      if (line.id === id) return y - this.top;
      y += line.size;
    }
    return null;
  };
  firstSeen() {
    const line = this.lines.find(({ id, size }) => (this.offsetOf(id) ?? 0) + size > 0);
    return line ? { piece: line.id, offset: this.offsetOf(line.id) ?? 0 } : null;
  }
  scrollTo(top: number) {
    const { content, height } = this.view();
    this.top = Math.max(0, Math.min(top, content - height));
    this.follow.scrolled(this.view(), this.firstSeen());
  }
  settle() {
    const top = this.follow.resized(this.view(), this.offsetOf);
    if (top !== null) this.scrollTo(top);
  }
  atEnd() {
    const { top, height, content } = this.view();
    return content - height - top < 1;
  }
}

describe('following the end', () => {
  it('starts at the end and stays there as lines come', () => {
    const log = new FakeLog(50);
    expect(log.atEnd()).toBe(true);
    log.lines.push({ id: 100, size: 300 });
    log.settle();
    expect(log.atEnd()).toBe(true);
  });

  it('stays where the reader went, whatever is appended', () => {
    const log = new FakeLog(50);
    log.scrollTo(300);
    const seen = log.firstSeen();
    log.lines.push({ id: 100, size: 500 });
    log.settle();
    expect(log.top).toBe(300);
    expect(log.firstSeen()).toEqual(seen);
    expect(log.follow.following).toBe(false);
  });

  it('follows again once the reader is back at the end', () => {
    const log = new FakeLog(50);
    log.scrollTo(300);
    log.scrollTo(800 - END_SLACK);
    log.lines.push({ id: 100, size: 500 });
    log.settle();
    expect(log.atEnd()).toBe(true);
  });

  it('is not fooled by a late scroll event while content grows', () => {
    const log = new FakeLog(50);
    log.lines.push({ id: 100, size: 500 });
    // The event of the earlier scroll arrives when the content is already longer.
    log.follow.scrolled(log.view(), log.firstSeen());
    log.settle();
    expect(log.atEnd()).toBe(true);
  });

  it('goes to the end on demand', () => {
    const log = new FakeLog(50);
    log.scrollTo(100);
    log.follow.toEnd();
    log.settle();
    expect(log.atEnd()).toBe(true);
  });
});

describe("keeping the reader's place", () => {
  it('holds when older lines are put before', () => {
    const log = new FakeLog(50);
    log.scrollTo(305);
    const seen = log.firstSeen();
    log.lines.unshift(...Array.from({ length: 30 }, (_, n) => ({ id: 1000 + n, size: 33 })));
    log.settle();
    expect(log.firstSeen()).toEqual(seen);
  });

  it('holds when a line above grows or shrinks', () => {
    const log = new FakeLog(50);
    log.scrollTo(305);
    const seen = log.firstSeen();
    (log.lines[3] as { size: number }).size = 140;
    log.settle();
    expect(log.firstSeen()).toEqual(seen);
    (log.lines[3] as { size: number }).size = 5;
    log.settle();
    expect(log.firstSeen()).toEqual(seen);
  });

  it('does nothing when the line it held is gone', () => {
    const log = new FakeLog(50);
    log.scrollTo(305);
    log.lines = log.lines.filter(({ id }) => id !== 15);
    expect(log.follow.resized(log.view(), log.offsetOf)).toBeNull();
  });
});

it('asks for older items near the top, once', () => {
  const view = (top: number): View => ({ top, height: 500, content: 9000 });
  expect(wantsOlder(view(OLDER_AT - 1), true, false)).toBe(true);
  expect(wantsOlder(view(OLDER_AT), true, false)).toBe(false);
  expect(wantsOlder(view(0), false, false)).toBe(false);
  expect(wantsOlder(view(0), true, true)).toBe(false);
});
