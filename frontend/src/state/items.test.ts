import { describe, expect, it } from 'vitest';
import type { Item } from '$/host';
import { ItemLog } from './items';

const message = (id: string, pos: number, html: string[], from = 0): Item => ({
  id,
  pos,
  kind: 'message',
  from: 'agent',
  at: 0,
  message: { blocks: html.map((text) => ({ html: text })), blocks_from: from, streaming: true },
});
const htmlOf = (item?: Item) => item?.message?.blocks.map((block) => block.html);
const ids = (log: ItemLog) => log.list.map((item) => item.id);

describe('ItemLog', () => {
  it('keeps items in order of pos, however they come', () => {
    const log = new ItemLog();
    log.apply([message('c', 3, []), message('a', 1, [])]);
    log.apply([message('b', 2, []), message('d', 4, [])]);
    expect(ids(log)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('replaces an item by id, and moves it when its pos changed', () => {
    const log = new ItemLog();
    log.apply([message('mine', 1, ['q']), message('b', 2, [])]);
    log.apply([message('mine', 3, ['q'])]);
    expect(ids(log)).toEqual(['b', 'mine']);
  });

  it('keeps the first blocks and replaces the rest', () => {
    const log = new ItemLog();
    log.apply([message('m', 1, ['one', 'two', 'thr'])]);
    const first = log.get('m')?.message?.blocks[0];
    expect(log.apply([message('m', 1, ['three', 'four'], 2)])).toBe(true);
    expect(htmlOf(log.get('m'))).toEqual(['one', 'two', 'three', 'four']);
    expect(log.get('m')?.message?.blocks[0]).toBe(first);
  });

  it('can make a message shorter', () => {
    const log = new ItemLog();
    log.apply([message('m', 1, ['one', 'two'])]);
    log.apply([message('m', 1, [], 1)]);
    expect(htmlOf(log.get('m'))).toEqual(['one']);
  });

  it('says when updates were lost, and leaves the message as it was', () => {
    const log = new ItemLog();
    log.apply([message('m', 1, ['one'])]);
    expect(log.apply([message('m', 1, ['four'], 3), message('n', 2, ['x'])])).toBe(false);
    expect(htmlOf(log.get('m'))).toEqual(['one']);
    expect(ids(log)).toEqual(['m', 'n']);
  });

  it('keeps the identity of what did not change, also when a message is sent whole again', () => {
    const log = new ItemLog();
    log.apply([message('a', 1, ['x']), message('m', 2, ['one', 'two'])]);
    const [other, block] = [log.get('a'), log.get('m')?.message?.blocks[0]];
    log.apply([message('m', 2, ['one', 'two!'])]);
    expect(log.list[0]).toBe(other);
    expect(log.get('m')?.message?.blocks[0]).toBe(block);
    expect(htmlOf(log.get('m'))).toEqual(['one', 'two!']);
  });

  it('drops older items when a new window does not join on to them', () => {
    const log = new ItemLog();
    log.apply([message('a', 1, []), message('b', 2, [])]);
    log.open([message('x', 50, [])], true);
    expect(ids(log)).toEqual(['x']);
    log.open([message('w', 49, []), message('x', 50, ['new'])], true);
    expect(ids(log)).toEqual(['w', 'x']);
  });
});
