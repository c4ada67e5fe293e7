import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import {
  type ChannelProviderId,
  type EnvironmentId,
  isJsonObject,
  type Json,
  type JsonObject,
  newId,
  type SubscriberRowId,
  type TriggerId,
} from '@clarion/contracts';
import { EnvironmentAdmin } from '@clarion/gateway';
import {
  ChannelConnectionRepository,
  ChannelEndpointRepository,
  type Database,
  EnvironmentRepository,
  EnvironmentVariableRepository,
  IdempotencyRepository,
  InboxSecretRepository,
  type Integration,
  IntegrationRepository,
  type Message,
  MirrorRepository,
  newVariable,
  SEALED_TABLES,
  type SealedRow,
  SealedRowRepository,
  type SealedTable,
  SubscriberChannelRepository,
  SubscriberRepository,
  TriggerRepository,
  WebhookEndpointRepository,
} from '@clarion/persistence';
import {
  encryptionKeyFault,
  openAnswer,
  openChannel,
  openConnection,
  openEndpoint,
  openInboxSecret,
  openIntegration,
  openMessageTarget,
  openMirrorCopy,
  openMirrorKey,
  openTriggerSecret,
  openVariable,
  sealAnswer,
  sealChannel,
  sealConnection,
  sealEndpoint,
  sealInboxSecret,
  sealMirrorCopy,
  sealMirrorKey,
  sealWebhookSecret,
  openWebhookSecret,
  sealIntegration,
  sealMessageTarget,
  sealTriggerSecret,
  sealVariable,
  SecretBox,
} from '@clarion/platform';
import { createTestDatabase, insertMessages, type TestDatabase } from '@clarion/testing';
import { describeUnreadable, resealAll, type ResealReport } from '../src/reseal';
import { CLI } from './installation';

const [OLD_KEY, NEW_KEY, LOST_KEY] = [
  SecretBox.generateKey('old'),
  SecretBox.generateKey('new'),
  SecretBox.generateKey('lost'),
];
const old = new SecretBox(OLD_KEY);
const both = new SecretBox(`${NEW_KEY},${OLD_KEY}`);
const fresh = new SecretBox(NEW_KEY);
const lost = new SecretBox(LOST_KEY);

/** A concurrent change between reading a page and writing it, or after the write. */
class BusyRows extends SealedRowRepository {
  constructor(
    database: Database,
    private readonly table: SealedTable,
    private readonly others: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
  ) {
    super(database);
  }

  override async replace(table: SealedTable, changes: { row: SealedRow; columns: JsonObject }[]): Promise<number> {
    const { before, after } = table === this.table ? this.others : {};
    if (table === this.table) Object.assign(this.others, { before: undefined, after: undefined });
    await before?.();
    const written = await super.replace(table, changes);
    await after?.();
    return written;
  }
}

describe('keys reseal', () => {
  let test: TestDatabase;
  let environmentId: EnvironmentId;
  let integrations: IntegrationRepository;
  let channels: SubscriberChannelRepository;
  let records: IdempotencyRepository;
  const logged: string[] = [];

  beforeEach(async () => {
    test = await createTestDatabase();
    logged.length = 0;
    integrations = new IntegrationRepository(test.database);
    channels = new SubscriberChannelRepository(test.database);
    records = new IdempotencyRepository(test.database);
    const admin = new EnvironmentAdmin(test.database, new EnvironmentRepository(test.database), old);
    environmentId = (await admin.ensureDefaults())!.environment.id;
  });
  afterEach(() => test.drop());

  const reseal = (secrets = both, rows = new SealedRowRepository(test.database)): Promise<ResealReport[]> =>
    resealAll(secrets, rows, (line) => logged.push(line));
  const countsOf = (reports: ResealReport[]) =>
    Object.fromEntries(reports.map(({ kind, resealed, unreadable }) => [kind, [resealed, unreadable]]));
  const none = Object.fromEntries(SEALED_TABLES.map((table) => [table, [0, 0]]));

  const insertIntegration = async (secrets = old): Promise<Integration> => {
    const row = { id: newId(), environmentId };
    await integrations.insert({
      ...row,
      name: 'Slack',
      identifier: row.id,
      providerId: 'slack',
      channel: 'chat',
      credentials: sealIntegration(secrets, row, 'credentials', { applicationId: 'app', secretKey: 'secret' }),
      configurations: sealIntegration(secrets, row, 'configurations', { inboundWebhookSigningKey: 'signing' }),
      conditions: [],
      active: true,
    });
    return (await integrations.find(environmentId, row.id))!;
  };
  const openedIntegration = async (id: string) => openIntegration(fresh, (await integrations.find(environmentId, id))!);

  const insertChannel = async (integration: Integration, secrets = old): Promise<string> => {
    const subscriber = await new SubscriberRepository(test.database).upsert(environmentId, { subscriberId: newId() });
    await channels.save({
      environmentId,
      subscriberId: subscriber.id,
      providerId: 'slack' as ChannelProviderId,
      integration,
      credentials: (id) => sealChannel(secrets, environmentId, id, { webhookUrl: 'https://hooks.example.com/1' }),
    });
    return subscriber.id;
  };

  /** A connection and an endpoint of the subscriber. */
  const insertConnection = async ({ id: integrationId }: Integration, subscriberId: SubscriberRowId): Promise<void> => {
    const row = { id: newId(), environmentId };
    const common = { ...row, integrationId, subscriberId, identifier: 'acme', contextKeys: [] };
    const auth = sealConnection(old, row, { accessToken: 'xoxb' });
    await new ChannelConnectionRepository(test.database).insert(environmentId, {
      ...common,
      workspace: { id: 'T1' },
      auth,
    });
    const endpoint = sealEndpoint(old, row, { userId: 'U1' });
    await new ChannelEndpointRepository(test.database).insert(environmentId, {
      ...common,
      type: 'slack_user',
      endpoint,
    });
  };

  /**
   * The second channel of the actor, and everything in the data that looks like a secret, is plain input of a caller.
   */
  const insertTrigger = async (secrets = old): Promise<string> => {
    const id = newId<TriggerId>();
    const sealed = (word: string) => sealTriggerSecret(secrets, environmentId, id, word);
    const lookalike = { channels: [{ credentials: 'v1.old.x.y.z' }], large: 12345678901234567000, tiny: 1e-7 };
    await new TriggerRepository(test.database).insertMany(environmentId, [
      {
        id,
        transactionId: id,
        fingerprint: 'ab',
        workflowId: newId(),
        workflowVersion: 1,
        recipients: [
          { subscriberId: 'ada', data: lookalike, channels: [{ providerId: 'fcm', credentials: sealed('one') }] },
          { subscriberId: 'bob', channels: [{ credentials: sealed('two') }, { credentials: sealed('three') }] },
          { type: 'Topic', topicKey: 't' },
        ],
        payload: {},
        actor: { subscriberId: 'eve', channels: [{ credentials: sealed('four') }, 'nonsense'] },
      },
    ]);
    return id;
  };
  const triggerOf = async (id: string) =>
    (
      await test.database.query<{ recipients: JsonObject[]; actor: JsonObject }>(
        `SELECT recipients, actor FROM trigger WHERE id = $1`,
        [id],
      )
    )[0]!;

  const insertMessage = async (secrets = old, more: Partial<Message> = {}): Promise<Message> => {
    const id = newId();
    const sealed = (target: string) => sealMessageTarget(secrets, environmentId, id, target);
    const targets = {
      directWebhookUrl: sealed('https://hooks.example.com/2'),
      deviceTokens: [sealed('a'), sealed('b')],
    };
    const [row] = await insertMessages(test.database, [
      { id, environmentId, subscriberId: newId(), channel: 'push', ...targets, ...more },
    ]);
    return row!;
  };
  const messageOf = async (id: string): Promise<Message> =>
    (await test.database.rows<Message>(`SELECT * FROM message WHERE id = $1`, [id]))[0]!;

  const insertVariable = async (): Promise<string> => {
    const row = newVariable(environmentId, 'TOKEN', true);
    await new EnvironmentVariableRepository(test.database).save([
      { ...row, sealedValue: sealVariable(old, row, 'token') },
      newVariable(environmentId, 'PLAIN', false),
    ]);
    return row.id;
  };

  const insertEndpoint = async (): Promise<string> => {
    const id = newId();
    const endpoints = new WebhookEndpointRepository(test.database);
    const settings = { url: 'https://example.com', description: null, events: null, channels: null, workflows: null };
    const sealed = (secret: string) => sealWebhookSecret(old, environmentId, id, secret);
    await endpoints.insert(environmentId, id, settings, sealed('whsec_one'));
    await endpoints.replaceSecret(environmentId, id, sealed('whsec_two'));
    return id;
  };

  const insertMirror = async (): Promise<string> => {
    const id = newId();
    const until = new Date(Date.now() + 3_600_000);
    const settings = {
      url: 'https://example.com',
      delivers: 'clarion',
      comparePercent: 100,
      settleSeconds: 60,
    } as const;
    const key = sealMirrorKey(old, environmentId, 'their key');
    await new MirrorRepository(test.database).start(environmentId, { ...settings, until, key });
    await test.database.query(
      `INSERT INTO mirror_copy (id, environment_id, kind, transaction_id, body, bytes, is_compared)
       VALUES ($1, $2, 'trigger', 't', $3, 1, true)`,
      [id, environmentId, sealMirrorCopy(old, environmentId, id, 'an event')],
    );
    return id;
  };

  const scopeOf = (key: string) => ({ environmentId, method: 'POST', path: '/v1/integrations', key });
  const insertAnswer = async (key: string, secrets = old) => {
    const { claim } = await records.claim(scopeOf(key), Buffer.from('f'));
    await records.store(scopeOf(key), claim!, {
      status: 201,
      contentType: 'application/json',
      body: sealAnswer(secrets, scopeOf(key), `{"answer":"${key}"}`),
    });
  };

  /** Every row of any table that contains the text. */
  async function rowsWith(needle: string): Promise<string[]> {
    const tables = await test.database.query<{ name: string }>(
      `SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const found = await Promise.all(
      tables.map(({ name }) =>
        test.database.query<{ row: string }>(
          `SELECT '${name} ' || t::text AS row FROM ${name} t WHERE t::text LIKE '%' || $1 || '%'`,
          [needle],
        ),
      ),
    );
    return found.flat().map(({ row }) => row);
  }

  it('encrypts secrets of every kind with the first key, so that the old key can be removed', async () => {
    const integration = await insertIntegration();
    const subscriberId = (await insertChannel(integration)) as SubscriberRowId;
    await insertConnection(integration, subscriberId);
    const triggerId = await insertTrigger();
    const message = await insertMessage();
    const half = await insertMessage(old, { directWebhookUrl: 'https://clear.example.com' });
    await insertMessage(old, { channel: 'email', directWebhookUrl: null, deviceTokens: null });
    await insertAnswer('k');
    const variableId = await insertVariable();
    const endpointId = await insertEndpoint();
    const inboxSecrets = new InboxSecretRepository(test.database);
    const inboxSecret = { environmentId, id: newId() };
    await inboxSecrets.insert(environmentId, inboxSecret.id, sealInboxSecret(old, inboxSecret, 'clr_inbox_1'));
    const copyId = await insertMirror();
    const before = await triggerOf(triggerId);

    const reports = await reseal();
    expect(countsOf(reports)).toEqual({
      ...none,
      integration: [1, 0],
      api_key: [1, 0],
      inbox_secret: [1, 0],
      subscriber_channel: [1, 0],
      channel_connection: [1, 0],
      channel_endpoint: [1, 0],
      environment_variable: [1, 0],
      idempotency_record: [1, 0],
      trigger: [1, 0],
      webhook_endpoint: [1, 0],
      mirror: [1, 0],
      mirror_copy: [1, 0],
      message: [2, 0],
    });
    expect(describeUnreadable(reports)).toBeUndefined();
    expect(logged).toContain('message: 3 rows seen, 2 resealed');

    const sealedKeys = await new EnvironmentRepository(test.database).sampleSealedKeys();
    expect(sealedKeys).toHaveLength(1);
    expect(encryptionKeyFault(fresh, sealedKeys)).toBeUndefined();
    expect(await openedIntegration(integration.id)).toEqual({
      credentials: { applicationId: 'app', secretKey: 'secret' },
      configurations: { inboundWebhookSigningKey: 'signing' },
      unreadable: { credentials: [], configurations: [] },
    });
    const [variable] = await new EnvironmentVariableRepository(test.database).find([environmentId], 'TOKEN');
    expect(openVariable(fresh, { id: variableId, environmentId, sealedValue: variable!.sealedValue! })).toBe('token');
    const endpoint = await new WebhookEndpointRepository(test.database).find(environmentId, endpointId);
    expect(openInboxSecret(fresh, (await inboxSecrets.find(environmentId))!)).toBe('clr_inbox_1');
    const secretsOf = [endpoint!.secret, endpoint!.previousSecret!];
    expect(secretsOf.map((sealed) => openWebhookSecret(fresh, environmentId, endpointId, sealed))).toEqual([
      'whsec_two',
      'whsec_one',
    ]);
    const [mirrored] = await test.database.query<{ key: string; body: string }>(
      `SELECT m.key, c.body FROM mirror m JOIN mirror_copy c ON c.id = $1`,
      [copyId],
    );
    expect(openMirrorKey(fresh, environmentId, mirrored!.key)).toBe('their key');
    expect(openMirrorCopy(fresh, environmentId, copyId, mirrored!.body)).toBe('an event');
    const connection = await new ChannelConnectionRepository(test.database).find(environmentId, 'acme');
    expect(openConnection(fresh, connection!)).toEqual({ accessToken: 'xoxb' });
    const place = await new ChannelEndpointRepository(test.database).find(environmentId, 'acme');
    expect(openEndpoint(fresh, { ...place!, sealed: place!.endpoint })).toEqual({ userId: 'U1' });
    const [channel] = await channels.listFor(environmentId, [subscriberId]);
    expect(openChannel(fresh, channel!)).toEqual({ webhookUrl: 'https://hooks.example.com/1' });
    const { answer } = await records.claim(scopeOf('k'), Buffer.from('f'));
    expect(openAnswer(fresh, scopeOf('k'), answer!.body)).toBe('{"answer":"k"}');
    const target = (sealed: string) => openMessageTarget(fresh, environmentId, message.id, sealed);
    const { directWebhookUrl, deviceTokens } = await messageOf(message.id);
    expect([directWebhookUrl!, ...deviceTokens!].map(target)).toEqual(['https://hooks.example.com/2', 'a', 'b']);
    expect((await messageOf(half.id)).directWebhookUrl).toBe('https://clear.example.com');

    const opened = (value: Json | undefined): unknown =>
      isJsonObject(value) && typeof value['credentials'] === 'string'
        ? openTriggerSecret(fresh, environmentId, triggerId, value['credentials'])
        : value;
    const { recipients, actor } = await triggerOf(triggerId);
    expect(recipients.flatMap(({ channels: all = [] }) => (all as Json[]).map(opened))).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect((actor['channels'] as Json[]).map(opened)).toEqual(['four', 'nonsense']);
    const rest = (row: JsonObject) => ({ ...row, channels: undefined });
    expect(recipients.map(rest)).toEqual(before.recipients.map(rest));

    expect(await rowsWith('v1.old.')).toEqual([expect.stringContaining('v1.old.x.y.z')]);
  });

  it('changes nothing in a second run and never touches unrelated columns', async () => {
    const { updatedAt } = await insertIntegration();
    await insertTrigger();
    await reseal();
    const rows = () => rowsWith('v1.new.');
    const before = await rows();
    expect(before.length).toBeGreaterThan(2);
    expect(countsOf(await reseal())).toEqual(none);
    expect(await rows()).toEqual(before);
    const [row] = await integrations
      .listActive(environmentId)
      .then((all) => all.filter(({ name }) => name === 'Slack'));
    // Workers reload the integrations of an environment when this stamp changes.
    expect(row!.updatedAt).toEqual(updatedAt);
  });

  it('processes more rows than one page, with every kind of primary key', async () => {
    const numbers = Array.from({ length: 1_001 }, (_, number) => number);
    await insertMessages(
      test.database,
      numbers.map(() => {
        const id = newId();
        const deviceTokens = [sealMessageTarget(old, environmentId, id, 'token')];
        return { id, environmentId, subscriberId: newId(), channel: 'push' as const, deviceTokens };
      }),
    );
    for (const number of numbers) await insertAnswer(`key ${number}`);
    expect(countsOf(await reseal())).toMatchObject({ message: [1_001, 0], idempotency_record: [1_001, 0] });
    expect(await rowsWith('v1.old.')).toEqual([]);
  });

  it('keeps a concurrent save', async () => {
    const integration = await insertIntegration();
    const credentials = sealIntegration(both, integration, 'credentials', { secretKey: 'changed' });
    const before = () => integrations.update(environmentId, integration.id, { credentials });
    const reports = await reseal(both, new BusyRows(test.database, 'integration', { before }));
    expect(countsOf(reports)['integration']).toEqual([1, 0]);
    const { credentials: stored } = (await integrations.find(environmentId, integration.id))!;
    expect(stored).toEqual(credentials);
    expect(await rowsWith('v1.old.')).toEqual([]);
  });

  it('skips rows that another transaction is writing and returns to them', async () => {
    const integration = await insertIntegration();
    // As the gateway saves one field: with the lock of the environment, based on what it reads there.
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`SELECT 1 FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [environmentId]);
    const added = sealIntegration(both, integration, 'configurations', { inDoubt: 'hold' });
    const after = async () => {
      await runner.query(`UPDATE integration SET configurations = $2 WHERE id = $1`, [
        integration.id,
        { ...integration.configurations, ...added },
      ]);
      await runner.commitTransaction();
      await runner.release();
    };
    const reports = await reseal(both, new BusyRows(test.database, 'integration', { after }));
    expect(countsOf(reports)['integration']).toEqual([1, 0]);
    expect(await openedIntegration(integration.id)).toMatchObject({
      credentials: { applicationId: 'app', secretKey: 'secret' },
      configurations: { inboundWebhookSigningKey: 'signing', inDoubt: 'hold' },
    });
  });

  it('keeps and names secrets that no key decrypts, and processes the rest', async () => {
    const good = await insertIntegration();
    const half = await insertIntegration();
    const credentials = { ...half.credentials, secretKey: good.credentials['secretKey']! };
    await integrations.update(environmentId, half.id, { credentials });
    const { id: messageId } = await insertMessage(lost);
    const triggerId = await insertTrigger(lost);
    await insertAnswer('mine', lost);

    const reports = await reseal();
    expect(countsOf(reports)).toEqual({
      ...none,
      integration: [2, 1],
      api_key: [1, 0],
      message: [0, 1],
      trigger: [0, 1],
      idempotency_record: [0, 1],
    });
    expect(describeUnreadable(reports)!.split('\n').slice(1)).toEqual([
      `  - integration: ${half.id}`,
      `  - idempotency_record: ${environmentId} mine POST /v1/integrations`,
      `  - trigger: ${triggerId}`,
      `  - message: ${messageId}`,
    ]);
    expect(await openedIntegration(half.id)).toMatchObject({
      credentials: { applicationId: 'app' },
      unreadable: { credentials: ['secretKey'], configurations: [] },
    });

    const again = await reseal(new SecretBox(`${NEW_KEY},${OLD_KEY},${LOST_KEY}`));
    expect(countsOf(again)).toEqual({
      ...none,
      integration: [0, 1],
      message: [1, 0],
      trigger: [1, 0],
      idempotency_record: [1, 0],
    });
  });

  it('names at most the first hundred unreadable rows', async () => {
    for (let number = 0; number < 101; number += 1) await insertAnswer(`key ${number}`, lost);
    const reports = await reseal();
    expect(countsOf(reports)).toMatchObject({ idempotency_record: [0, 101] });
    const named = describeUnreadable(reports)!.split('\n')[1]!.split(', ');
    expect(named).toHaveLength(100);
    expect(named.at(-1)).toMatch(/^\S+ key \d+ POST \/v1\/integrations and 1 more$/);
  });

  describe('npm run clarion -- keys reseal', () => {
    async function clarion(...args: string[]) {
      const child = spawn(process.execPath, [CLI, ...args], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: test.url,
          REDIS_URL: 'redis://127.0.0.1:1',
          CLARION_ENCRYPTION_KEY: `${NEW_KEY},${OLD_KEY}`,
        },
      });
      const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      return { output, errors, code: code as number };
    }

    it('prints a table to stdout and progress to stderr', async () => {
      await insertIntegration();
      const { output, errors, code } = await clarion('keys', 'reseal');
      expect(output).toBe(
        [
          'kind                  resealed  unreadable',
          'integration           1         0',
          'api_key               1         0',
          'inbox_secret          0         0',
          'subscriber_channel    0         0',
          'channel_connection    0         0',
          'channel_endpoint      0         0',
          'environment_variable  0         0',
          'idempotency_record    0         0',
          'trigger               0         0',
          'webhook_endpoint      0         0',
          'mirror                0         0',
          'mirror_copy           0         0',
          'message               0         0',
          '',
        ].join('\n'),
      );
      expect(errors).toContain('integration: 5 rows seen, 1 resealed\n');
      expect(code).toBe(0);
    });

    it('fails with an error that names the unreadable rows and contains no secret', async () => {
      const { id, credentials } = await insertIntegration(lost);
      const { output, errors, code } = await clarion('keys', 'reseal', '--json');
      expect(JSON.parse(output)).toContainEqual({
        kind: 'integration',
        resealed: 0,
        unreadable: 1,
        unreadableIds: [id],
      });
      expect(errors).toContain(`\n  - integration: ${id}\n`);
      expect(errors + output).not.toContain(credentials['secretKey']);
      expect(code).toBe(1);
    });
  });
});
