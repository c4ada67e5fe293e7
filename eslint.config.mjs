/**
 * Lint rules that enforce ARCHITECTURE.md. There are four kinds:
 *  - regular expressions whose time grows faster than their input, which would block the event loop;
 *  - promises and switches, checked with types: a promise that is not awaited can lose a notification;
 *  - which project may import which (the Nx tags in each package.json), which npm packages it may not import, and
 *    which area of the gateway may import which;
 *  - things that are allowed in one folder only: the environment, the network, SQL, test helpers.
 * `oxlint.config.mjs` hands them to Oxlint; `tools/lint-rules` breaks each rule on purpose and compares the message.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig } from 'eslint/config';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import clarion from './tools/lint-rules/plugin.mjs';

const TYPESCRIPT = ['**/*.{ts,tsx}'];
const JAVASCRIPT = ['**/*.{js,mjs,cjs}'];
const COMMONJS = ['**/*.{js,cjs}'];
const SPECS = ['**/*.spec.ts', '{apps,libs}/*/test/**/*.ts'];

refreshProjectGraph();

/**
 * The boundary rule reads the project graph that Nx has written to disk. Without a graph the rule prints a warning and
 * passes everything, and an old graph lacks new projects. So lint on the command line writes the graph first. Nx
 * loads this file while it builds the graph, and has a fresh graph when it runs `eslint` as a task: hence the two
 * conditions.
 */
function refreshProjectGraph() {
  const isCommand = /[\\/](es|ox)lint(\.js)?$/.test(process.argv[1] ?? '');
  if (!isCommand || process.env.NX_TASK_TARGET_PROJECT) return;
  const require = createRequire(import.meta.url);
  const nxPackage = require.resolve('nx/package.json');
  const nxCommand = join(dirname(nxPackage), require(nxPackage).bin.nx);
  execFileSync(process.execPath, [nxCommand, 'show', 'projects'], {
    cwd: import.meta.dirname,
    env: { ...process.env, NX_DAEMON: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

// ---------------------------------------------------------------------------------------------- who may import whom

const { contract, rules, data, adapter, platform, embedded, runtime, feature, app, testing, tool } = {
  contract: 'type:contract',
  rules: 'type:rules',
  data: 'type:data',
  adapter: 'type:adapter',
  platform: 'type:platform',
  embedded: 'type:embedded',
  runtime: 'type:runtime',
  feature: 'type:feature',
  app: 'type:app',
  testing: 'type:testing',
  tool: 'type:tool',
};

/** Every matching row applies. `extra` is what specs may import on top. */
const depConstraints = (extra = []) =>
  [
    {
      sourceTag: contract,
      onlyDependOnLibsWithTags: [],
      bannedExternalImports: withSubpaths('typeorm', 'bullmq', 'pg', 'ioredis', '@nestjs/common', '@nestjs/core'),
    },
    { sourceTag: data, onlyDependOnLibsWithTags: [contract] },
    {
      sourceTag: adapter,
      onlyDependOnLibsWithTags: [contract],
      bannedExternalImports: ['@nestjs/*', ...withSubpaths('typeorm', 'bullmq')],
    },
    { sourceTag: platform, onlyDependOnLibsWithTags: [contract] },
    // The servers of `npm start` and of the specs; no role imports them.
    { sourceTag: embedded, onlyDependOnLibsWithTags: [contract] },
    // Decisions and contents are functions of plain data, so that delivery, dry run and preview share them.
    {
      sourceTag: rules,
      onlyDependOnLibsWithTags: [contract, rules],
      bannedExternalImports: ['@nestjs/*', ...withSubpaths('typeorm', 'bullmq', 'pg', 'ioredis')],
    },
    // Every process starts with this lib.
    { sourceTag: runtime, onlyDependOnLibsWithTags: [contract, rules, data, platform] },
    // A feature imports no other feature. Only the feature that delivers imports the providers.
    { sourceTag: feature, onlyDependOnLibsWithTags: [contract, rules, data, platform, runtime, adapter] },
    { allSourceTags: [feature, 'scope:engine'], onlyDependOnLibsWithTags: [contract, rules, data, platform, runtime] },
    // No feature here, so that a request handler cannot send a message.
    {
      allSourceTags: [app, 'scope:gateway'],
      onlyDependOnLibsWithTags: [contract, rules, data, platform, runtime, adapter],
    },
    {
      allSourceTags: [app, 'scope:engine'],
      onlyDependOnLibsWithTags: ['scope:engine', contract, rules, data, platform, runtime],
    },
    {
      allSourceTags: [app, 'scope:worker'],
      onlyDependOnLibsWithTags: ['scope:worker', contract, rules, data, platform, runtime, adapter],
    },
    {
      allSourceTags: [app, 'scope:standalone'],
      onlyDependOnLibsWithTags: [contract, rules, data, platform, embedded, runtime, adapter, feature, app],
    },
    // The dashboard runs in a browser and knows the interface only by its OpenAPI document.
    { allSourceTags: [app, 'scope:dashboard'], onlyDependOnLibsWithTags: [] },
    {
      allSourceTags: [app, 'scope:e2e'],
      onlyDependOnLibsWithTags: [contract, rules, data, platform, embedded, runtime, adapter, feature, app],
    },
    { sourceTag: testing, onlyDependOnLibsWithTags: [contract, rules, data, platform, embedded, adapter] },
    // The benchmarks, the chaos experiments and the specs of the repository look at everything.
    { sourceTag: tool, onlyDependOnLibsWithTags: ['*'] },
  ].map((row) => ({ ...row, onlyDependOnLibsWithTags: [...row.onlyDependOnLibsWithTags, ...extra] }));

function withSubpaths(...packages) {
  return packages.flatMap((name) => [name, `${name}/*`]);
}

const boundaries = ({ extra, allow = [], viaOwnName = false } = {}) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      allow,
      depConstraints: depConstraints(extra),
      // Specs of a lib import the test lib, and the test lib imports that lib. Only specs do, so there is no real
      // cycle. The test lib itself is left out: as a pair with itself, its relative imports would count as foreign
      // imports.
      ignoredCircularDependencies: [['@clarion/testing', '!@clarion/testing']],
      allowCircularSelfDependency: viaOwnName,
      // Matters for browser bundles only. Here a project may be imported lazily in one place and directly in another.
      checkDynamicDependenciesExceptions: ['.*'],
    },
  ],
});

/** Specs may import the test lib, and their own lib by its package name. */
const SPEC_BOUNDARIES = { extra: [testing], viaOwnName: true };

const SPEC_RIGHTS = { env: true, network: true, sql: true, requests: true, testHelpers: true, spec: true };

/** The rule rejects every import of an app. Standalone is made of the apps; e2e, bench and chaos start them. */
const APPS = '^@clarion/(gateway|engine|worker-[a-z-]+|standalone)(/command-line)?$';

/** The areas of the gateway, and which areas each may import. ARCHITECTURE.md draws the table. */
const GATEWAY_AREAS = JSON.parse(
  readFileSync(join(import.meta.dirname, 'tools/lint-rules/gateway-areas.json'), 'utf8'),
);

/** Imports inside the gateway are relative. No area imports the files beside the areas, which compose them. */
const gatewayAreas = Object.entries(GATEWAY_AREAS).map(([area, allowed]) => {
  const others = Object.keys(GATEWAY_AREAS).filter((name) => name !== area && !allowed.includes(name));
  const folders = others.map((name) => `${name}/.*`);
  const files = ['app.module', 'gateway', 'run-gateway', 'describe-gateway', 'command-line'];
  const regex = String.raw`^(\.\./)+(${[...folders, ...files].join('|')})$`;
  const message = `The area "${area}" may import ${allowed.join(', ') || 'no other area'}.`;
  return {
    files: [`apps/gateway/src/${area}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
  };
});

// -------------------------------------------------------------------------------- things allowed in one folder only

const ENV = 'The environment is read once, in libs/platform/src/config. Take a config object instead.';
const NETWORK = 'Only libs/platform/src/egress opens network connections. Use the egress ports instead.';
const SQL = 'SQL is allowed in libs/persistence only. Add a repository method there.';
const REQUESTS =
  'Only the gateway loads the request classes; the other processes start faster with @clarion/contracts/core.';
const TESTING = '@clarion/testing is for specs, bench, chaos and the test/ folders only.';

const BUILT_IN_NETWORK = ['http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((name) => [name, `node:${name}`]);
const NETWORK_MODULES = [...BUILT_IN_NETWORK, 'undici', 'axios', 'nodemailer', 'got', 'node-fetch'];
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource'];

const SQL_START = String.raw`/^\s*(select|insert|update|delete|with|create|alter|drop|truncate|begin|lock|set)\b/i`;
const DATABASE_NAME = '/^(dataSource|database|db|manager|entityManager|queryRunner|runner|pool|pgClient)$/';
const SQL_CALL = `CallExpression[callee.property.name=/^(query|execute)$/]:matches(${[
  `[arguments.0.value=${SQL_START}]`,
  `[arguments.0.quasis.0.value.raw=${SQL_START}]`,
  `[callee.object.name=${DATABASE_NAME}]`,
  `[callee.object.property.name=${DATABASE_NAME}]`,
].join()})`;

const FOCUSED = 'Every spec runs, always: no .only, no .skip.';
const FOCUSED_TESTS = [
  'MemberExpression[property.name=/^(only|skip)$/][object.name=/^(describe|it|test)$/]',
  'MemberExpression[property.name=/^(only|skip)$/][object.object.name=/^(describe|it|test)$/]',
  'CallExpression[callee.name=/^(fdescribe|fit|xdescribe|xit|xtest)$/]',
];

const PAUSE =
  'A pause of a fixed time races what it waits for on a busy machine. Wait for the condition (`until`) or the event.';
const PAUSES = [
  'NewExpression[callee.name="Promise"] CallExpression[callee.name="setTimeout"]',
  'ImportDeclaration[source.value=/^(node:)?timers.promises$/] > ImportSpecifier[imported.name="setTimeout"]',
  'CallExpression[callee.property.name="waitForTimeout"]',
];

const READ_ONCE = 'A page draws later what a click or an answer has changed: repeat the assertion with `soon`.';
const READS = '/^(count|title|url|textContent|innerText|inputValue|getAttribute|all\\w+|is[A-Z]\\w+)$/';
const READS_ONCE = [
  `CallExpression[callee.name="expect"]:has(CallExpression[callee.property.name=${READS}]):not(CallExpression[callee.name="soon"] CallExpression)`,
];

const FOREIGN_JSON = 'This text may be nested deeper than the stack reaches. Read it with readJson of the contracts.';

const ban = (message, selectors) => selectors.map((selector) => ({ selector, message }));
const rule = (options) => (options.length > 0 ? ['error', ...options] : 'off');

/**
 * All restrictions except the ones that the options lift. A later config entry replaces the options of a rule as a
 * whole, so each folder states all of them. `network` is true, or a list of modules that the folder may import;
 * `foreignJson` is a restriction for folders that read what tenants and other systems write.
 */
function restrictions({
  env = false,
  network = false,
  sql = false,
  requests = false,
  testHelpers = false,
  spec = false,
  browser = false,
  foreignJson = false,
} = {}) {
  const modules = NETWORK_MODULES.filter((name) => network !== true && !(network || []).includes(name));
  const globals = network === true ? [] : NETWORK_GLOBALS;
  // A type import opens no socket.
  const paths = modules.map((name) => ({ name, message: NETWORK, allowTypeImports: true }));
  const patterns = [];
  if (modules.includes('undici')) {
    patterns.push({ group: ['undici/*', 'nodemailer/*', 'axios/*'], message: NETWORK, allowTypeImports: true });
  }
  if (!env) paths.push(...['process', 'node:process'].map((name) => ({ name, message: ENV })));
  if (!requests) paths.push({ name: '@clarion/contracts', message: REQUESTS, allowTypeImports: true });
  if (!testHelpers) {
    paths.push({ name: '@clarion/testing', message: TESTING });
    patterns.push({ group: ['@clarion/testing/*'], message: TESTING });
  }
  return {
    'no-restricted-globals': rule(globals.map((name) => ({ name, message: NETWORK }))),
    'no-restricted-properties': rule([
      ...(env ? [] : [{ object: 'process', property: 'env', message: ENV }]),
      ...globals.flatMap((property) =>
        ['globalThis', 'global'].map((object) => ({ object, property, message: NETWORK })),
      ),
      ...(foreignJson ? [{ object: 'JSON', property: 'parse', message: FOREIGN_JSON }] : []),
    ]),
    'clarion/no-restricted-imports': rule(paths.length + patterns.length > 0 ? [{ paths, patterns }] : []),
    'clarion/no-restricted-syntax': rule([
      ...ban(
        NETWORK,
        modules.map((name) => `ImportExpression[source.value="${name}"]`),
      ),
      ...ban(SQL, sql ? [] : [SQL_CALL]),
      ...ban(FOCUSED, spec ? FOCUSED_TESTS : []),
      ...ban(PAUSE, spec ? PAUSES : []),
      ...ban(READ_ONCE, browser ? READS_ONCE : []),
    ]),
  };
}

// ------------------------------------------------------------------------------------------------------ the config

/** Plain mistakes, in every kind of file. */
const mistakes = Object.fromEntries(
  [
    'for-direction',
    'no-async-promise-executor',
    'no-compare-neg-zero',
    'no-cond-assign',
    'no-constant-binary-expression',
    'no-debugger',
    'no-dupe-else-if',
    'no-duplicate-case',
    'no-empty-pattern',
    'no-fallthrough',
    'no-global-assign',
    'no-loss-of-precision',
    'no-prototype-builtins',
    'no-self-assign',
    'no-self-compare',
    'no-sparse-arrays',
    'no-unsafe-finally',
    'no-unsafe-optional-chaining',
    'no-useless-catch',
    'no-var',
    'prefer-const',
    'use-isnan',
    'valid-typeof',
  ].map((name) => [name, 'error']),
);

/** What scripts of a page use beside the globals of Node. */
const BROWSER = Object.fromEntries(
  ['confirm', 'CSS', 'document', 'localStorage', 'location', 'navigator', 'requestAnimationFrame'].map((name) => [
    name,
    'readonly',
  ]),
);

const unusedVars = ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }];

export default defineConfig(
  {
    ignores: ['**/dist/', '**/node_modules/', '**/.nx/', '**/.cache/', '**/.clarion/', '**/coverage/'],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { '@nx': nx, regexp, clarion },
    rules: {
      ...mistakes,
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: JAVASCRIPT,
    languageOptions: {
      globals: Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly'])),
    },
    rules: { 'no-undef': 'error', 'no-unused-vars': unusedVars },
  },
  { files: ['apps/gateway/assets/*.js', 'tools/screenshots.mjs'], languageOptions: { globals: BROWSER } },
  {
    files: COMMONJS,
    ignores: ['examples/**'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly' } },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // Skips files with decorators: the tsconfig emits their metadata, and Nest injects classes imported as values.
      'clarion/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // The compiler reports unused names. This rule took a third of the time of all rules.
      '@typescript-eslint/no-unused-vars': 'off',
      ...boundaries(),
    },
  },

  { files: ['{apps,libs}/*/src/**/*.{ts,tsx}'], ignores: SPECS, rules: { 'clarion/no-quadratic-search': 'error' } },

  { files: ['libs/**/*.ts'], rules: restrictions() },
  { files: ['apps/**/*.ts'], rules: restrictions({ requests: true }) },
  { files: ['libs/{providers,rules}/src/**/*.ts'], rules: restrictions({ foreignJson: true }) },
  {
    files: ['apps/worker-*/src/**/*.ts', 'apps/gateway/src/channels/**/*.ts'],
    rules: restrictions({ requests: true, foreignJson: true }),
  },
  ...gatewayAreas,
  // Extends a class of the server; it opens no connection.
  {
    files: ['apps/gateway/src/edge/http/websocket-request.ts'],
    rules: restrictions({ requests: true, network: ['http', 'node:http'] }),
  },
  { files: ['apps/dashboard/src/**/*.{ts,tsx}'], rules: restrictions({ network: true }) },
  { files: ['libs/platform/src/config/**/*.ts'], rules: restrictions({ env: true }) },
  { files: ['libs/embedded/src/**/*.ts'], rules: restrictions({ env: true, network: ['net', 'node:net'] }) },
  { files: ['libs/platform/src/observe/**/*.ts'], rules: restrictions({ network: ['http', 'node:http'] }) },
  { files: ['libs/platform/src/egress/**/*.ts'], rules: restrictions({ network: true }) },
  { files: ['libs/persistence/**/*.ts'], rules: restrictions({ sql: true }) },
  { files: ['libs/testing/**/*.ts'], rules: restrictions({ env: true, network: true, sql: true, testHelpers: true }) },
  {
    files: ['tools/{bench,chaos}/**/*.ts'],
    rules: {
      ...restrictions({ network: true, sql: true, requests: true, testHelpers: true }),
      ...boundaries({ allow: [APPS] }),
    },
  },
  { files: ['apps/standalone/**/*.ts'], rules: boundaries({ allow: [APPS] }) },
  { files: SPECS, rules: { ...restrictions(SPEC_RIGHTS), ...boundaries(SPEC_BOUNDARIES) } },
  { files: ['apps/dashboard/test/*.spec.ts'], rules: restrictions({ ...SPEC_RIGHTS, browser: true }) },
  {
    files: ['apps/standalone/**/*.spec.ts', 'apps/standalone/test/**/*.ts', 'apps/e2e/**/*.ts'],
    rules: boundaries({ ...SPEC_BOUNDARIES, allow: [APPS] }),
  },
);
