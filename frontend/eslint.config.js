import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import imports from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

// Who may import whom (ARCHITECTURE §2). `from` may not import what `not` lists.
const laws = [
  {
    from: 'host',
    not: ['state', 'ui', 'components', 'views', 'bridge', 'i18n'],
    why: 'host is the door to Go and knows nothing of the page',
  },
  {
    from: 'bridge',
    not: ['state', 'ui', 'components', 'views', 'host', 'i18n'],
    why: 'the bridge decides nothing and knows only frames',
  },
  { from: 'state', not: ['ui', 'components', 'views'], why: 'controllers have no DOM' },
  { from: 'ui', not: ['state', 'components', 'views', 'host', 'bridge'], why: 'primitives know no domain' },
  { from: 'components', not: ['views', 'bridge'], why: 'components are composed by views' },
  { from: 'views', not: ['bridge'], why: 'views compose; frames are driven by state' },
  { from: 'i18n', not: ['state', 'ui', 'components', 'views', 'host', 'bridge'], why: 'words know nothing' },
];

const src = new URL('./src/', import.meta.url).pathname;
const zones = laws.flatMap(({ from, not, why }) =>
  not.map((dir) => ({ target: `${src}${from}`, from: `${src}${dir}`, message: why })),
);

// Components may use the generated types of the host, never the socket.
const componentHost = {
  target: `${src}components`,
  from: `${src}host`,
  except: ['./api.gen.ts'],
  message: 'components reach Go through state',
};

export default ts.config(
  { ignores: ['dist/', 'node_modules/', 'src/host/api.gen.ts', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  {
    // The inner parser is for import-x, which parses .svelte files that .ts files import.
    languageOptions: { globals: { ...globals.browser }, parserOptions: { parser: ts.parser } },
    plugins: { 'import-x': imports },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })],
      'import-x/extensions': ['.ts', '.svelte'],
      'import-x/ignore': ['node_modules'],
      'import-x/external-module-folders': ['node_modules'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'], 'svelte-eslint-parser': ['.svelte'] },
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            ...zones,
            componentHost,
            { ...componentHost, target: `${src}views`, message: 'views reach Go through state' },
          ],
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      'svelte/no-at-html-tags': 'error',
      // Controllers keep Maps that nothing renders; what is rendered is said with $state.
      'svelte/prefer-svelte-reactivity': 'off',
      'import-x/no-named-as-default': 'off',
      'svelte/require-each-key': 'error',
      'no-restricted-globals': ['error', { name: 'localStorage', message: 'settings live in Go' }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'] } },
  },
  {
    files: ['*.config.*', 'scripts/**', 'dev/**', 'e2e/**'],
    languageOptions: { globals: { ...globals.node } },
  },
);
