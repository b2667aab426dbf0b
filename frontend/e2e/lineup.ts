// Starting and ending the real program and the real agents, for tests.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const root = resolve(import.meta.dirname, '../..');
export const artifacts = join(root, 'artifacts', 'screenshots');
mkdirSync(artifacts, { recursive: true });

export function tempDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'lineup-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A child process whose first line on stdout says where it is. */
export class Program {
  readonly process: ChildProcess;
  readonly first: Promise<string>;
  output = '';

  constructor(command: string, args: string[], env: Record<string, string> = {}) {
    this.process = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.process.stderr?.on('data', (data: Buffer) => (this.output += data.toString()));
    this.first = new Promise((done, fail) => {
      this.process.once('error', fail);
      this.process.once('exit', (code) => fail(new Error(`${command} ended with ${code}: ${this.output}`)));
      if (this.process.stdout) createInterface({ input: this.process.stdout }).once('line', done);
    });
    // Somebody always waits for the first line; an exit after it is no failure.
    this.first.catch(() => {});
  }

  /** Ends it without giving it a chance. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill(signal);
    await gone;
  }

  /** Asks it to end, and makes sure. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await this.kill('SIGTERM');
    clearTimeout(late);
  }
}

export const bin = (name: string): string => join(root, 'bin', name);

/** The defences of Go that a test switches off; lineup-weak alone listens to it. */
export const weakEnv = (names: string[]): Record<string, string> => ({ LINEUP_WEAKEN: names.join(',') });

/** All walls of the web view, so that its own channel is open. */
export const viewWalls = ['channel', 'links', 'proxy', 'guard'];
