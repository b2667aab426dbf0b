import { defineConfig, mergeConfig } from 'vitest/config';
import vite from './vite.config.ts';

export default defineConfig((env) =>
  mergeConfig(vite({ ...env, mode: 'test' }), {
    test: {
      environment: 'jsdom',
      include: ['src/**/*.test.ts', 'dev/**/*.test.ts'],
      restoreMocks: true,
      setupFiles: ['./src/test-setup.ts'],
    },
  }),
);
