import type { TriggerResultDto } from '@clarion/contracts';
import { startGateway, type TestGateway } from './harness';

describe('sender and recipient overrides of a trigger', () => {
  let gateway: TestGateway;
  let triggerKey: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const keys = `/v1/environments/${gateway.environmentId}/api-keys`;
    triggerKey = (await gateway.call<{ key: string }>('POST', keys, { scope: 'trigger' })).body.key;
    await gateway.call('POST', '/v2/workflows', {
      name: 'Mail',
      workflowId: 'mail',
      steps: [{ name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'x' } }],
    });
  });
  afterAll(() => gateway.close());

  const event = (overrides?: object) => ({ name: 'mail', to: 'ada', ...(overrides && { overrides }) });
  const asTrigger = () => ({ authorization: `ApiKey ${triggerKey}` });
  const one = (body: object, headers?: Record<string, string>) =>
    gateway.call<TriggerResultDto & { message: string; errors: object }>('POST', '/v1/events/trigger', body, headers);
  const bulk = async (events: object[], headers?: Record<string, string>) =>
    (await gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', { events }, headers)).body;

  const REFUSED: [string, object][] = [
    ['overrides.email.from', { email: { from: 'ceo@example.com' } }],
    ['overrides.email.bcc', { email: { bcc: ['thief@example.com'] } }],
    ['overrides.email.to', { email: { to: ['thief@example.com'] } }],
    ['overrides.providers.sendgrid._passthrough', { providers: { sendgrid: { _passthrough: { body: {} } } } }],
    ['overrides.sendgrid.personalizations', { sendgrid: { personalizations: [{ to: [{ email: 'x@y.z' }] }] } }],
  ];

  it('rejects the overrides of single events of a bulk call with a trigger key and names the path', async () => {
    const results = await bulk(
      [...REFUSED.map(([, overrides]) => event(overrides)), event({ email: { subject: 'S' } })],
      asTrigger(),
    );
    for (const [index, [path]] of REFUSED.entries()) {
      expect(results[index]).toMatchObject({
        status: 'error',
        error: [`${path}: a key of the scope "trigger" may not change sender or recipients in this environment`],
      });
    }
    expect(results.at(-1)!.status).toBe('processed');
  });

  it('answers 403 to the overrides of a trigger key in a single trigger and a broadcast', async () => {
    const [path, overrides] = REFUSED[0]!;
    expect(await one(event(overrides), asTrigger())).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(path), errors: { [path]: { messages: [expect.any(String)] } } },
    });
    const broadcast = { name: 'mail', overrides, payload: {} };
    expect((await gateway.call('POST', '/v1/events/trigger/broadcast', broadcast, asTrigger())).status).toBe(403);
  });

  it('accepts sender and recipient overrides from a key of the scope full', async () => {
    const results = await bulk(REFUSED.map(([, overrides]) => event(overrides)));
    expect(results.map(({ status }) => status)).toEqual(REFUSED.map(() => 'processed'));
  });

  it('accepts sender and recipient overrides from a trigger key when the environment allows it', async () => {
    const environment = `/v1/environments/${gateway.environmentId}`;
    expect((await gateway.call('PUT', environment, { allowRecipientOverrides: true })).status).toBe(200);
    expect((await one(event(REFUSED[0]![1]), asTrigger())).body).toMatchObject({ status: 'processed' });
    expect((await gateway.call('PUT', environment, { allowRecipientOverrides: false })).status).toBe(200);
    expect((await one(event(REFUSED[0]![1]), asTrigger())).status).toBe(403);
  });
});
