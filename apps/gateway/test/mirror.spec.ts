import type { AuditLogListDto, MirrorDifferenceListDto, MirrorDto } from '@clarion/contracts';
import { callGateway, createInAppWorkflow, expectFieldErrors, startGateway, type TestGateway } from './harness';

const PATH = '/v1/mirror';
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('the mirror of an environment', () => {
  let gateway: TestGateway;
  /** Of another environment of the same installation, which stands for the other system. */
  let second: string;
  let wanted: { url: string; key: string; until: string };

  beforeAll(async () => {
    gateway = await startGateway();
    second = await gateway.secondKey();
    await createInAppWorkflow(gateway, 'welcome');
    wanted = { url: gateway.url, key: second, until: inHours(24) };
    await setKind('sandbox');
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.database.query(`WITH copies AS (DELETE FROM mirror_copy) DELETE FROM mirror`));

  const setKind = (kind: string) => gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { kind });
  const start = (more: object = {}) => gateway.call<MirrorDto>('POST', PATH, { ...wanted, ...more });
  const status = async () => (await gateway.call<MirrorDto>('GET', PATH)).body;
  const trigger = (body: object, headers: Record<string, string> = {}) =>
    callGateway(
      gateway.url,
      gateway.key,
      'POST',
      '/v1/events/trigger',
      { name: 'welcome', to: 'ada', ...body },
      headers,
    );
  const copies = () =>
    gateway.database.rows<{ kind: string; transactionId: string; body: string | null; isCompared: boolean }>(
      `SELECT kind, transaction_id, body, is_compared FROM mirror_copy ORDER BY created_at, id`,
    );

  it('starts, copies what is accepted, and stops, with the key and the copies encrypted', async () => {
    expect(await status()).toEqual({ state: 'off' });
    expect((await gateway.call('DELETE', PATH)).status).toBe(404);
    const { status: code, body } = await start({ url: `${gateway.url}/`, comparePercent: 1, settleSeconds: 5 });
    expect(code).toBe(201);
    expect(body).toEqual({
      state: 'running',
      url: gateway.url,
      delivers: 'other',
      until: wanted.until,
      comparePercent: 1,
      settleSeconds: 5,
      startedAt: expect.any(String),
      waiting: 0,
      settling: 0,
      figures: expect.objectContaining({ sent: 0, same: 0, outcomesMissing: 0 }),
    });
    expect((await start()).status).toBe(409);
    expect((await trigger({ transactionId: 'one', payload: { secret: 'hidden' } })).status).toBe(201);
    expect((await trigger({ transactionId: 'one', payload: { secret: 'hidden' } })).status).toBe(201);
    expect((await trigger({ transactionId: 'copied' }, { 'clarion-mirror': '1' })).status).toBe(201);
    const file = { file: Buffer.from('x').toString('base64'), name: 'a.txt', mime: 'text/plain' };
    expect((await trigger({ transactionId: 'file', payload: { attachments: [file] } })).status).toBe(201);
    expect((await gateway.call('DELETE', '/v1/events/trigger/one')).status).toBe(200);
    const rows = await copies();
    expect(rows.map(({ kind, transactionId }) => [kind, transactionId])).toEqual([
      ['trigger', 'one'],
      ['trigger', 'file'],
      ['cancel', 'one'],
    ]);
    expect(
      rows.every(({ body: stored, kind }) => (kind === 'cancel' ? stored === null : stored!.startsWith('v1.'))),
    ).toBe(true);
    const [row] = await gateway.database.query<{ key: string }>(`SELECT key FROM mirror`);
    expect(row!.key).toMatch(/^v1\./);
    expect(await status()).toMatchObject({ waiting: 3, oldestWaitingSeconds: expect.any(Number) });

    // An environment whose other system sends must not send, too.
    expect((await setKind('production')).status).toBe(409);
    expect((await gateway.call<MirrorDto>('DELETE', PATH)).body).toMatchObject({
      state: 'ended',
      endedReason: 'It was stopped',
      waiting: 3,
    });
    expect((await trigger({})).status).toBe(201);
    expect((await start()).body).toMatchObject({ statusCode: 409 });
    expect((await gateway.call<MirrorDto>('DELETE', `${PATH}?discard=true`)).body).toMatchObject({ waiting: 0 });
    expect((await start()).status).toBe(201);

    const { body: log } = await gateway.call<AuditLogListDto>('GET', '/v1/audit-log?resourceType=mirror&limit=100');
    expect(log.data.map(({ action, after }) => [action, after!['state'], after!['discardedCopies']])).toEqual([
      ['mirror.created', 'running', undefined],
      ['mirror.updated', undefined, 3],
      ['mirror.updated', 'ended', undefined],
      ['mirror.created', 'running', undefined],
    ]);
    expect(JSON.stringify(log)).not.toContain(second);
  });

  it('is seen by its environment alone', async () => {
    await start();
    await gateway.database.query(
      `INSERT INTO mirror_difference (id, environment_id, kind, transaction_id) VALUES (uuid_v7(), $1, 'failed', 'mine')`,
      [gateway.environmentId],
    );
    const as = <T>(path: string) => callGateway<T>(gateway.url, second, 'GET', path);
    expect((await as<MirrorDto>(PATH)).body).toEqual({ state: 'off' });
    expect((await as<MirrorDifferenceListDto>(`${PATH}/differences`)).body.data).toEqual([]);
    expect((await callGateway(gateway.url, second, 'DELETE', PATH)).status).toBe(404);
    const own = await gateway.call<MirrorDifferenceListDto>('GET', `${PATH}/differences?transactionId=mine`);
    expect(own.body.data).toMatchObject([{ kind: 'failed', transactionId: 'mine' }]);
    await gateway.call('DELETE', PATH);
    await start();
    expect((await gateway.call<MirrorDifferenceListDto>('GET', `${PATH}/differences`)).body.data).toEqual([]);
  });

  it('refuses what would be a loop, would not answer, would send twice or has no end', async () => {
    const refused = async (field: string, words: string, more: object) => {
      const answer = await start(more);
      expectFieldErrors(answer, [field]);
      expect(answer.text).toContain(words);
    };
    await refused('key', 'cannot be its own mirror', { key: gateway.key });
    await refused('key', 'answered 401', { key: 'a-key-of-another-system' });
    await refused('key', 'no spaces', { key: 'two words' });
    await refused('url', 'url cannot be used', { url: 'http://10.0.0.1' });
    await refused('url', 'url cannot be used', { url: 'http://169.254.169.254/latest' });
    await refused('url', 'url cannot be used', { url: 'nonsense' });
    await refused('url', 'no query', { url: `${gateway.url}?a=1` });
    await refused('url', 'answered 404', { url: `${gateway.url}/elsewhere` });
    await refused('url', 'cannot be reached', { url: 'http://127.0.0.1:1' });
    await refused('until', 'in the future', { until: inHours(-1) });
    await refused('until', 'at most 30 days', { until: inHours(31 * 24) });
    await refused('until', 'until', { until: 'tomorrow' });
    await refused('delivers', 'delivers', { delivers: 'both' });
    await refused('comparePercent', 'comparePercent', { comparePercent: 0 });
    await setKind('development');
    await refused('delivers', 'from both systems', {});
    expect((await start({ delivers: 'clarion' })).status).toBe(201);
    await setKind('sandbox');
    expect((await gateway.call('GET', `${PATH}/differences?kind=strange`)).status).toBe(422);
    expect(await copies()).toEqual([]);
  });
});
