import { svelte } from '@sveltejs/vite-plugin-svelte';
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const path = (p: string) => fileURLToPath(new URL(p, import.meta.url));

// Vite empties dist/, but Go needs something to embed in a tree where the page
// was never built, so the committed placeholder is put back.
function keepPlaceholder(): Plugin {
  return {
    name: 'keep-placeholder',
    apply: 'build',
    closeBundle: () => copyFileSync(path('./scripts/placeholder.html'), path('./dist/placeholder.html')),
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), keepPlaceholder()],
  resolve: {
    alias: { $: path('./src') },
    conditions: mode === 'test' ? ['browser'] : undefined,
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
  build: {
    target: ['es2022', 'safari16'],
    outDir: 'dist',
    emptyOutDir: true,
    // The page's CSP has no data: for fonts or scripts, and `data:` images are for previews only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
}));
