import { Miniature } from './miniature';

const BOUNDARIES = '@nx(enforce-module-boundaries)';
const IMPORTS = 'clarion(no-restricted-imports)';
const SYNTAX = 'clarion(no-restricted-syntax)';
const PROPERTIES = 'eslint(no-restricted-properties)';
const GLOBALS = 'eslint(no-restricted-globals)';

const ENV = /read once, in libs\/platform\/src\/config/;
const NETWORK = /Only libs\/platform\/src\/egress opens network connections/;
const FOREIGN_JSON = /Read it with readJson/;
const SQL = /SQL is allowed in libs\/persistence only/;
const REQUESTS = /Only the gateway loads the request classes/;
const TESTING = /for specs, bench, chaos and the test\/ folders only/;
const FOCUSED = /no \.only, no \.skip/;
const PAUSE = /A pause of a fixed time races/;
const READ_ONCE = /A page draws later/;

const onlyTags = (source: string): RegExp => new RegExp(`tagged with "${source}" can only depend on libs tagged with`);
const notAllowed = (source: string, name: string): RegExp =>
  new RegExp(`tagged with "${source}" is not allowed to import "${name}"`);

type Linted = Awaited<ReturnType<Miniature['lint']>>;
type Expectation = [ruleId: string, message: RegExp];

/** Code in a folder, and every message that lint reports for it. Lint reports nothing when none is listed. */
type Case = [folder: string, code: string, ...expected: Expectation[]];

const use = (name: string): string => `import '${name}';`;

const PROJECTS: Case[] = [
  ['libs/contracts/src', use('uuidv7')],
  ['libs/contracts/src', use('@clarion/persistence'), [BOUNDARIES, /"type:contract" cannot depend on any libs/]],
  ['libs/contracts/src', use('typeorm'), [BOUNDARIES, notAllowed('type:contract', 'typeorm')]],
  ['libs/contracts/src', use('ioredis/built/Redis'), [BOUNDARIES, notAllowed('type:contract', 'ioredis/built/Redis')]],
  ['libs/contracts/src', use('@nestjs/common'), [BOUNDARIES, notAllowed('type:contract', '@nestjs/common')]],
  ['libs/contracts/src', use('@nestjs/swagger')],

  ['libs/persistence/src', use('@clarion/contracts/core')],
  ['libs/persistence/src', use('typeorm')],
  ['libs/persistence/src', use('@clarion/queue'), [BOUNDARIES, onlyTags('type:data')]],
  ['libs/queue/src', use('@clarion/platform'), [BOUNDARIES, onlyTags('type:data')]],
  ['libs/platform/src', use('@clarion/contracts/core')],
  ['libs/platform/src', use('@clarion/persistence'), [BOUNDARIES, onlyTags('type:platform')]],
  ['libs/claims/src', use('@clarion/platform'), [BOUNDARIES, onlyTags('type:platform')]],
  ['libs/runtime/src', use('@clarion/embedded'), [BOUNDARIES, onlyTags('type:runtime')]],
  ['libs/testing/src', use('@clarion/embedded')],
  ['apps/standalone/src', use('@clarion/embedded')],

  ['libs/providers/src', use('@clarion/contracts/core')],
  ['libs/providers/src', use('@clarion/platform'), [BOUNDARIES, onlyTags('type:adapter')]],
  ['libs/providers/src', use('typeorm'), [BOUNDARIES, notAllowed('type:adapter', 'typeorm')]],
  ['libs/providers/src', use('bullmq'), [BOUNDARIES, notAllowed('type:adapter', 'bullmq')]],
  ['libs/providers/src', use('@nestjs/common'), [BOUNDARIES, notAllowed('type:adapter', '@nestjs/common')]],
  ['libs/providers/src', `export * from 'typeorm';`, [BOUNDARIES, notAllowed('type:adapter', 'typeorm')]],
  ['libs/providers/src', `export const x = import('typeorm');`, [BOUNDARIES, notAllowed('type:adapter', 'typeorm')]],

  ['libs/rules/src', use('@clarion/contracts/core')],
  ['libs/rules/src', use('@clarion/persistence'), [BOUNDARIES, onlyTags('type:rules')]],
  ['libs/content/src', use('@clarion/platform'), [BOUNDARIES, onlyTags('type:rules')]],
  ['libs/rules/src', use('typeorm'), [BOUNDARIES, notAllowed('type:rules', 'typeorm')]],
  ['libs/runtime/src', `${use('@clarion/persistence')}\n${use('@clarion/queue')}\n${use('@clarion/content')}`],
  ['libs/runtime/src', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:runtime')]],
  ['libs/runtime/src', use('@clarion/providers'), [BOUNDARIES, onlyTags('type:runtime')]],

  ['libs/workflow/src', `${use('@clarion/rules')}\n${use('@clarion/content')}\n${use('@clarion/runtime')}`],
  ['libs/workflow/src', `${use('@clarion/persistence')}\n${use('@clarion/queue')}\n${use('@clarion/platform')}`],
  ['libs/workflow/src', use('@clarion/providers'), [BOUNDARIES, onlyTags('type:feature" and "scope:engine')]],
  ['libs/workflow/src', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:feature')]],
  ['libs/delivery/src', `${use('@clarion/providers')}\n${use('@clarion/queue')}`],
  ['libs/delivery/src', use('@clarion/workflow'), [BOUNDARIES, onlyTags('type:feature')]],

  ['apps/gateway/src', `${use('@clarion/persistence')}\n${use('@clarion/queue')}\n${use('@clarion/providers')}`],
  ['apps/gateway/src', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:app" and "scope:gateway')]],
  ['apps/gateway/src', use('@clarion/workflow'), [BOUNDARIES, onlyTags('type:app" and "scope:gateway')]],
  ['apps/gateway/src', use('@clarion/standalone'), [BOUNDARIES, /Imports of apps are forbidden/]],
  ['apps/gateway/src/triggers/explain', use('../../audience/x')],
  [
    'apps/gateway/src/triggers/explain',
    use('../../inbox/x'),
    ['eslint(no-restricted-imports)', /area "triggers" may import edge/],
  ],
  ['apps/gateway/src/edge', use('../app.module'), ['eslint(no-restricted-imports)', /"edge" may import no other area/]],
  ['apps/gateway/test', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:app" and "scope:gateway')]],
  ['apps/engine/src', `${use('@clarion/workflow')}\n${use('@clarion/platform')}`],
  ['apps/engine/src', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:app" and "scope:engine')]],
  ['apps/engine/src', use('@clarion/providers'), [BOUNDARIES, onlyTags('type:app" and "scope:engine')]],
  ['apps/worker-email/src', use('@clarion/delivery')],
  ['apps/worker-email/src', use('@clarion/workflow'), [BOUNDARIES, onlyTags('type:app" and "scope:worker')]],
  ['apps/standalone/src', `${use('@clarion/gateway')}\n${use('@clarion/worker-email')}\n${use('@clarion/delivery')}`],
  ['apps/gateway/src', `${use('@clarion/rules')}\n${use('@clarion/content')}\n${use('@clarion/runtime')}`],
  ['apps/e2e/test', `${use('@clarion/gateway')}\n${use('@clarion/workflow')}\n${use('@clarion/testing')}`],

  ['tools/bench', `${use('@clarion/gateway')}\n${use('@clarion/workflow')}\n${use('@clarion/testing')}`],
  ['tools/chaos', `${use('@clarion/gateway')}\n${use('@clarion/persistence')}\n${use('@clarion/testing')}`],

  ['libs/queue/src', use('../../contracts/src'), [BOUNDARIES, /cannot be imported by a relative or absolute path/]],
  ['libs/queue/src', use('@clarion/queue'), [BOUNDARIES, /should use relative imports/]],
  ['libs/queue/test', use('@clarion/queue')],
];

const TEST_HELPERS: Case[] = [
  ['libs/platform/src', use('@clarion/testing'), [IMPORTS, TESTING], [BOUNDARIES, onlyTags('type:platform')]],
  ['libs/contracts/src', use('@clarion/testing'), [IMPORTS, TESTING], [BOUNDARIES, /cannot depend on any libs/]],
  [
    'apps/gateway/src',
    use('@clarion/testing'),
    [IMPORTS, TESTING],
    [BOUNDARIES, onlyTags('type:app" and "scope:gateway')],
  ],
  [
    'apps/standalone/src',
    use('@clarion/testing'),
    [IMPORTS, TESTING],
    [BOUNDARIES, onlyTags('type:app" and "scope:standalone')],
  ],
  ['libs/contracts/src/*.spec', use('@clarion/testing')],
  ['libs/persistence/src/*.spec', use('@clarion/testing')],
  ['libs/persistence/test', use('@clarion/testing')],
  ['apps/gateway/test/*.e2e-spec', use('@clarion/testing')],
  ['apps/standalone/src/*.spec', `${use('@clarion/testing')}\n${use('@clarion/gateway')}`],
  ['tools/bench', use('@clarion/testing')],
  // The test lib may import its own files and the libs whose specs import it: see `ignoredCircularDependencies`.
  ['libs/testing/src', `${use('./index')}\n${use('@clarion/persistence')}\n${use('@clarion/providers')}`],
  ['libs/testing/src', use('@clarion/delivery'), [BOUNDARIES, onlyTags('type:testing')]],
];

const REQUEST_CLASSES: Case[] = [
  ['libs/delivery/src', use('@clarion/contracts'), [IMPORTS, REQUESTS]],
  ['libs/persistence/src', `import { type X } from '@clarion/contracts';\nexport type Y = X;`],
  ['libs/persistence/src/*.spec', use('@clarion/contracts')],
  ['apps/gateway/src', use('@clarion/contracts')],
];

const ENVIRONMENT: Case[] = [
  ['apps/gateway/src', 'export const port = process.env.PORT;', [PROPERTIES, ENV]],
  ['apps/standalone/src', 'export const { env } = process;', [PROPERTIES, ENV]],
  ['libs/platform/src/egress', `export const allow = process['env'];`, [PROPERTIES, ENV]],
  ['libs/platform/src', `export { env } from 'node:process';`, [IMPORTS, ENV]],
  ['libs/platform/src/*.config', 'export const port = process.env.PORT;', [PROPERTIES, ENV]],
  ['libs/platform/src/config', 'export const port = process.env.PORT;'],
  ['libs/embedded/src', 'export const path = process.env.PATH;'],
  ['libs/testing/src', 'export const url = process.env.DATABASE_URL;'],
  ['apps/gateway/src/*.spec', 'export const url = process.env.DATABASE_URL;'],
  ['tools/bench', 'export const url = process.env.DATABASE_URL;', [PROPERTIES, ENV]],
  ['apps/gateway/src', 'export const pid = process.pid;'],
];

const FOREIGN: Case[] = [
  [
    'libs/providers/src',
    'export const read = (text: string) => JSON.parse(text) as object;',
    [PROPERTIES, FOREIGN_JSON],
  ],
  ['apps/gateway/src/channels', 'export const { parse } = JSON;', [PROPERTIES, FOREIGN_JSON]],
  ['libs/providers/src/*.spec', 'export const read = (text: string) => JSON.parse(text) as object;'],
  ['libs/platform/src', 'export const read = (text: string) => JSON.parse(text) as object;'],
];

const THE_NETWORK: Case[] = [
  ['apps/gateway/src', use('node:http'), [IMPORTS, NETWORK]],
  ['libs/delivery/src', use('https'), [IMPORTS, NETWORK]],
  ['libs/delivery/src', use('undici'), [IMPORTS, NETWORK]],
  ['libs/delivery/src', use('nodemailer/lib/mailer'), [IMPORTS, NETWORK]],
  ['libs/providers/src', use('axios'), [IMPORTS, NETWORK]],
  ['libs/providers/src', `export const call = () => fetch('https://a.example');`, [GLOBALS, NETWORK]],
  ['libs/providers/src', `export const call = globalThis.fetch;`, [PROPERTIES, NETWORK]],
  ['libs/queue/src', `export const x = import('node:tls');`, [SYNTAX, NETWORK]],
  ['libs/platform/src/config', use('node:net'), [IMPORTS, NETWORK]],
  ['libs/embedded/src', use('node:net')],
  ['libs/embedded/src', use('node:http'), [IMPORTS, NETWORK]],
  ['libs/platform/src/observe', use('node:http')],
  ['libs/platform/src/observe', use('undici'), [IMPORTS, NETWORK]],
  ['libs/platform/src/egress', `${use('undici')}\n${use('node:tls')}\nexport const call = fetch;`],
  ['apps/gateway/src/*.spec', `${use('node:http')}\nexport const call = fetch;`],
  ['libs/testing/src', use('node:http')],
  ['tools/bench', use('undici')],
  ['apps/gateway/src', `import { type Server } from 'node:http';\nexport type S = Server;`],
  ['apps/gateway/src', `import type { Server } from 'node:http';\nexport type S = Server;`],
];

const DATABASE = 'declare const database: { query(sql: string): string };\n';
const SQL_TEXT: Case[] = [
  ['apps/gateway/src', `${DATABASE}export const f = (sql: string) => database.query(sql);`, [SYNTAX, SQL]],
  ['libs/workflow/src', `${DATABASE}export const f = (x = { database }) => x.database.query('');`, [SYNTAX, SQL]],
  ['libs/queue/src', `${DATABASE}export const f = (x = database) => x.query('select 1');`, [SYNTAX, SQL]],
  ['libs/queue/src', `${DATABASE}export const f = (x = database) => x.query(\` UPDATE t SET a = 1\`);`, [SYNTAX, SQL]],
  ['apps/engine/src', `${DATABASE}export const f = () => database.query('select 1');`, [SYNTAX, SQL]],
  ['libs/persistence/src', `${DATABASE}export const f = () => database.query('select 1');`],
  ['libs/persistence/test', `${DATABASE}export const f = () => database.query('select 1');`],
  ['tools/bench', `${DATABASE}export const f = () => database.query('select 1');`],
  ['libs/testing/src', `${DATABASE}export const f = () => database.query('select 1');`],
  ['apps/gateway/src', `${DATABASE}export const f = (request = database) => request.query('selected=1');`],
];

const FOCUSED_SPECS: Case[] = [
  ['libs/queue/src/*.spec', `describe.only('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `it.only('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `test.skip('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/test', `describe.skip.each([1])('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `test.concurrent.only('x', async () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `xit('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `fdescribe('x', () => {});`, [SYNTAX, FOCUSED]],
  ['libs/queue/src/*.spec', `describe('x', () => {\n  it.each([1])('y', () => {});\n});`],
];

const PAUSES: Case[] = [
  ['libs/queue/src/*.spec', `export const f = () => new Promise((next) => setTimeout(next, 5));`, [SYNTAX, PAUSE]],
  ['libs/queue/test', `import { setTimeout as wait } from 'node:timers/promises';\nvoid wait;`, [SYNTAX, PAUSE]],
  ['libs/queue/test', `import { setImmediate as turn } from 'node:timers/promises';\nvoid turn;`],
  ['libs/queue/src/*.spec', `export const f = () => new Promise(setImmediate);`],
  ['libs/queue/src', `export const f = () => new Promise((next) => setTimeout(next, 5));`],
  [
    'apps/dashboard/test/*.spec',
    `declare const page: { title(): Promise<string> };\nit('x', async () => expect(await page.title()).toBe(''));`,
    [SYNTAX, READ_ONCE],
  ],
  [
    'apps/dashboard/test/*.spec',
    `declare const page: { title(): Promise<string> };\ndeclare function soon(it: () => Promise<void>): Promise<void>;
it('x', async () => soon(async () => expect(await page.title()).toBe('')));`,
  ],
];

const PROMISE = 'declare function send(): Promise<boolean>;\n';
const DECORATOR = 'declare const Injectable: ClassDecorator;\n';
const TYPES: Case[] = [
  [
    'apps/gateway/src',
    `${PROMISE}export function f() {\n  send();\n}`,
    ['typescript(no-floating-promises)', /Promises must be awaited/],
  ],
  [
    'apps/gateway/test',
    `${PROMISE}export function f() {\n  send();\n}`,
    ['typescript(no-floating-promises)', /Promises must be awaited/],
  ],
  [
    'libs/delivery/src',
    `${PROMISE}export const f = () => (send() ? 1 : 2);`,
    ['typescript(no-misused-promises)', /Expected non-Promise value/],
  ],
  [
    'libs/delivery/src',
    `export const f = async (x: number) => await x;`,
    ['typescript(await-thenable)', /Unexpected `await` of a non-Promise/],
  ],
  [
    'libs/delivery/src',
    `export function f(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}`,
    ['typescript(switch-exhaustiveness-check)', /not exhaustive.*"b"/],
  ],
  ['libs/delivery/src', `export const f = (x: any) => x;`, ['typescript(no-explicit-any)', /Unexpected `any`/]],
  [
    'libs/delivery/src',
    `import { Something } from '@clarion/contracts/core';\nexport const f = (x: Something) => x;`,
    ['clarion(consistent-type-imports)', /only used as types/],
  ],
  // Nest reads the class from the emitted metadata, so the import must stay a value.
  [
    'libs/delivery/src',
    [
      `import { Something } from '@clarion/contracts/core';`,
      `${DECORATOR}@Injectable`,
      `export class C {\n  constructor(readonly x: Something) {}\n}`,
    ].join('\n'),
  ],
];

const expression = (source: string): string => `export const f = (x: string) => x.replace(${source}, '');`;
const MOVE: Expectation = ['regexp(no-super-linear-move)', /quadratic runtime/];
const BACKTRACKING: Expectation = ['regexp(no-super-linear-backtracking)', /polynomial backtracking/];
const SEARCH: Expectation = ['clarion(no-quadratic-search)', /where the search starts again/];
const EXPRESSIONS: Case[] = [
  ['libs/providers/src', expression(String.raw`/\/+$/`), MOVE],
  ['libs/content/src', expression(String.raw`/^\{\{\s*|\s*\}\}$/g`), MOVE],
  ['libs/content/src', expression(String.raw`/\{[{%].*?[%}]\}/gs`), MOVE, SEARCH],
  ['apps/gateway/src', expression(String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`), BACKTRACKING],
  ['apps/dashboard/src', expression(String.raw`/src=["']?\s*["']?\s*\/\//`), BACKTRACKING],
  ['libs/content/src', expression(String.raw`/<body\b[^>]*>/i`), SEARCH],
  ['libs/providers/src', expression(String.raw`/\.(filter|recvd).*$/`), SEARCH],
  ['libs/content/src', expression('/^```sh\\n([^]*?)^```$/gm'), SEARCH],
  ['libs/content/src', expression('/^## (.+)$/gm')],
  ['libs/content/src', expression(String.raw`/<body\b[^<>]*>/i`)],
  ['libs/providers/src', expression(String.raw`/(?<!\/)\/+$/`)],
  ['libs/providers/src', expression(String.raw`/^id=.*$/`)],
  ['libs/queue/test', expression(String.raw`/\/+$/`), MOVE],
  ['tools/*.mjs', String.raw`export const f = (x) => x.replace(/\/+$/, '');`, MOVE],
  // Files of this repository are the input of specs.
  ['libs/queue/test', expression(String.raw`/<body\b[^>]*>/i`)],
];

const SCRIPTS: Case[] = [
  ['tools/*.mjs', `import http from 'node:http';\nexport const x = [http, process.env.PORT, fetch];`],
  ['tools/*.mjs', 'export const x = undeclared;', ['eslint(no-undef)', /'undeclared' is not defined/]],
  ['apps/gateway/*.cjs', `module.exports = { x: require('node:path').sep, y: process.env.Y };`],
  ['apps/gateway/*.cjs', 'const x = 1;', ['eslint(no-unused-vars)', /'x' is declared but never used/]],
];

const GROUPS: Readonly<Record<string, Case[]>> = {
  'imports between projects': PROJECTS,
  'test helpers': TEST_HELPERS,
  'request classes': REQUEST_CLASSES,
  'environment variables': ENVIRONMENT,
  'network access': THE_NETWORK,
  'JSON of others': FOREIGN,
  'SQL text': SQL_TEXT,
  'focused and skipped specs': FOCUSED_SPECS,
  'pauses and pages that are read once': PAUSES,
  'promises, switches and types': TYPES,
  'regular expressions': EXPRESSIONS,
  'JavaScript files': SCRIPTS,
};

/** `libs/a/src` means a new file in that folder, `libs/a/src/*.spec` a new file whose name ends like that. */
function fileName(folder: string, number: number): string {
  const name = (folder.includes('*') ? folder : `${folder}/*`).replace('*', `case-${number}`);
  return /\.[cm]js$/.test(name) ? name : `${name}.ts`;
}

const ALL = Object.entries(GROUPS)
  .flatMap(([group, cases]) => cases.map(([folder, code, ...expected]) => ({ group, folder, code, expected })))
  .map((one, number) => ({
    ...one,
    file: fileName(one.folder, number),
    title: `${one.expected.length === 0 ? 'allows' : 'rejects'} in ${one.folder}: ${one.code.replaceAll(/\s+/g, ' ')}`,
  }));

describe('oxlint.config.mjs and .oxlintrc.json', () => {
  let miniature: Miniature;
  let linted: Linted;
  let withTypes: Linted;
  let first: Linted;

  beforeAll(async () => {
    miniature = new Miniature();
    // Specs of a lib import the test lib and the test lib imports that lib: the graph has a cycle from the start.
    miniature.write('libs/testing/src/index.ts', use('@clarion/persistence'));
    miniature.write('libs/persistence/test/circle.spec.ts', use('@clarion/testing'));
    miniature.write('libs/providers/src/first.ts', use('typeorm'));
    first = await miniature.lint(['libs/providers/src/first.ts']);

    // Written after the graph was made: lint would report the forbidden imports as cycles otherwise.
    for (const { file, code } of ALL) miniature.write(file, `${code}\n`);
    const folders = ['apps', 'libs', 'tools'];
    linted = await miniature.lint(folders, { asNxTask: true });
    withTypes = await miniature.lint(folders, { withTypes: true });
  });

  afterAll(() => miniature.remove());

  it('checks boundaries on a fresh clone, where Nx has written no project graph yet', () => {
    expect(first.messages.get('libs/providers/src/first.ts')?.map(({ ruleId }) => ruleId)).toEqual([BOUNDARIES]);
  });

  it('checks every file', () => {
    expect(Math.min(linted.count, withTypes.count)).toBeGreaterThan(ALL.length);
  });

  describe.each(Object.keys(GROUPS))('rules for %s', (group) => {
    it.each(ALL.filter((one) => one.group === group))('$title', ({ file, expected }) => {
      const found = [linted, withTypes].flatMap(({ messages }) => messages.get(file) ?? []);
      const wanted = expected.map(([ruleId, message]) => ({
        ruleId,
        message: expect.stringMatching(message) as string,
      }));
      expect(found.map(({ ruleId, message }) => ({ ruleId, message }))).toEqual(expect.arrayContaining(wanted));
      expect(found).toHaveLength(wanted.length);
    });
  });
});
