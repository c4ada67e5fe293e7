import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { EnvironmentId, JsonObject } from '@clarion/contracts';
import { EnvironmentAdmin, type ImportReport, promotionOf } from '@clarion/gateway/command-line';
import { EnvironmentRepository, ImportRunRepository } from '@clarion/persistence';
import { loadConfig, SecretBox } from '@clarion/platform';
import {
  type AppProcess,
  createTestDatabase,
  freePort,
  startApp,
  startFakeProvider,
  type TestDatabase,
} from '@clarion/testing';
import { readLine } from '../src/cli/arguments';
import { type Run, UsageError } from '../src/cli/command';
import { COMMANDS } from '../src/cli/commands';
import { Output } from '../src/cli/output';
import type { Tools } from '../src/cli/tools';
import { CLI } from './installation';

/** `CLARION_TEST_IMPORT=10000` imports as many subscribers. */
const SUBSCRIBERS = Number(process.env['CLARION_TEST_IMPORT'] ?? 600);
const TOPICS = 10;
const WORKFLOWS = 26;
const KILLS = SUBSCRIBERS > 1_000 ? 8 : 3;

jest.setTimeout(1_800_000);

type Result = { code: number | null; stdout: string; stderr: string };
type Running = { child: ChildProcess; ended: Promise<Result> };
type Place = { id: EnvironmentId; key: string };

describe('clarion import', () => {
  const dir = mkdtempSync(join(tmpdir(), 'clarion-import-'));
  const secret = SecretBox.generateKey();
  const started: ChildProcess[] = [];
  let test: TestDatabase;
  let gateway: AppProcess;
  let url: string;
  let source: Place;
  let target: Place;
  let tools: Pick<Tools, 'database' | 'environments' | 'secrets'>;

  beforeAll(async () => {
    test = await createTestDatabase();
    const environments = new EnvironmentRepository(test.database);
    tools = { database: test.database, environments, secrets: new SecretBox(secret) };
    const admin = new EnvironmentAdmin(test.database, environments, tools.secrets);
    const first = await admin.createOrganization('Shop', { name: 'Old', type: 'dev', dialect: 'novu' });
    const second = await admin.createEnvironment(first.organization.id, { name: 'New', type: 'prod' });
    await admin.createEnvironment(first.organization.id, { name: 'Third', type: 'prod' });
    source = { id: first.environment.id, key: first.key };
    target = { id: second.environment.id, key: second.key };
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    gateway = startApp('gateway', {
      DATABASE_URL: test.url,
      CLARION_ENCRYPTION_KEY: secret,
      CLARION_QUEUE: 'postgres',
      PORT: String(port),
    });
    await gateway.ready;
    await fill();
  });
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await gateway.stop();
    await test.drop();
    rmSync(dir, { recursive: true });
  });

  async function call<T = unknown>(place: Place, method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `ApiKey ${place.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Everything that an import copies, made with the interface of the source. */
  async function fill(): Promise<void> {
    const post = (path: string, body: object) => call(source, 'POST', path, body);
    await post('/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      identifier: 'mail',
      name: 'Mail',
      active: true,
      credentials: { apiKey: 'SG.secret', from: 'shop@example.com', senderName: 'Shop' },
    });
    await post('/v1/integrations', { providerId: 'discord', channel: 'chat', identifier: 'talk', active: true });
    for (const layoutId of ['plain', 'main']) {
      await post('/v2/layouts', { layoutId, name: layoutId });
      await call(source, 'PUT', `/v2/layouts/${layoutId}`, {
        name: layoutId,
        ...(layoutId === 'main' && { isDefault: true }),
        controlValues: { email: { body: `<html>${layoutId} {{content}}</html>`, editorType: 'html' } },
      });
    }
    for (let index = 0; index < WORKFLOWS; index += 1) {
      await post('/v2/workflows', {
        workflowId: `flow-${index}`,
        name: `Flow ${index}`,
        description: 'Imported',
        tags: ['shop'],
        active: index % 2 === 0,
        payloadSchema: { type: 'object', properties: { name: { type: 'string' } } },
        validatePayload: true,
        severity: 'high',
        preferences: { workflow: { channels: { sms: { enabled: false } } } },
        steps: [
          { name: 'Wait', stepId: 'wait', type: 'delay', controlValues: { amount: 5, unit: 'minutes' } },
          {
            name: 'Mail',
            stepId: 'mail',
            type: 'email',
            controlValues: { subject: '{{ t.title }}', body: '<p>{{ payload.name }}</p>', layoutId: 'plain' },
          },
          { name: 'Text', stepId: 'text', type: 'sms', controlValues: { body: 'Hello', skip: { '==': [1, 2] } } },
        ],
      });
    }
    for (const locale of ['en_US', 'de_DE']) {
      await post('/v2/translations', {
        resourceType: 'workflow',
        resourceId: 'flow-0',
        locale,
        content: { title: `Title ${locale}` },
      });
    }
    const all = Array.from({ length: SUBSCRIBERS }, (_, index) => subscriber(index));
    for (let at = 0; at < all.length; at += 500) {
      await post('/v1/subscribers/bulk', { subscribers: all.slice(at, at + 500) });
    }
    await post('/v2/topics/topic-0/subscriptions', {
      subscriptions: [{ subscriberId: 'user-1', identifier: 'chosen', name: 'A name' }],
      context: { region: 'eu' },
      preferences: [{ workflowId: 'flow-0', enabled: false }],
    });
    for (let index = 0; index < SUBSCRIBERS; index += 20) {
      const path = `/v2/subscribers/user-${index}/preferences`;
      const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
      await call(source, 'PATCH', path, {
        channels: { email: false },
        schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours } } },
      });
      await call(source, 'PATCH', path, { workflowId: 'flow-2', channels: { sms: true } });
    }
    // What the interface refuses today may have been stored by an older release.
    await test.database.query(
      `UPDATE subscriber SET email = 'not an address' WHERE environment_id = $1 AND subscriber_id = 'user-7'`,
      [source.id],
    );
  }

  const subscriber = (index: number): JsonObject => ({
    subscriberId: `user-${index}`,
    firstName: `Ada ${index}`,
    lastName: 'Lovelace',
    email: `ada-${index}@example.com`,
    phone: '+4915112345678',
    avatar: 'https://example.com/a.png',
    locale: 'de_AT',
    timezone: 'Europe/Vienna',
    data: { plan: 'gold', index, nested: { list: [1, 'a', null] } },
    topics: [`topic-${index % TOPICS}`],
    ...(index % 10 === 0 && {
      channels: [{ providerId: 'discord', credentials: { webhookUrl: `https://discord.example/${index}` } }],
    }),
  });

  function start(line: string, environment: Record<string, string> = {}): Running {
    const child = spawn(process.execPath, [CLI, 'import', '--from', url, ...line.split(' ').filter(Boolean)], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: test.url,
        CLARION_ENCRYPTION_KEY: secret,
        CLARION_EGRESS_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...environment,
      },
    });
    started.push(child);
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
    const ended = new Promise<Result>((end) => child.once('close', (code) => end({ code, ...texts })));
    return { child, ended };
  }

  /** The same in this process, which saves its start. */
  async function clarion(
    line: string,
    config: Record<string, string> = {},
    terminal: { isTTY?: boolean } = {},
  ): Promise<Result> {
    const texts = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({
      ...(name === 'stderr' && terminal),
      write: (text: string | Uint8Array) => (texts[name] += String(text)) !== '',
    });
    try {
      const read = readLine(
        ['import', ...(line.includes('--from') ? [] : ['--from', url]), ...line.split(' ')],
        COMMANDS,
      );
      const code = await read.command!.run({
        arguments: [],
        options: read.options as Run['options'],
        isJson: read.isJson,
        output: new Output(read.isJson, stream('stdout'), stream('stderr')),
        open: async () => {
          const values = { CLARION_EGRESS_ALLOW: '127.0.0.1', ...config };
          return { ...tools, config: loadConfig([], values) } as Tools;
        },
      });
      return { code: code ?? 0, ...texts };
    } catch (error) {
      return { ...texts, code: error instanceof UsageError ? 2 : 1, stderr: texts.stderr + (error as Error).message };
    }
  }
  const lines = ({ stdout }: Result): Record<string, JsonObject> =>
    Object.fromEntries(
      (JSON.parse(stdout) as ImportReport).lines.map((one) => [one.kind, one as unknown as JsonObject]),
    );

  /** The rows of both environments without what differs: ids, times and ciphertexts. */
  async function contents({ id }: Place): Promise<Record<string, unknown[]>> {
    const rows = (sql: string) => test.database.query<JsonObject>(sql, [id]);
    const { promotion, close } = promotionOf(test.database);
    const definitions: [name: string, definition: unknown][] = [];
    for (const kind of promotion.kinds) {
      for await (const { id: name, definition } of kind.all(id)) definitions.push([`${kind.type} ${name}`, definition]);
    }
    await close();
    return {
      definitions: definitions.sort(([one], [other]) => (one < other ? -1 : 1)),
      subscribers: await rows(
        `SELECT subscriber_id, first_name, last_name, email, phone, avatar, locale, timezone, data FROM subscriber
          WHERE environment_id = $1 AND subscriber_id <> 'user-7' ORDER BY subscriber_id`,
      ),
      channels: await rows(
        `SELECT s.subscriber_id, c.provider_id, c.integration_identifier FROM subscriber_channel c
           JOIN subscriber s ON s.id = c.subscriber_id WHERE c.environment_id = $1 ORDER BY s.subscriber_id`,
      ),
      topics: await rows(`SELECT key, name FROM topic WHERE environment_id = $1 ORDER BY key`),
      subscriptions: await rows(
        `SELECT o.key, s.subscriber_id, t.identifier, t.name, t.context_keys, p.workflow_id, p.enabled
           FROM topic_subscription t JOIN topic o ON o.id = t.topic_id JOIN subscriber s ON s.id = t.subscriber_id
           LEFT JOIN LATERAL (SELECT w.workflow_id, e.value ->> 'enabled' AS enabled
                                FROM jsonb_each(t.preferences) e JOIN workflow w ON w.id::text = e.key) p ON true
          WHERE t.environment_id = $1 AND s.subscriber_id <> 'user-7' ORDER BY o.key, t.identifier`,
      ),
      preferences: await rows(
        `SELECT s.subscriber_id, w.workflow_id, p.preferences, p.schedule FROM preference p
           JOIN subscriber s ON s.id = p.subscriber_id LEFT JOIN workflow w ON w.id = p.workflow_id
          WHERE p.environment_id = $1 ORDER BY s.subscriber_id, w.workflow_id NULLS FIRST`,
      ),
    };
  }

  /** Changes with every row of the environment that is written, also without a different value. */
  async function versions({ id }: Place): Promise<unknown> {
    const tables = ['subscriber', 'subscriber_channel', 'topic', 'topic_subscription', 'preference', 'workflow'];
    const others = ['workflow_version', 'layout', 'translation', 'integration', 'publish', 'audit_log', 'import_run'];
    const counted = [...tables, ...others].map(
      (table) =>
        `SELECT '${table}' AS name, count(*)::int AS count, md5(string_agg(xmin::text, ',' ORDER BY ctid)) AS versions
           FROM ${table} WHERE environment_id = $1`,
    );
    return test.database.query(counted.join(' UNION ALL '), [id]);
  }

  const fence = async (): Promise<number> => {
    const [row] = await test.database.query<{ fence: number }>(`SELECT fence FROM import_run`);
    return row?.fence ?? 0;
  };

  it('refuses what it cannot use and names it', async () => {
    const answers: [line: string, environment: Record<string, string>, code: number, text: string][] = [
      ['--key x', {}, 2, '--environment is missing'],
      ['--environment New', {}, 2, '--key is missing'],
      ['--environment New --key x', {}, 1, 'The source refused the key (401)'],
      ['--environment New --key x', { CLARION_EGRESS_ALLOW: '' }, 1, 'The source cannot be called'],
      ['--environment New --key x --only subscribers,cats', {}, 2, '--only knows no "cats"'],
      ['--environment New --key x --rate 0', {}, 2, '--rate must be'],
      ['--environment New --key x --from ftp://example.com', {}, 2, '--from must be an http(s) URL'],
    ];
    for (const [line, config, code, text] of answers) {
      expect(await clarion(line, config)).toMatchObject({ code, stderr: expect.stringContaining(text) });
    }
    await test.database.query(`DELETE FROM import_run`);
  });

  it('shows what it would do and changes nothing in a dry run', async () => {
    const before = await versions(target);
    const kinds = 'integrations,layouts,workflows,translations,subscribers,topics';
    const run = await clarion(`--environment New --rate 10000 --dry-run --json --only ${kinds}`, {
      CLARION_IMPORT_KEY: source.key,
    });
    const counts = lines(run);
    expect(run.code).toBe(1);
    expect(counts['subscribers']).toMatchObject({ read: SUBSCRIBERS, created: SUBSCRIBERS - 1, skipped: 1 });
    expect(counts['workflows']).toMatchObject({ read: WORKFLOWS, created: WORKFLOWS, isComplete: true });
    expect(counts['translations']).toMatchObject({ created: 2 });
    expect(counts['subscriptions']).toMatchObject({ created: SUBSCRIBERS + 1 });
    expect(await versions(target)).toEqual(before);
  });

  it('goes on after every kill and copies everything once', async () => {
    const file = join(dir, 'key');
    writeFileSync(file, `${source.key}\n`);
    const line = '--environment New --rate 10000 --json';
    const begun = performance.now();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child, ended } = start(line, { CLARION_IMPORT_KEY_FILE: file });
      const from = await fence();
      const steps = 1 + Math.floor(Math.random() * 8);
      while ((await fence()) < from + steps && child.exitCode === null) await new Promise((next) => setImmediate(next));
      child.kill(kill === 0 ? 'SIGINT' : 'SIGKILL');
      const { code, stderr } = await ended;
      expect(code).toBe(kill === 0 ? 1 : null);
      if (kill === 0) expect(stderr).toContain('Run the same command again to go on from here');
    }
    const [stored] = await test.database.query<{ progress: JsonObject }>(`SELECT progress FROM import_run`);
    expect(JSON.stringify(stored)).not.toContain(source.key);

    const run = await start(line, { CLARION_IMPORT_KEY_FILE: file }).ended;
    expect(run.stderr).toContain('Goes on with an import that did not end');
    const counts = lines(run);
    const seconds = (performance.now() - begun) / 1_000;
    process.stdout.write(`import of ${SUBSCRIBERS} subscribers with ${KILLS} kills: ${seconds.toFixed(1)} s\n`);
    const subscriptions = SUBSCRIBERS + 1;
    expect(counts).toMatchObject({
      integrations: { created: 2, skipped: 0, isComplete: true },
      layouts: { read: 2, skipped: 0, inTarget: 2, isComplete: true },
      workflows: { read: WORKFLOWS, skipped: 0, inTarget: WORKFLOWS, isComplete: true },
      translations: { read: 2, skipped: 0, inTarget: 2, isComplete: true },
      subscribers: { read: SUBSCRIBERS, created: SUBSCRIBERS - 1, skipped: 1, isComplete: false },
      topics: { read: TOPICS, created: TOPICS, inTarget: TOPICS, isComplete: true },
      subscriptions: { read: subscriptions, created: subscriptions - 1, skipped: 1, isComplete: false },
      preferences: { read: SUBSCRIBERS / 10, inTarget: SUBSCRIBERS / 10, isComplete: true },
    });
    const report = JSON.parse(run.stdout) as ImportReport;
    expect(run.code).toBe(1);
    expect(report.problems.map(({ kind, id }) => [kind, id])).toEqual([
      ['subscribers', 'user-7'],
      ['subscriptions', 'topic-7 tk_topic-7:si_user-7'],
    ]);
    expect(report.problems[0]!.reason).toContain('email must be an email');
    expect(report.credentials).toEqual([{ integration: 'mail', providerId: 'sendgrid', fields: ['apiKey'] }]);
    const [from, to] = [await contents(source), await contents(target)];
    for (const name of Object.keys(from)) expect([name, to[name]]).toEqual([name, from[name]]);
    expect(await fence()).toBe(0);

    const integrations = await call<{ identifier: string; active: boolean; credentials: JsonObject }[]>(
      target,
      'GET',
      '/v1/integrations',
    );
    const mail = integrations.find(({ identifier }) => identifier === 'mail')!;
    expect(mail).toMatchObject({ active: false, credentials: { from: 'shop@example.com', senderName: 'Shop' } });
    expect(mail.credentials).not.toHaveProperty('apiKey');
    const { channels } = await call<{ channels: JsonObject[] }>(target, 'GET', '/v2/subscribers/user-10');
    expect(channels[0]).toMatchObject({ credentials: { webhookUrl: 'https://discord.example/10' } });
  });

  it('lists what is bad with the reason, waits as asked, and imports the rest', async () => {
    const fake = await startFakeProvider();
    const page = (data: object[], next: string | null = null) => ({ json: { data, next, previous: null } });
    const step = { _id: '65f0', stepId: 'in-app', name: 'Inbox', type: 'in_app', controls: { values: { body: 'Hi' } } };
    const flow = (workflowId: string, one: object) => ({
      workflowId,
      name: workflowId,
      origin: 'novu-cloud',
      steps: [one],
    });
    const flows = [
      flow('good', step),
      flow('fax', { ...step, type: 'fax' }),
      {
        ...flow('long', step),
        steps: Array.from({ length: 21 }, (_, index) => ({ ...step, stepId: `step-${index}` })),
      },
      flow('frame', { ...step, type: 'email', controls: { values: { subject: 'a', body: 'b', layoutId: 'none' } } }),
    ];
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as JsonObject;
    const people = [
      { subscriberId: 'ok', data: { a: 1 }, channels: [{ providerId: 'pigeon', credentials: { webhookUrl: 'x' } }] },
      { subscriberId: '' },
      { subscriberId: 'deep', data: deep },
      { subscriberId: 'large', data: { text: 'x'.repeat(1024 * 1024) } },
      { subscriberId: 'zone', timezone: 'Mars/Olympus' },
      { subscriberId: 'nul\0' },
      { subscriberId: 'half\ud800' },
      { subscriberId: '..' },
    ];
    const integration = { identifier: 'i1', name: 'I', channel: 'email', _environmentId: 'e' };
    const integrations = [
      { ...integration, providerId: 'pigeon' },
      { ...integration, providerId: 'sendgrid', credentials: { apiKey: '••••' } },
    ];
    const subscription = { _id: 's', identifier: 'id', subscriber: { subscriberId: 'ok' } };
    const preferences = { global: { enabled: true, channels: { sms: false } }, workflows: [] };
    const now = { 'retry-after': '0' };
    // A later answer precedes an earlier one.
    fake.always(/^\/v2\//, { status: 404 });
    fake.always(/^\/v1\/integrations/, { json: { data: integrations } });
    fake.next(/^\/v1\/integrations/, { status: 429, headers: now }, { status: 500, headers: now });
    fake.always(/^\/v2\/layouts/, { status: 403 });
    fake.always(/^\/v2\/workflows/, {
      json: { data: { workflows: [...flows, { workflowId: 'empty' }], totalCount: 5 } },
    });
    for (const one of flows) fake.always(new RegExp(`^/v2/workflows/${one.workflowId}`), { json: { data: one } });
    fake.always(/^\/v2\/workflows\/empty/, { json: { data: null } });
    fake.always(/^\/v2\/subscribers\?/, page(people));
    fake.always(/^\/v2\/subscribers\/ok/, { json: { data: preferences } });
    const topics = [{ key: 'loops' }, { key: 'secret' }, { key: 'fine', name: 'Fine' }, { key: 'has.dot' }];
    fake.always(/^\/v2\/topics/, page(topics));
    fake.always(/^\/v2\/topics\/.*subscriptions/, page([subscription]));
    fake.always(/^\/v2\/topics\/loops\/subscriptions/, page([subscription], 'loop'));
    fake.always(/^\/v2\/topics\/secret\/subscriptions/, { status: 403 });
    const line = `--environment Third --rate 10000 --json --key k --from ${fake.url}`;
    const run = await clarion(line);
    await fake.close();
    const report = JSON.parse(run.stdout) as ImportReport;
    expect(run.code).toBe(1);
    expect(Object.fromEntries(report.problems.map(({ kind, id, reason }) => [`${kind} ${id}`, reason]))).toEqual({
      'integrations i1': 'there is no provider pigeon of the channel email',
      'workflows fax': expect.stringContaining('steps.0.type: type must be one of'),
      'workflows long': expect.stringContaining('steps'),
      'workflows empty': expect.stringContaining('not an object'),
      'workflows frame': 'needs the layout none, which is not there',
      'subscribers ok': 'the channel pigeon was left out: there is no such provider of chat or push',
      'subscribers ': expect.stringContaining('subscriberId'),
      'subscribers deep': expect.stringContaining('nested deeper'),
      'subscribers large': expect.stringContaining('at most 1048576 are accepted'),
      'subscribers zone': expect.stringContaining('timezone'),
      'subscribers nul\0': expect.stringContaining('NUL'),
      'subscribers half\ud800': expect.any(String),
      'topics has.dot': expect.stringContaining('a key has letters'),
      'subscriptions loops': expect.stringContaining('repeats the cursor loop'),
      'subscriptions secret': 'The source answered GET /v2/topics/secret/subscriptions with 403',
      'subscriptions has.dot id': 'the topic is not there',
      'preferences ': expect.stringContaining('404'),
      'preferences deep': expect.stringContaining('404'),
      'preferences large': expect.stringContaining('404'),
      'preferences zone': expect.stringContaining('404'),
      'preferences nul\0': expect.stringContaining('cannot be part of a URL'),
      'preferences half\ud800': expect.stringContaining('cannot be part of a URL'),
      'preferences ..': expect.stringContaining('cannot be part of a URL'),
    });
    expect(lines(run)).toMatchObject({
      integrations: { created: 1, skipped: 1 },
      layouts: { isDone: false, unavailable: 'The source answered GET /v2/layouts with 403' },
      workflows: { created: 1, skipped: 4 },
      subscribers: { created: 2, skipped: 6 },
      topics: { created: 3, skipped: 1 },
      subscriptions: { isDone: true, read: 4, created: 1, skipped: 3, isComplete: false },
      preferences: { created: 1 },
    });
    expect(report.credentials).toEqual([
      { integration: 'i1', providerId: 'sendgrid', fields: ['apiKey', 'from', 'senderName'] },
    ]);
  });

  it('ends at lists that never end and shows a wait without breaking the bar', async () => {
    const fake = await startFakeProvider();
    const layout = (layoutId: string, other: string) => ({
      ...{ _id: layoutId, layoutId, name: layoutId },
      controls: {
        values: { email: { body: `{% layout "${other}" %}{{content}}`, editorType: 'html', layoutId: other } },
      },
    });
    const layouts = [layout('a', 'b'), layout('b', 'a')];
    let cursor = 0;
    const endless = (data: object[]) => () => ({ json: { data, next: `cursor-${(cursor += 1)}`, previous: null } });
    fake.always(/^\/v2\/layouts/, { json: { data: { layouts, totalCount: 2 } } });
    for (const one of layouts) fake.always(new RegExp(`^/v2/layouts/${one.layoutId}`), { json: { data: one } });
    fake.always(/^\/v2\/subscribers/, endless([]));
    fake.next(
      /^\/v2\/subscribers/,
      { json: { data: [], next: 'x' } },
      { status: 429, headers: { 'retry-after': '0' } },
    );
    fake.always(/^\/v2\/topics/, endless([{ _id: '1', key: 'one' }]));
    const line = `--environment Third --rate 10000 --json --key k --from ${fake.url}`;
    const run = await clarion(`${line} --only layouts,subscribers,topics`, {}, { isTTY: true });
    expect(run.code).toBe(1);
    const unavailable = '100 empty pages, and names another one';
    expect(lines(run)).toMatchObject({
      layouts: { isDone: true, skipped: 2 },
      subscribers: { isDone: false, unavailable: expect.stringContaining(unavailable) },
      topics: { isDone: false, unavailable: 'The source repeats the item 1 of /v2/topics' },
      subscriptions: { isDone: false, unavailable: 'The source repeats the item 1 of /v2/topics' },
    });
    const { problems } = JSON.parse(run.stdout) as ImportReport;
    expect(problems.map(({ id, reason }) => [id, reason])).toEqual([
      ['a', expect.stringContaining('Failed to lookup "b"')],
      ['b', expect.stringContaining('Failed to lookup "a"')],
    ]);
    expect(fake.count).toBeLessThan(120);
    // The note takes the line of the bar, which is drawn again below it.
    const bar = `layouts: [${'#'.repeat(30)}] 2 of 2 (100 %)`;
    const note = 'The source answered GET /v2/subscribers with 429; goes on in 0 s';
    expect(run.stderr).toContain(`\r\u001b[K${note}\n${bar}`);
    await fake.close();
  });

  it('lets one of two imports from the same source go on, and both of two sources', async () => {
    const admin = new EnvironmentAdmin(test.database, tools.environments, tools.secrets);
    const [{ organizationId }] = (await test.database.rows<{ organizationId: string }>(
      `SELECT organization_id FROM environment WHERE id = $1`,
      [target.id],
    )) as [{ organizationId: string }];
    const { environment } = await admin.createEnvironment(organizationId, { name: 'Busy', type: 'prod' });
    const line = `--environment Busy --rate 10000 --json --only subscribers,topics --key ${source.key}`;
    const runs = await Promise.all([clarion(line), clarion(line)]);
    const stopped = runs.filter(({ stderr }) => stderr.includes('Another import from the same source'));
    expect([stopped.length, stopped[0]?.code, stopped[0]?.stdout]).toEqual([1, 1, '']);
    const [ended] = runs.filter((run) => !stopped.includes(run));
    expect(lines(ended!)['subscribers']).toMatchObject({ read: SUBSCRIBERS, inTarget: SUBSCRIBERS - 1 });

    const fakes = [await startFakeProvider(), await startFakeProvider()];
    const people = Array.from({ length: 100 }, (_, index) => ({ subscriberId: `both-${index}` }));
    for (const [index, fake] of fakes.entries()) {
      const data = (index === 0 ? people : people.toReversed()).map((one) => ({ ...one, firstName: `From ${index}` }));
      fake.always(/^\/v2\/subscribers/, { json: { data, next: null } });
    }
    const both = await Promise.all(
      fakes.map(({ url: from }) => clarion(`--environment Busy --json --only subscribers --key k --from ${from}`)),
    );
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, expect.any(String)],
      [0, expect.any(String)],
    ]);

    // A deleted environment keeps its rows for minutes.
    const { insert } = ImportRunRepository.prototype;
    const spy = jest.spyOn(ImportRunRepository.prototype, 'insert');
    spy.mockImplementationOnce(async function (this: ImportRunRepository, ...parameters) {
      await test.database.query(`UPDATE environment SET deleted_at = now() WHERE id = $1`, [environment.id]);
      return insert.apply(this, parameters);
    });
    fakes[0]!.always(/^\/v2\/subscribers/, { json: { data: [{ subscriberId: 'late' }], next: null } });
    const late = await clarion(`--environment Busy --json --only subscribers --key k --from ${fakes[0]!.url}`);
    spy.mockRestore();
    expect([late.code, late.stderr]).toEqual([1, 'The environment Busy was deleted; nothing more is imported into it']);
    expect(await test.database.query(`SELECT 1 FROM subscriber WHERE subscriber_id = 'late'`)).toEqual([]);
    for (const fake of fakes) await fake.close();
    await test.database.query(`DELETE FROM import_run`);
  });

  it('changes nothing the second time, and only what differs the third time', async () => {
    const before = await versions(target);
    const line = `--environment New --rate 10000 --json --key ${source.key}`;
    const again = lines(await clarion(line));
    expect(await versions(target)).toEqual(before);
    for (const { created, updated } of Object.values(again))
      expect({ created, updated }).toEqual({ created: 0, updated: 0 });

    await call(source, 'PATCH', '/v2/subscribers/user-7', { email: 'ada-7@example.com' });
    await call(source, 'PATCH', '/v2/subscribers/user-8', { locale: null, data: { plan: 'free' } });
    await call(source, 'PATCH', '/v2/workflows/flow-3', { name: 'Renamed' });
    await call(source, 'PATCH', '/v2/subscribers/user-0/preferences', { channels: { email: true } });
    const run = await clarion(line);
    const counts = lines(run);
    expect(run.code).toBe(0);
    expect(counts).toMatchObject({
      subscribers: { created: 1, updated: 1, unchanged: SUBSCRIBERS - 2 },
      workflows: { created: 0, updated: 1, unchanged: WORKFLOWS - 1 },
      subscriptions: { created: 1, updated: 0 },
      preferences: { created: 0, updated: 1 },
    });
    const [from, to] = [await contents(source), await contents(target)];
    const differing = Object.keys(from).filter((name) => !isDeepStrictEqual(from[name], to[name]));
    expect(differing).toEqual([]);
    const shown = await clarion(`--environment New --rate 10000 --key ${source.key} --only workflows`);
    expect(shown.stdout).toContain('The counts match.');
    expect(shown.stdout + shown.stderr).not.toContain(source.key);
  });
});
