import type { EnvironmentDto, HoldDto, IntegrationDto, NotificationDto } from '@clarion/contracts';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, detailsOf, startClarion } from './harness';

const COUNT = 8;
const ANN = { subscriberId: 'ann', email: 'ann@x.test' };
const NONE = 'Failed: Subscriber does not have an active integration';
const HELD = 'Pending: Step held: the channel email has no active integration';

describe('a production environment without an active integration', () => {
  let clarion: Clarion;
  let integrationId: string;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email'], demoProviders: true });
    await set({ kind: 'production' });
    integrationId = (await clarion.integration('resend', 'email', { name: 'Mail' }))._id!;
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: '{{payload.n}}', body: 'B' } }]);
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  const set = (fields: object) =>
    clarion.callOk<EnvironmentDto>('PUT', `/v1/environments/${clarion.environmentId}`, fields);
  const activate = (active: boolean) => clarion.callOk('PUT', `/v1/integrations/${integrationId}`, { active });
  const sent = (): string[] =>
    clarion.provider.calls.flatMap(({ body }) => JSON.parse(body) as { subject: string }).map(({ subject }) => subject);
  const trigger = async (name: string): Promise<string[]> => {
    const events = Array.from({ length: COUNT }, (_, n) => ({ name: 'mail', to: ANN, payload: { n: `${name} ${n}` } }));
    const results = await clarion.callOk<{ transactionId: string }[]>('POST', '/v1/events/trigger/bulk', { events });
    return results.map(({ transactionId }) => transactionId);
  };
  const stepOf = ([notification]: NotificationDto[]) => notification?.jobs?.[0];
  const outbox = () => clarion.callOk<{ data: unknown[] }>('GET', '/v1/outbox');

  it('sends while the integration is active', async () => {
    const rows = await clarion.callOk<IntegrationDto[]>('GET', '/v1/integrations');
    const demo = rows.filter(({ providerId }) => providerId.startsWith('platform-'));
    expect(demo.map(({ active }) => active)).toEqual([false, false, false]);
    await clarion.run('mail', ANN, { payload: { n: 'first' } });
    expect(sent()).toEqual(['first']);
  });

  it('fails every step after the only integration was switched off, and puts nothing into the outbox', async () => {
    await activate(false);
    for (const transactionId of await trigger('failed')) {
      const notifications = await clarion.activity(transactionId, allEnded());
      expect(detailsOf(stepOf(notifications)!).at(-1)).toBe(NONE);
    }
    expect(sent()).toEqual([]);
    expect((await outbox()).data).toEqual([]);
    const dryRun = await clarion.callOk('POST', '/v1/events/trigger?dryRun=true', { name: 'mail', to: ANN });
    expect(dryRun).toMatchObject({ dryRun: { recipients: [{ steps: [{ outcome: 'would_fail' }] }] } });
  });

  it('holds every step if the environment says so, and sends each once when an integration is active', async () => {
    expect(await set({ withoutIntegration: 'hold' })).toMatchObject({ withoutIntegration: 'hold', kind: 'production' });
    const transactions = await trigger('held');
    for (const transactionId of transactions) {
      const notifications = await clarion.activity(transactionId, (all) => stepOf(all)?.status === 'delayed');
      expect(detailsOf(stepOf(notifications)!).at(-1)).toBe(HELD);
    }
    const { data } = await clarion.callOk<{ data: HoldDto[] }>('GET', '/v1/holds');
    expect(data).toEqual([
      expect.objectContaining({ target: 'missing_integration', id: 'email', waitingSteps: COUNT }),
    ]);
    expect(await clarion.context.metrics.expose()).toContain(
      `clarion_held_steps{target="missing_integration"} ${COUNT}\n`,
    );
    const dryRun = await clarion.callOk('POST', '/v1/events/trigger?dryRun=true', { name: 'mail', to: ANN });
    expect(dryRun).toMatchObject({
      dryRun: { recipients: [{ steps: [{ outcome: 'would_wait', why: HELD.slice('Pending: '.length) }] }] },
    });

    // Nothing has changed, so the steps wait again.
    await clarion.callOk('DELETE', `/v1/holds/${data[0]!._id}`);
    const isHeldAgain = async () => {
      const holds = await clarion.callOk<{ data: HoldDto[] }>('GET', '/v1/holds');
      return holds.data.some(({ _id, waitingSteps }) => _id !== data[0]!._id && waitingSteps === COUNT);
    };
    await until(isHeldAgain);
    expect(sent()).toEqual([]);

    await activate(true);
    for (const transactionId of transactions) await clarion.activity(transactionId, allEnded());
    expect(sent().toSorted()).toEqual(Array.from({ length: COUNT }, (_, n) => `held ${n}`).toSorted());
    expect((await outbox()).data).toEqual([]);
  });

  it('fails the steps that are held when the environment wants them to fail', async () => {
    await set({ withoutIntegration: 'hold' });
    await activate(false);
    const transactions = await trigger('given up');
    for (const transactionId of transactions)
      await clarion.activity(transactionId, (all) => stepOf(all)?.status === 'delayed');
    await set({ withoutIntegration: 'fail' });
    for (const transactionId of transactions) {
      const notifications = await clarion.activity(transactionId, allEnded());
      expect(detailsOf(stepOf(notifications)!).slice(-2)).toEqual([HELD, NONE]);
    }
    const isOver = async () => (await clarion.callOk<{ data: HoldDto[] }>('GET', '/v1/holds')).data.length === 0;
    await until(isOver);
    expect(sent()).toEqual([]);
  });
});
