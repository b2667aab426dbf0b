// Writes src/host/api.gen.ts from the types of app/uiapi; with --check only says whether it is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const file = join(root, 'frontend', 'src', 'host', 'api.gen.ts');
const before = read();

execFileSync('go', ['run', '-modfile=frontend/scripts/tygo.mod', 'github.com/gzuidhof/tygo', 'generate'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, GOFLAGS: '' },
});

if (process.argv.includes('--check')) {
  const after = read();
  writeFileSync(file, before);
  if (before !== after) {
    console.error('src/host/api.gen.ts is not what app/uiapi says: run `npm run gen`');
    process.exit(1);
  }
}

function read() {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
