// A copy of the starter example that a test may edit, and the preview's words.
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, tempDir } from './lineup.ts';

/** A bundle's folder under a name of its own. */
export class Starter {
  readonly #temp = tempDir();
  readonly path = join(this.#temp.path, 'trip-list');

  constructor() {
    mkdirSync(this.path);
    cpSync(join(root, 'examples', 'surface-starter'), this.path, { recursive: true });
  }
  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }
  /** Saves as editors do: beside it, then over it. */
  save(file: string, text: string) {
    writeFileSync(join(this.path, `.${file}.swp`), text);
    renameSync(join(this.path, `.${file}.swp`), join(this.path, file));
  }
  edit(file: string, from: string, to: string) {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    this.save(file, text.replace(from, to));
  }
  remove() {
    this.#temp.remove();
  }
}
