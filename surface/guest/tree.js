// States as trees: a difference applied to the guest's own tree, and the copy
// of it that the surface gets. Package surface makes the differences (diff.go).

// patch changes tree as ops say. Each op names a place by its keys and indices:
//   [path]                         that key is gone
//   [path, value]                  that place holds value
//   [path, start, removed, items]  a splice of the array at path
function patch(tree, ops) {
  for (let i = 0; i < ops.length; i++) {
    const op = ops[i];
    const path = op[0];
    const depth = op.length === 4 ? path.length : path.length - 1;
    let node = tree;
    for (let j = 0; j < depth; j++) node = node[path[j]];
    if (op.length === 4) splice(node, op[1], op[2], op[3]);
    else if (op.length === 2) put(node, path[depth], op[1]);
    else delete node[path[depth]];
  }
}

// A key that a surface has put a setter for, or a frozen value, on
// Object.prototype (or one like toString on a frozen one) is a key like any other.
function put(node, key, value) {
  if (call(hasOwn, node, key)) node[key] = value;
  else defineProperty(node, key, { __proto__: null, value: value, writable: true, enumerable: true, configurable: true });
}

// Not Array.prototype.splice: its arguments are bounded by the engine's stack.
function splice(list, start, removed, items) {
  const rest = call(slice, list, start + removed);
  list.length = start;
  for (let i = 0; i < items.length; i++) list[list.length] = items[i];
  for (let i = 0; i < rest.length; i++) list[list.length] = rest[i];
}

// clone costs by the number of nodes, whatever the length of their texts.
function clone(node) {
  if (isArray(node)) {
    const copy = call(slice, node);
    for (let i = 0; i < copy.length; i++) {
      const value = copy[i];
      if (typeof value === "object" && value !== null) copy[i] = clone(value);
    }
    return copy;
  }
  const copy = { ...node };
  const names = keys(copy);
  for (let i = 0; i < names.length; i++) {
    const value = copy[names[i]];
    if (typeof value === "object" && value !== null) copy[names[i]] = clone(value);
  }
  return copy;
}
