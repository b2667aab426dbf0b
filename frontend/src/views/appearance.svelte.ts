import { MediaQuery } from 'svelte/reactivity';

export type Theme = 'light' | 'dark' | 'contrast';

const shared = [
  '--lineup-background',
  '--lineup-text',
  '--lineup-text-soft',
  '--lineup-line',
  '--lineup-accent',
  '--lineup-on-accent',
  '--lineup-radius',
  '--lineup-font',
];

/** Puts the chosen look on the document and knows what it came to. */
class Appearance {
  /** What "system" resolved to, or the chosen theme. */
  theme = $state<Theme>('light');
  /** The tokens that surfaces share, by their CSS names. */
  tokens = $state.raw<Record<string, string>>({});
  #dark = new MediaQuery('prefers-color-scheme: dark');
  #contrast = new MediaQuery('prefers-contrast: more');

  /** Theme is system, light, dark or contrast; textSize is percent. */
  apply(theme: string, textSize: number) {
    const root = document.documentElement;
    this.theme = this.#resolve(theme);
    root.dataset.theme = this.theme;
    root.style.setProperty('--text-scale', `${Math.min(200, Math.max(80, textSize || 100))}%`);
    const style = getComputedStyle(root);
    this.tokens = Object.fromEntries(
      shared.map((name) => [name, style.getPropertyValue(name).trim().replace(/\s+/g, ' ')]),
    );
  }

  #resolve(theme: string): Theme {
    if (theme === 'light' || theme === 'dark' || theme === 'contrast') return theme;
    if (this.#contrast.current) return 'contrast';
    return this.#dark.current ? 'dark' : 'light';
  }
}

export const appearance = new Appearance();
