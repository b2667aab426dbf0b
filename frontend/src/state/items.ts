import type { Item, MessageItem } from '$/host';

/**
 * The items of one conversation in order of Pos. Pure but for its own fields:
 * apply returns a new list in which everything that did not change keeps its
 * identity, items and message blocks alike, so a view redraws what changed.
 */
export class ItemLog {
  list: Item[] = [];
  #byID = new Map<string, Item>();

  get(id: string): Item | undefined {
    return this.#byID.get(id);
  }

  /**
   * Merges items by id. False: a message update starts behind the blocks the
   * page has (updates were lost), so the conversation must be opened again.
   */
  apply(incoming: Item[]): boolean {
    let whole = true;
    let list = [...this.list];
    for (const item of incoming) {
      const known = this.#byID.get(item.id);
      const merged = merge(known, item);
      if (!merged) {
        whole = false;
        continue;
      }
      this.#byID.set(item.id, merged);
      if (known && known.pos === merged.pos) list[find(list, known)] = merged;
      else {
        if (known) list = list.filter((other) => other !== known);
        list.splice(find(list, merged), 0, merged);
      }
    }
    this.list = list;
    return whole;
  }

  /** Takes a freshly opened window of items; true `more` with a gap to what is known drops the older ones. */
  open(items: Item[], more: boolean) {
    const first = items[0];
    const newest = this.list.at(-1);
    if (more && first && newest && first.pos > newest.pos) {
      this.list = [];
      this.#byID.clear();
    }
    this.apply(items);
  }
}

/** Null: the update continues a message the page has too little of. */
function merge(known: Item | undefined, item: Item): Item | null {
  const message = item.message;
  if (!message) return item;
  const from = message.blocks_from;
  const fresh = message.blocks ?? [];
  if (from === 0) return { ...item, message: { ...message, blocks: keepSame(known?.message, fresh) } };
  const had = known?.message?.blocks ?? [];
  if (had.length < from) return null;
  return { ...item, message: { ...message, blocks: [...had.slice(0, from), ...fresh], blocks_from: 0 } };
}

/** Blocks that are the same as before keep their identity. */
function keepSame(known: MessageItem | undefined, fresh: MessageItem['blocks']) {
  if (!known) return fresh;
  return fresh.map((block, i) => {
    const had = known.blocks[i];
    return had && had.html === block.html ? had : block;
  });
}

/** The place of `item` by (pos, id): where it is, or where it belongs. */
function find(list: Item[], item: Item): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(list[middle]!, item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const before = (a: Item, b: Item) => a.pos < b.pos || (a.pos === b.pos && a.id < b.id);
