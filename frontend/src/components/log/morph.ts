// The one place where HTML of a message enters the page. It was sanitised in
// Go; here it is merged into what is shown, so that a streamed block neither
// flickers nor loses the reader's selection or a scroll position inside it.

/** Makes the children of root equal to html, keeping every node that did not change. */
export function morph(root: Element, html: string): void {
  // A template's content is inert: nothing in it loads or runs.
  const template = root.ownerDocument.createElement('template');
  template.innerHTML = html;
  hold(template.content);
  mergeChildren(root, template.content);
}

/**
 * Images from the network are not loaded before a click (UX §4). Go leaves no
 * such src; this keeps it so should one come by.
 */
function hold(content: DocumentFragment): void {
  for (const image of content.querySelectorAll('img')) {
    if (!/^data:image\//i.test(image.getAttribute('src') ?? '')) image.removeAttribute('src');
    image.removeAttribute('srcset');
  }
}

function mergeChildren(have: Node, want: Node): void {
  let at = have.firstChild;
  let next = want.firstChild;
  while (next) {
    const wanted = next;
    next = next.nextSibling;
    if (at && sameKind(at, wanted)) {
      mergeNode(at, wanted);
      at = at.nextSibling;
    } else {
      have.insertBefore(wanted, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    have.removeChild(gone);
  }
}

function sameKind(a: Node, b: Node): boolean {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName;
}

function mergeNode(have: Node, want: Node): void {
  if (have instanceof Element && want instanceof Element) {
    mergeAttributes(have, want);
    mergeChildren(have, want);
  } else if (have instanceof CharacterData && want instanceof CharacterData) {
    mergeText(have, want.data);
  }
}

/** Touches only what differs: a selection in the common beginning stays. */
function mergeText(have: CharacterData, want: string): void {
  if (have.data === want) return;
  let common = 0;
  const shorter = Math.min(have.data.length, want.length);
  while (common < shorter && have.data[common] === want[common]) common++;
  have.replaceData(common, have.data.length - common, want.slice(common));
}

function mergeAttributes(have: Element, want: Element): void {
  for (const { name } of [...have.attributes]) {
    if (!want.hasAttribute(name)) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  }
}
