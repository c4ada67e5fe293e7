import { Redis } from 'ioredis';
import { queuePrefix } from '@clarion/queue';
import { createInAppWorkflow, startGateway, type TestGateway } from './harness';

/** A secret that is sent in requests and must appear in no log, queue or table. */
const CANARY = 'c4n4ry-in-the-mine';

describe('secrets', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ LOG_LEVEL: 'trace' });
  });
  afterAll(() => gateway.close());

  const post = (method: string, path: string, body: unknown, key?: string) =>
    gateway.call(method, path, body, key ? { 'idempotency-key': key } : {});

  it('keeps secrets out of logs, tables and the queue', async () => {
    const created = await post(
      'POST',
      '/v1/integrations',
      {
        providerId: 'slack',
        channel: 'chat',
        active: true,
        credentials: { applicationId: CANARY, clientId: CANARY, secretKey: CANARY },
        configurations: { inboundWebhookSigningKey: CANARY },
      },
      'integration',
    );
    expect(created.status).toBe(201);
    expect(created.text).toContain(CANARY);
    await post('POST', '/v2/subscribers', { subscriberId: 'ada' });
    const credentials = {
      providerId: 'slack',
      credentials: { webhookUrl: `https://hooks.example.com/${CANARY}`, deviceTokens: [CANARY] },
    };
    expect((await post('PUT', '/v1/subscribers/ada/credentials', credentials, 'channel')).status).toBe(200);
    const values = [{ _environmentId: gateway.environmentId, value: CANARY }];
    const variable = await post('POST', '/v1/environment-variables', { key: 'X', isSecret: true, values }, 'variable');
    expect(variable.status).toBe(200);
    expect(variable.text).not.toContain(CANARY);
    await createInAppWorkflow(gateway, 'w');
    const recipient = { subscriberId: 'bob', channels: [credentials] };
    const triggered = await post(
      'POST',
      '/v1/events/trigger',
      { name: 'w', to: recipient, actor: recipient },
      'trigger',
    );
    expect(triggered.body).toMatchObject({ status: 'processed' });
    await gateway.call('GET', '/v2/subscribers', undefined, { authorization: `ApiKey ${CANARY}` });
    await post('POST', '/v1/integrations', `{"providerId":"slack","credentials":{"secretKey":"${CANARY}"`);

    expect(gateway.logged.length).toBeGreaterThan(5);
    expect(gateway.logged.join('')).not.toContain(CANARY);
    expect(gateway.logged.join('')).not.toContain(gateway.key);
    expect(await everythingInTables()).not.toContain(CANARY);
    expect(await everythingInQueue()).not.toContain(CANARY);
  });

  async function everythingInTables(): Promise<string> {
    const tables = await gateway.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'bullmq')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      for (const { row } of await gateway.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`))
        texts.push(row);
    }
    expect(texts.length).toBeGreaterThan(5);
    return texts.join('\n');
  }

  async function everythingInQueue(): Promise<string> {
    if (gateway.queueBackend.kind === 'postgres') return '';
    const redis = new Redis(gateway.queueBackend.url);
    const keysOf = () => redis.keys(`${queuePrefix(gateway.queuePrefix, 'trigger')}*`);
    let keys = await keysOf();
    while (!keys.some((key) => key.endsWith(':1'))) keys = await keysOf();
    const texts = await Promise.all(keys.map((key) => redis.hgetall(key).catch(() => ({}))));
    redis.disconnect();
    expect(JSON.stringify(texts)).toContain('triggerIds');
    return JSON.stringify(texts);
  }
});
