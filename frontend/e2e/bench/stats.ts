/** The middle of some figures, and their 95th percentile. */
export interface Spread {
  p50: number;
  p95: number;
  n: number;
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), n: sorted.length };
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
export const mb = (bytes: number): string => `${(bytes / (1 << 20)).toFixed(1)} MB`;
export const ratio = (ours: number, base: number): string => (ours / base).toFixed(2);

/** Lines of a table, for docs/BENCHMARKS.md. */
export class Table {
  readonly #rows: string[][] = [];
  constructor(readonly head: string[]) {}
  row(...cells: string[]) {
    this.#rows.push(cells);
  }
  toString(): string {
    const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
    return [line(this.head), line(this.head.map(() => '---')), ...this.#rows.map(line)].join('\n');
  }
}
