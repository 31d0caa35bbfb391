/**
 * Import borders between the layers (docs/architecture.md, "Layers"). test/lint/borders.test.ts proves that each
 * rule reports its violation.
 */

/** A package by name, resolved or not. */
const packages = (...names) => names.map((name) => `(^|node_modules/)${name}(/|$)`);
const shells = ['^src/(main|preload|renderer|cli)/'];
const electron = packages('electron');
const react = packages('react', 'react-dom');

/** Modules of core, lowest rank first; a module may import its own rank and those below. */
const ranks = [
  ['lib'],
  ['agents', 'policy', 'puffo', 'models'],
  ['approvals', 'executors', 'mcp', 'tools', 'tasks', 'undo', 'ptc'],
  ['loop', 'workflows'],
  ['agentd', 'supervisor'],
  ['runtimes'],
];

/** Typed messages of the host and their English texts. */
const hostTexts = '^src/language/(host-message|say|verb-forms)[.]ts$';

/** Tests are outside the layers: they may combine any modules. */
const tests = '[.]test[.]tsx?$';
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const only = (name, folder, allowed) =>
  forbid(
    name,
    `${folder} imports nothing but: ${allowed.join('  ')}`,
    { path: `^${folder}/`, pathNot: tests },
    { pathNot: allowed },
  );

const rankRules = ranks.slice(0, -1).map((rooms, rank) =>
  forbid(
    `core-rank-${rank}`,
    `core/${rooms.join(', core/')} must not import a higher room`,
    { path: `^src/core/(${rooms.join('|')})/` },
    {
      path: `^src/core/(${ranks
        .slice(rank + 1)
        .flat()
        .join('|')})/`,
    },
  ),
);

module.exports = {
  forbidden: [
    only('contract-is-small', 'src/contract', ['^src/contract/', hostTexts, ...packages('zod', 'diff')]),
    only('core-is-pure', 'src/core', ['^src/(core|contract)/', hostTexts, ...packages('zod', 'yaml')]),
    ...rankRules,
    forbid(
      'service-knows-no-other-service',
      'adapters meet only in the host, and in tests',
      { path: '^src/services/([^/]+)/', pathNot: '[.]test[.]ts$' },
      { path: '^src/services/', pathNot: '^src/services/$1/' },
    ),
    forbid(
      'service-stays-below-host',
      'an adapter imports core, contract, node and npm',
      { path: '^src/services/' },
      {
        path: ['^src/(host|library|relay)/', ...shells, ...electron, ...react],
        pathNot: '^src/relay/store-port(-agents|-links)?[.]ts$',
      },
    ),
    forbid(
      'relay-port-is-for-the-store',
      'only the SQLite adapter knows the relay, and only its store port',
      { path: '^src/services/', pathNot: '^src/services/db/' },
      { path: '^src/relay/' },
    ),
    forbid(
      'host-has-no-shell',
      'the core of the product runs without a shell',
      { path: '^src/host/' },
      {
        path: [...shells, '^src/library/', ...electron, ...react],
      },
    ),
    forbid(
      'one-root',
      'only the composition root knows all features of a host',
      { path: '^src/', pathNot: ['^src/host/(create-host|build-[^/]+)[.]ts$', tests] },
      { path: '^src/host/build-[^/]+[.]ts$' },
    ),
    forbid(
      'library-has-no-host',
      'standalone use of core',
      { path: '^src/library/' },
      {
        path: ['^src/(host|relay)/', ...shells, ...electron, ...react],
      },
    ),
    forbid(
      'relay-knows-only-wire-formats',
      'the server stands alone',
      { path: '^src/relay/', pathNot: tests },
      {
        path: [
          '^src/(host|library|services)/',
          ...shells,
          ...electron,
          ...react,
          '^src/core/(?!puffo/|lib/|ports[.]ts$)',
        ],
      },
    ),
    forbid(
      'cli-is-a-client',
      'the command line imports contract, library, platform, host and relay',
      { path: '^src/cli/' },
      {
        path: ['^src/(main|preload|renderer|core|services)/', ...electron, ...react],
      },
    ),
    forbid(
      'main-is-a-shell',
      'Electron code imports host and contract',
      { path: '^src/main/' },
      {
        path: ['^src/(preload|renderer|cli|library|relay)/', ...react],
      },
    ),
    forbid(
      'main-takes-types-only-from-within',
      'of core and services the Electron shell may know types',
      { path: '^src/main/' },
      { path: '^src/(core|services)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'platform-knows-no-domain',
      'small adapters without domain knowledge import node and npm',
      { path: '^src/platform/', pathNot: tests },
      { path: ['^src/(?!platform/)', ...electron, ...react] },
    ),
    only('texts-know-nobody', 'src/language', ['^src/language/', ...packages('use-intl')]),
    only('preload-is-a-bridge', 'src/preload', ['^src/(preload|contract)/', ...electron]),
    forbid(
      'renderer-is-a-replica',
      'the renderer imports contract, texts and UI libraries',
      { path: '^src/renderer/' },
      {
        path: ['^src/(?!renderer/|contract/|language/)', ...electron],
      },
    ),
    forbid(
      'renderer-has-no-node',
      'pages run in a browser',
      { path: '^src/renderer/', pathNot: '/vite[.]config[.]ts$' },
      {
        dependencyTypes: ['core'],
      },
    ),
    forbid(
      'one-file-opens-databases',
      'the SQLite binding is imported in one place',
      { path: '^src/', pathNot: '^src/services/db/binding([.]test)?[.]ts$' },
      { path: packages('better-sqlite3-multiple-ciphers', 'better-sqlite3', 'libsql') },
    ),
    forbid(
      'source-knows-no-tests',
      'product code imports no test code',
      { path: '^src/', pathNot: '[.]test[.]tsx?$' },
      {
        path: ['^(test|e2e|bench)/', '[.]test[.]tsx?$', ...packages('vitest', 'fast-check', '@playwright')],
      },
    ),
    forbid(
      'no-cycles',
      'a cycle, of types too, has no order in which to read it',
      { path: '^src/' },
      { circular: true },
    ),
    forbid(
      'no-dead-import',
      'an import must lead somewhere, if only to what the build makes',
      { path: '^src/' },
      { couldNotResolve: true, pathNot: '^virtual:' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
