// `npm run dev:fake`: the page on sample data, without Go, on FAKE_PORT. `npm run preview:fake`: the built page, under its CSP.
import type { Server } from 'node:http';
import { mergeConfig, type Plugin, type ViteDevServer } from 'vite';
import base from '../vite.config.ts';
import { FakeHost } from './fakehost.ts';

const port = Number(process.env.FAKE_PORT ?? 5173);
const surfacePort = port + 2;

// The policy that the real page lives under (ARCHITECTURE §1, SANDBOX §2).
const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
  `frame-src http://127.0.0.1:${surfacePort}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function fakeHost(): Plugin {
  const fake = new FakeHost(surfacePort);
  const attach = (server: Pick<ViteDevServer, 'middlewares' | 'httpServer'>) => {
    server.middlewares.use(fake.control);
    if (server.httpServer) fake.listen(server.httpServer as Server);
  };
  return { name: 'fake-host', configureServer: attach, configurePreviewServer: (s) => attach(s as never) };
}

export default mergeConfig(base({ mode: 'development', command: 'serve' }), {
  root: new URL('..', import.meta.url).pathname,
  plugins: [fakeHost()],
  cacheDir: `node_modules/.vite-fake-${port}`,
  server: { port },
  preview: { host: '127.0.0.1', port, strictPort: true, headers: { 'Content-Security-Policy': csp } },
});
