import { startGateway, type TestGateway } from './harness';

describe('metrics', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const read = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text();

  it('tell how many triggers wait and for how long', async () => {
    const { environmentId } = gateway;
    expect(await read()).toContain('clarion_open_triggers 0\n');
    await gateway.database.query(
      `INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload, created_at)
       VALUES (uuid_v7(), $1, 't', $1, 1, '[]', '{}', now() - interval '90 seconds')`,
      [environmentId],
    );
    const text = await read();
    expect(text).toContain('clarion_open_triggers 1\n');
    expect(Number(/^clarion_oldest_open_trigger_seconds (\S+)$/m.exec(text)![1])).toBeGreaterThanOrEqual(90);
  });

  it('tell how long due steps wait, by type', async () => {
    const insert = `INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key,
      type, state, due_at) VALUES (uuid_v7(), $1, $1, 't', $1, 0, 's', $2, $3, now() + $4::interval)`;
    for (const [type, state, due] of [
      ['email', 'queued', '-60 s'],
      ['email', 'queued', '-5 s'],
      ['sms', 'delayed', '60 s'],
      ['push', 'completed', '-60 s'],
    ])
      await gateway.database.query(insert, [gateway.environmentId, type, state, due]);
    const text = await read();
    expect(text).toContain('clarion_due_steps{type="email"} 2\n');
    expect(Number(/clarion_oldest_due_step_seconds\{type="email"\} (\S+)/.exec(text)![1])).toBeGreaterThanOrEqual(60);
    expect(text).not.toMatch(/type="(sms|push)"/);
  });

  it('name the provider accounts that are in trouble', async () => {
    const { body } = await gateway.call<{ _id: string }>('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: 'k', from: 'a@b.co', senderName: 'A' },
    });
    expect(await read()).not.toContain(body._id);
    await gateway.database.query(`UPDATE integration SET health = '{"state": "open", "since": "x"}' WHERE id = $1`, [
      body._id,
    ]);
    const states = [...(await read()).matchAll(/clarion_integration_state\{([^}]*)\} (\d)/g)];
    expect(states.map(([, labels, value]) => [/state="(\w+)"/.exec(labels!)![1], value])).toEqual([
      ['closed', '0'],
      ['open', '1'],
      ['paused', '0'],
    ]);
    expect(states[0]![1]).toContain(`integration="${body._id}"`);
    const { body: listed } = await gateway.call<{ _id: string; health?: { state: string } }[]>(
      'GET',
      '/v1/integrations',
    );
    expect(listed.find(({ _id }) => _id === body._id)!.health).toMatchObject({ state: 'open' });
  });
});
