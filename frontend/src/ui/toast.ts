import { toast as sonner } from 'svelte-sonner';

/** Short words that go away by themselves. Nothing that must be answered belongs here. */
export const toast = {
  info: (text: string) => void sonner(text),
  error: (text: string) => void sonner.error(text, { duration: 10_000 }),
  /** With a way back, for as long as it makes sense. */
  undo: (text: string, label: string, onundo: () => void) =>
    void sonner(text, { duration: 10_000, action: { label, onClick: onundo } }),
};
