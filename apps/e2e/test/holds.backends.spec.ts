import { CHANNELS, type HoldDto, type NotificationDto } from '@clarion/contracts';
import { openQueue, QUEUE_NAMES } from '@clarion/queue';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, detailsOf, startOwnClarion } from './harness';

const ANN = { subscriberId: 'ann', email: 'ann@x.test', phone: '+15550100' };

describe('holds', () => {
  let clarion: Clarion;
  let ids: { integration: string; workflow: string; environment: string; channel: string };

  beforeAll(async () => {
    clarion = await startOwnClarion({ roles: [] });
    const { _id: integration } = await clarion.integration('resend', 'email', { name: 'Mail' });
    await clarion.integration('sendgrid', 'email', { name: 'Substitute' });
    await clarion.callOk('POST', `/v1/integrations/${integration}/set-primary`);
    const { _id: workflow } = await clarion.workflow('mail', [
      { type: 'email', controlValues: { subject: '{{payload.n}}', body: '<p>B</p>' } },
      { type: 'in_app', controlValues: { body: 'x' } },
    ]);
    await clarion.workflow('later', [
      { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      { type: 'in_app', controlValues: { body: 'x' } },
    ]);
    ids = { integration: integration!, workflow, environment: clarion.environmentId, channel: 'email' };
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  afterEach(async () => {
    const { data } = await clarion.callOk<{ data: HoldDto[] }>('GET', '/v1/holds');
    // One that an earlier test has released may end in the meantime.
    for (const { _id } of data) await clarion.call('DELETE', `/v1/holds/${_id}`);
    await clarion.stop('engine', ...CHANNELS);
  });

  const start = () => clarion.start('engine', 'email', 'in_app');
  const hold = (target: keyof typeof ids) =>
    clarion.callOk<HoldDto>('POST', '/v1/holds', { target, id: ids[target], reason: 'an incident' });
  const resume = ({ _id }: HoldDto) => clarion.callOk('DELETE', `/v1/holds/${_id}`);
  const waitsAt = (notifications: NotificationDto[]): string | undefined =>
    notifications[0]?.jobs?.find(({ executionDetails }) =>
      executionDetails.some(({ detail }) => detail.startsWith('Step held')),
    )?.type;
  /** The subjects of the sent emails; several may share a call. */
  const sent = () =>
    clarion.provider.calls
      .flatMap(({ body }) => JSON.parse(body) as { subject?: string })
      .map(({ subject = '' }) => subject);
  const waiting = async (count: number) =>
    until(async () => {
      const [row] = await clarion.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM work WHERE hold_id IS NOT NULL AND due_at > now() + interval '1 year'`,
      );
      return row!.count === count;
    });

  async function emptyQueues(): Promise<void> {
    for (const name of QUEUE_NAMES) {
      const { queue, close } = openQueue(clarion.context.queueBackend, name, clarion.resources.queue);
      await queue.obliterate({ force: true });
      await close();
    }
  }

  it.each(['integration', 'channel', 'workflow', 'environment'] as const)(
    'keeps the messages of a held %s waiting, says why, and sends each once after the resume',
    async (target) => {
      await start();
      const held = await hold(target);
      const transactionId = await clarion.trigger('mail', ANN, { payload: { n: 'one' } });
      const [notification] = await clarion.activity(transactionId, (all) => waitsAt(all) !== undefined);
      const [job, later] = notification!.jobs!;
      expect(job).toMatchObject({ type: 'email', status: 'delayed' });
      expect(later).toMatchObject({ type: 'in_app', status: 'pending' });
      const name = { integration: 'Mail', channel: 'email', workflow: 'mail', environment: held.name }[target];
      expect(detailsOf(job!)).toEqual([
        'Pending: Step queued',
        expect.stringMatching(
          new RegExp(`^Pending: Step held: ${target} "${name}" was paused by ".+" at \\d{4}-.+Z: an incident$`),
        ),
      ]);
      expect(JSON.parse(job!.executionDetails[1]!.raw!)).toMatchObject({ holdId: held._id, target, id: ids[target] });
      const { jobs } = await clarion.callOk<NotificationDto>('GET', `/v1/notifications/${notification!._id}`);
      expect(jobs![0]!.waitingFor).toMatchObject({ kind: 'hold', holdId: held._id, reason: 'an incident' });
      expect(sent()).toEqual([]);
      const { data } = await clarion.callOk<{ data: HoldDto[] }>('GET', '/v1/holds');
      expect(data.find(({ _id }) => _id === held._id)).toMatchObject({ state: 'held', waitingSteps: 1 });

      await resume(held);
      await clarion.activity(transactionId, allEnded());
      expect(sent()).toEqual(['one']);
      const isGone = async () => (await clarion.call('DELETE', `/v1/holds/${held._id}`)).status === 404;
      await until(isGone);
    },
  );

  it('keeps a delay of a held workflow waiting after its time', async () => {
    await start();
    const transactionId = await clarion.trigger('later', ANN);
    await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    const held = await clarion.callOk<HoldDto>('POST', '/v1/holds', { target: 'workflow', id: 'later' });
    await clarion.makeDue(transactionId);
    await clarion.activity(transactionId, (all) => waitsAt(all) === 'delay');
    await resume(held);
    await clarion.activity(transactionId, allEnded());
  });

  it('keeps a backlog of a paused integration through a crash and an emptied queue', async () => {
    const subjects = Array.from({ length: 30 }, (_, at) => `n${String(at).padStart(2, '0')}`);
    await clarion.start('engine');
    const transactions: string[] = [];
    for (const n of subjects) transactions.push(await clarion.trigger('mail', ANN, { payload: { n } }));
    const path = `/v1/integrations/${ids.integration}`;
    expect(await clarion.callOk('POST', `${path}/pause`, { reason: 'r' })).toMatchObject({ target: 'integration' });
    const worker = await clarion.startKillable('email');
    await waiting(30);
    worker.kill();
    await clarion.expireLeases();
    await emptyQueues();
    await clarion.start('email', 'in_app');
    const text = await clarion.context.metrics.expose();
    expect(text).toContain('clarion_held_steps{target="integration"} 30\n');
    expect(text).toContain('clarion_due_steps{channel="email"} 0\n');
    expect(sent()).toEqual([]);

    await clarion.callOk('POST', `${path}/resume`);
    for (const transactionId of transactions) await clarion.activity(transactionId, allEnded());
    expect(sent().toSorted()).toEqual(subjects);
  });

  it('does not fail over to an integration on hold, and not past it', async () => {
    await start();
    const { _id } = (await clarion.callOk<{ _id: string; name: string }[]>('GET', '/v1/integrations')).find(
      ({ name }) => name === 'Substitute',
    )!;
    await clarion.callOk('POST', `/v1/integrations/${_id}/pause`, {});
    clarion.provider.always('/emails', { status: 401, json: {} });
    const transactionId = await clarion.trigger('mail', ANN, { payload: { n: 'over' } });
    const [notification] = await clarion.activity(transactionId, (all) => waitsAt(all) === 'email');
    expect(detailsOf(notification!.jobs![0]!).at(-1)).toContain('integration "Substitute" was paused');
    expect(clarion.provider.calls.map(({ path }) => path)).toEqual(['/emails']);
    await clarion.callOk('POST', `/v1/integrations/${_id}/resume`);
    await clarion.activity(transactionId, allEnded());
    expect(clarion.provider.calls.map(({ path }) => path)).toEqual(['/emails', '/v3/mail/send']);
  });

  it('cancels steps on hold', async () => {
    await start();
    await hold('environment');
    const transactionId = await clarion.trigger('mail', ANN, { payload: { n: 'never' } });
    await clarion.activity(transactionId, (all) => waitsAt(all) === 'email');
    await clarion.callOk('DELETE', `/v1/events/trigger/${transactionId}`);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(notification!.jobs!.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });
});
