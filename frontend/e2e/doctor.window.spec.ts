// `lineup doctor` says whether surfaces may be shown, and why not.
import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { bin, tempDir, viewWalls, weakEnv } from './lineup.ts';

interface Report {
  surfaces: boolean;
  checked: number;
  leaks: string[];
  checks: { id: string; state: string; detail: string }[];
}

function doctor(weaken: string[] = []): { code: number | null; report: Report } {
  const data = tempDir();
  const build = weaken.length > 0 ? 'lineup-weak' : 'lineup';
  const run = spawnSync(bin(build), ['doctor', '--json', '--data', data.path], {
    encoding: 'utf8',
    timeout: 90_000,
    env: { ...process.env, ...weakEnv(weaken) },
  });
  data.remove();
  return { code: run.status, report: JSON.parse(run.stdout) as Report };
}

test('the shipped program may show surfaces here', () => {
  const { code, report } = doctor();
  expect(report.leaks).toEqual([]);
  expect(report.checked).toBeGreaterThanOrEqual(20);
  expect(report.checks.filter((check) => check.state === 'fail')).toEqual([]);
  expect(report.surfaces).toBe(true);
  expect(code).toBe(0);
});

test('a program whose web view is left open may not, and the leaks are named', () => {
  const { code, report } = doctor(viewWalls);
  expect(report.surfaces).toBe(false);
  expect(report.leaks.length).toBeGreaterThan(0);
  expect(code).toBe(1);
});
