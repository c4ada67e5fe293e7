import { IdempotencyRepository } from '@clarion/persistence';
import { sha256 } from '@clarion/platform';
import { startGateway, type TestGateway } from './harness';

describe('Idempotency-Key header', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (key: string, body: object, path = '/v2/subscribers') =>
    gateway.call('POST', path, body, { 'idempotency-key': key });
  const countOf = async (subscriberId: string): Promise<number> =>
    (
      await gateway.database.query<{ version: number }>(
        'SELECT version FROM subscriber WHERE subscriber_id = $1 AND environment_id = $2',
        [subscriberId, gateway.environmentId],
      )
    )[0]?.version ?? -1;

  it('replays the first response byte for byte and executes a repeated request once', async () => {
    const first = await create('k1', { subscriberId: 'once', firstName: 'A' });
    expect(first.headers.get('idempotency-key')).toBe('k1');
    expect(first.headers.get('idempotency-replay')).toBeNull();

    const again = await create('k1', { firstName: 'A', subscriberId: 'once' });
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replay')).toBe('true');
    expect(again.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await countOf('once')).toBe(0);
  });

  it('answers 422 when the same idempotency key is reused with another body or query', async () => {
    await create('k2', { subscriberId: 'a' });
    const other = await create('k2', { subscriberId: 'b' });
    expect(other).toMatchObject({
      status: 422,
      body: { message: 'Request with key "k2" is being reused for a different body', errors: {} },
    });
    expect(other.headers.get('link')).toBeTruthy();
    expect((await create('k2', { subscriberId: 'a' }, '/v2/subscribers?failIfExists=true')).status).toBe(422);
    expect(await countOf('b')).toBe(-1);
  });

  it('does not replay a response to another API key, because the response may contain a new key', async () => {
    const keys = `/v1/environments/${gateway.environmentId}/api-keys`;
    const made = await gateway.call<{ key: string }>('POST', keys, { scope: 'full' });
    const create = (key: string) =>
      fetch(`${gateway.url}${keys}`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json', 'idempotency-key': 'mint' },
        body: JSON.stringify({ name: 'wide', scope: 'admin' }),
      });
    const first = await create(gateway.key);
    expect(first.status).toBe(201);
    const { key } = (await first.json()) as { key: string };
    const other = await create(made.body.key);
    expect(other.status).toBe(422);
    expect(await other.text()).not.toContain(key);
  });

  it('scopes idempotency keys by method, path and environment', async () => {
    await create('k3', { subscriberId: 'scoped' });
    expect(
      (await gateway.call('PATCH', '/v2/subscribers/scoped', { firstName: 'P' }, { 'idempotency-key': 'k3' })).status,
    ).toBe(200);
    const second = await gateway.secondKey();
    const foreign = await gateway.call(
      'POST',
      '/v2/subscribers',
      { subscriberId: 'scoped' },
      {
        'idempotency-key': 'k3',
        authorization: `ApiKey ${second}`,
      },
    );
    expect(foreign.headers.get('idempotency-replay')).toBeNull();
    expect(foreign.status).toBe(201);
  });

  it('executes one of 200 concurrent requests with one key, and replays or answers 409 to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => create('race', { subscriberId: 'raced', firstName: 'R' })),
    );
    const done = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(done.length + waiting.length).toBe(200);
    expect(done.filter(({ headers }) => headers.get('idempotency-replay') === null)).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { headers, body } of waiting) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body['message']).toBe('Request with key "race" is currently being processed. Please retry after 1 second');
    }
    expect(await countOf('raced')).toBe(0);
  });

  it('answers 409 while the first request with the same key is still running', async () => {
    // Holds the row that the first request wants, so that it waits inside its transaction.
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'held' });
    let release!: () => void;
    let held!: Promise<void>;
    await new Promise<void>((locked) => {
      held = gateway.database.transaction(async () => {
        await gateway.database.query(`SELECT 1 FROM subscriber WHERE subscriber_id = 'held' FOR UPDATE`);
        locked();
        await new Promise<void>((resolve) => (release = resolve));
      });
    });
    const patch = () =>
      gateway.call('PATCH', '/v2/subscribers/held', { firstName: 'H' }, { 'idempotency-key': 'held' });
    const both = [patch(), patch()];
    const refused = await Promise.race(both);
    expect(refused.status).toBe(409);
    expect(refused.headers.get('retry-after')).toBe('1');
    release();
    await held;
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await patch()).headers.get('idempotency-replay')).toBe('true');
  });

  it('rolls back and replays when another request with the same key commits first', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'beaten' });
    const path = '/v2/subscribers/beaten';
    let release!: () => void;
    let holds!: () => void;
    const holding = new Promise<void>((resolve) => (holds = resolve));
    const held = gateway.database.transaction(async () => {
      await gateway.database.query(`SELECT 1 FROM subscriber WHERE subscriber_id = 'beaten' FOR UPDATE`);
      holds();
      await new Promise<void>((resolve) => (release = resolve));
    });
    await holding;
    const slow = gateway.call('PATCH', path, { firstName: 'Slow' }, { 'idempotency-key': 'beaten' });
    const waiting = async () =>
      (
        await gateway.database.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE subscriber%'`,
        )
      ).length;
    while ((await waiting()) === 0);
    // The lease expired, so another request claimed the key and stored its response.
    const records = new IdempotencyRepository(gateway.database);
    const scope = { environmentId: gateway.environmentId, method: 'PATCH', path, key: 'beaten' };
    await gateway.database.query(
      `UPDATE idempotency_record SET lease_until = now() - interval '1 s' WHERE key = 'beaten'`,
    );
    const [running] = await gateway.database.query<{ fingerprint: Buffer }>(
      `SELECT fingerprint FROM idempotency_record WHERE key = 'beaten' AND environment_id = $1`,
      [gateway.environmentId],
    );
    const { claim } = await records.claim(scope, running!.fingerprint);
    await records.store(scope, claim!, {
      status: 200,
      contentType: 'application/json',
      body: gateway.secrets.encrypt('{"from":"the winner"}', [
        gateway.environmentId,
        'idempotency',
        'PATCH',
        path,
        'beaten',
      ]),
    });
    release();
    await held;
    const answer = await slow;
    expect(answer).toMatchObject({ status: 200, text: '{"from":"the winner"}' });
    expect(answer.headers.get('idempotency-replay')).toBe('true');
    expect((await gateway.call('GET', path)).body).toMatchObject({ firstName: null });
  });

  it('replays a 409 and a 422 under the same key', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'there' });
    const first = await create('refused', { subscriberId: 'there' }, '/v2/subscribers?failIfExists=true');
    await gateway.call('DELETE', '/v2/subscribers/there');
    const again = await create('refused', { subscriberId: 'there' }, '/v2/subscribers?failIfExists=true');
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replay')).toBe('true');

    const invalid = await create('invalid', { subscriberId: '' });
    expect(invalid.status).toBe(422);
    expect((await create('invalid', { subscriberId: '' })).headers.get('idempotency-replay')).toBe('true');
  });

  it('releases the key after a 500, so that the same request can be retried', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'failing' });
    const patch = () =>
      gateway.call('PATCH', '/v2/subscribers/failing', { firstName: 'F' }, { 'idempotency-key': 'failing' });
    await gateway.database.query('ALTER TABLE subscriber RENAME TO subscriber_away');
    const failed = await patch();
    await gateway.database.query('ALTER TABLE subscriber_away RENAME TO subscriber');
    expect(failed.status).toBe(500);
    const again = await patch();
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replay')).toBeNull();
  });

  it('takes over the key of a crashed process after its lease has expired, and not before', async () => {
    const records = new IdempotencyRepository(gateway.database);
    const scope = { environmentId: gateway.environmentId, method: 'POST', path: '/v2/subscribers', key: 'crashed' };
    await records.claim(scope, sha256('of the crashed process'));
    expect((await create('crashed', { subscriberId: 'crashed' })).status).toBe(409);
    await gateway.database.query(`UPDATE idempotency_record SET lease_until = now() WHERE key = 'crashed'`);
    expect((await create('crashed', { subscriberId: 'crashed' })).status).toBe(201);
    expect((await create('crashed', { subscriberId: 'crashed' })).headers.get('idempotency-replay')).toBe('true');
  });

  it('replays a response without a body', async () => {
    const { body } = await gateway.call<{ _id: string }>(
      'POST',
      `/v1/environments/${gateway.environmentId}/api-keys`,
      {},
    );
    const revoke = () =>
      gateway.call('DELETE', `/v1/environments/${gateway.environmentId}/api-keys/${body._id}`, undefined, {
        'idempotency-key': 'del',
      });
    expect(await revoke()).toMatchObject({ status: 204, text: '' });
    expect(await revoke()).toMatchObject({ status: 204, text: '' });
  });

  it('ignores the idempotency key on reads and rejects one that is too long', async () => {
    const read = await gateway.call('GET', '/v2/subscribers', undefined, { 'idempotency-key': 'get' });
    expect(read.headers.get('idempotency-key')).toBeNull();
    expect((await create('x'.repeat(256), { subscriberId: 'long' })).status).toBe(400);
  });

  it('encrypts the stored response', async () => {
    const created = await gateway.call<{ apiKeys: { key: string }[] }>(
      'POST',
      '/v1/environments',
      { name: 'Secret' },
      { 'idempotency-key': 'env' },
    );
    const rows = await gateway.database.query<{ body: string }>(
      `SELECT body FROM idempotency_record WHERE key = 'env' AND environment_id = $1`,
      [gateway.environmentId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.body).toMatch(/^v1\./);
    expect(rows[0]!.body).not.toContain(created.body.apiKeys[0]!.key);
  });

  it('forgets an idempotency key after 24 hours', async () => {
    await create('old', { subscriberId: 'old-1' });
    await gateway.database.query(
      `UPDATE idempotency_record SET created_at = now() - interval '25 hours' WHERE key = 'old'`,
    );
    const again = await create('old', { subscriberId: 'old-2' });
    expect(again).toMatchObject({ status: 201, body: { subscriberId: 'old-2' } });
    expect((await create('old', { subscriberId: 'old-2' })).headers.get('idempotency-replay')).toBe('true');
  });
});
