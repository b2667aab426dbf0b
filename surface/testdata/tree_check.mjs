// Applies differences with the guest's own code: node tree_check.mjs tree.js cases
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const [, , script, cases] = process.argv;
const { patch, clone } = new Function(`"use strict";
  const call = Function.prototype.call.bind(Function.prototype.call);
  const { defineProperty, keys } = Object;
  const { isArray } = Array;
  const hasOwn = Object.prototype.hasOwnProperty;
  const slice = Array.prototype.slice;
  ${readFileSync(script, 'utf8')}
  return { patch, clone }`)();

// What a hostile or a careless surface does to what it shares with the guest.
Object.defineProperty(Object.prototype, 'c', { set() { throw new Error('a setter') }, get() { return 1 }, configurable: true });
Object.prototype.extra = {};
Object.freeze(Object.prototype);

// Keys in their order; undefined, Infinity and -0 are told apart by isDeepStrictEqual.
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b) && isDeepStrictEqual(a, b);

function spoil(node) {
  for (const key of Object.keys(node)) {
    if (typeof node[key] === 'object' && node[key] !== null) spoil(node[key]);
    node[key] = 'spoilt';
  }
}

let n = 0;
for (const line of readFileSync(cases, 'utf8').trimEnd().split('\n')) {
  const { old, new: wanted, ops } = JSON.parse(line);
  patch(old, ops);
  const copy = clone(old);
  if (!same(old, wanted) || !same(copy, wanted)) {
    console.log('not the same:', line);
    process.exit(1);
  }
  spoil(copy);
  if (!same(old, wanted)) {
    console.log('spoilt:', line);
    process.exit(1);
  }
  n++;
}
console.log(`${n} agree`);
