import { beforeEach, describe, expect, it } from 'vitest';
import { morph } from './morph';

let root: HTMLDivElement;
beforeEach(() => {
  root = document.createElement('div');
  document.body.replaceChildren(root);
});

describe('morph', () => {
  it('ends at exactly the HTML, from every prefix of a stream', () => {
    const steps = [
      '<p>Hel</p>',
      '<p>Hello <strong>wor</strong></p>',
      '<p>Hello <strong>world</strong></p><ul><li>one</li></ul>',
      '<ul><li>one</li><li>two <code>x</code></li></ul>',
      '<table><thead><tr><th>a</th></tr></thead></table>',
      '',
    ];
    for (const html of steps) {
      morph(root, html);
      expect(root.innerHTML).toBe(html);
    }
  });

  it('keeps the nodes that did not change', () => {
    morph(root, '<p>one</p><p>two</p>');
    const [first, second] = root.children;
    morph(root, '<p>one</p><p>two three</p><p>four</p>');
    expect(root.children[0]).toBe(first);
    expect(root.children[1]).toBe(second);
  });

  it('keeps a selection while text is appended', () => {
    morph(root, '<p>Hello</p>');
    const text = root.querySelector('p')?.firstChild;
    if (!text) throw new Error('no text');
    getSelection()?.setBaseAndExtent(text, 1, text, 4);
    morph(root, '<p>Hello there</p>');
    expect(getSelection()?.toString()).toBe('ell');
  });

  it('replaces and removes attributes', () => {
    morph(root, '<a href="https://a.example/" title="x">t</a>');
    morph(root, '<a href="https://b.example/">t</a>');
    expect(root.innerHTML).toBe('<a href="https://b.example/">t</a>');
  });

  it('lets no image of the network load', () => {
    morph(
      root,
      '<img alt="x" src="https://a.example/p.png" srcset="https://a.example/2.png 2x"><img src="data:image/png;base64,AA==">',
    );
    const [remote, inline] = root.querySelectorAll('img');
    expect(remote?.hasAttribute('src')).toBe(false);
    expect(remote?.hasAttribute('srcset')).toBe(false);
    expect(inline?.getAttribute('src')).toBe('data:image/png;base64,AA==');
  });
});
