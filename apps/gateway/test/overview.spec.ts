import {
  type ActivityGroupsDto,
  type Channel,
  type ErrorListDto,
  EXECUTION_DETAILS,
  idAtTime,
  type IntegrationOverviewListDto,
  newId,
  type NotificationId,
  type OverviewDto,
  type StepId,
  type StepType,
  type SubscriberDto,
  type SubscriberRowId,
  toNotificationId,
  type TriggerId,
  type WorkflowStatisticsListDto,
} from '@clarion/contracts';
import {
  FanOutRepository,
  mergeDeltas,
  StepClaimRepository,
  type StepOutcome,
  StepOutcomeRepository,
  TriggerRepository,
} from '@clarion/persistence';
import { insertMessages, insertWorkflow, type WorkflowRow } from '@clarion/testing';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

const HOUR = 3600 * 1000;
const NOTHING = {
  accepted: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  inFlight: 0,
  inDoubt: 0,
  failures: 0,
  recovered: 0,
};

describe('overview', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let ada: SubscriberRowId;
  let bob: SubscriberRowId;

  beforeAll(async () => {
    gateway = await startGateway();
    workflow = await insertWorkflow(gateway.database, {
      environmentId: gateway.environmentId,
      workflowId: 'orders',
      steps: [{ type: 'email' }, { type: 'sms' }],
    });
    [ada, bob] = (await Promise.all(['ada', 'bob'].map(subscriber))) as [SubscriberRowId, SubscriberRowId];
  });
  afterAll(() => gateway.close());
  afterEach(() =>
    gateway.database.execute(
      `DELETE FROM notification; DELETE FROM step; DELETE FROM work; DELETE FROM outcome_delta; DELETE FROM outcome_count;
       DELETE FROM replayed_failure`,
    ),
  );

  const subscriber = async (subscriberId: string) =>
    (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId })).body._id as SubscriberRowId;

  /** One notification through the statements of the engine and the workers, made some time ago. */
  async function notify(
    types: StepType[],
    ends: Partial<StepOutcome>[],
    { to = ada, agoMs = 0 }: { to?: SubscriberRowId; agoMs?: number } = {},
  ): Promise<NotificationId> {
    const { database, environmentId } = gateway;
    const fanOut = new FanOutRepository(database);
    const triggerId = newId<TriggerId>();
    await new TriggerRepository(database).insertMany(environmentId, [
      {
        id: triggerId,
        transactionId: `txn_${triggerId}`,
        fingerprint: '00',
        workflowId: workflow.id,
        workflowVersion: 1,
        recipients: [],
        payload: {},
      },
    ]);
    const [trigger] = await fanOut.claim([triggerId]);
    const id = toNotificationId(idAtTime(Date.now() - agoMs).slice(0, 14) + newId().slice(14));
    await fanOut.commit({
      triggers: [
        {
          ...trigger!,
          workflowId: workflow.id,
          steps: types.map((type, position) => ({ stepKey: `${type}-${position}`, type })),
          state: 'done',
          channels: types,
          tags: [],
          severity: 'none',
          critical: false,
        },
      ],
      notifications: [{ id, triggerId, subscriberId: to, to: {} }],
    });
    for (const [position, outcome] of ends.entries()) await end(id, types[position] as Channel, outcome);
    return id;
  }

  /** Ends the step of a notification that is open. */
  async function end(id: NotificationId, channel: Channel, outcome: Partial<StepOutcome>): Promise<void> {
    const { database } = gateway;
    const [row] = await database.query<{ id: StepId }>(`SELECT id FROM work WHERE notification_id = $1`, [id]);
    const [step] = await new StepClaimRepository(database).claimChannel(channel, [row!.id]);
    await new StepOutcomeRepository(database).record([
      {
        id: step!.id,
        fence: step!.fence,
        state: 'completed',
        then: 'advance',
        details: [{ status: 'Success', detail: 'Message sent' }],
        ...outcome,
      },
    ]);
  }
  const sent: Partial<StepOutcome> = { providerId: 'sendgrid' };
  const failed: Partial<StepOutcome> = {
    state: 'failed',
    providerId: 'sendgrid',
    error: { message: 'Mailbox is full' },
    details: [{ status: 'Failed', detail: 'Unexpected provider error' }],
  };
  const held: Partial<StepOutcome> = {
    ...failed,
    error: { message: EXECUTION_DETAILS.sendingInterruptedHeld.detail },
  };
  const read = async (query = '') => {
    const { status, body } = await gateway.call<OverviewDto>('GET', `/v1/overview?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const range = (after: number, before: number) => {
    const now = Date.now();
    return `after=${new Date(now - after).toISOString()}&before=${new Date(now - before).toISOString()}`;
  };

  it('counts every channel step once, by outcome and channel, and adds up', async () => {
    await notify(['email', 'sms'], [sent, sent]);
    await notify(['email', 'sms', 'digest'], [{ ...failed, then: 'halt' }]);
    await notify(['email'], [held]);
    // The first step waits, and the steps behind it were not reached.
    await notify(['delay', 'email', 'push'], []);
    await notify(['email', 'sms'], [{ state: 'skipped' }]);
    const overview = await read();
    expect(overview).toMatchObject({
      totals: { accepted: 9, delivered: 2, failed: 1, skipped: 2, inFlight: 3, inDoubt: 1 },
      reconciles: true,
      difference: 0,
    });
    const channels = Object.fromEntries(overview.channels.map(({ channel, totals }) => [channel, totals]));
    expect(channels).toEqual({
      in_app: NOTHING,
      email: { accepted: 5, delivered: 1, failed: 1, skipped: 1, inFlight: 1, inDoubt: 1, failures: 2, recovered: 0 },
      sms: { ...NOTHING, accepted: 3, delivered: 1, skipped: 1, inFlight: 1 },
      chat: NOTHING,
      push: { ...NOTHING, accepted: 1, inFlight: 1 },
    });
    // One SMS is due.
    expect(overview.channels.find(({ channel }) => channel === 'sms')!.backlog).toEqual({
      due: 1,
      delayed: 0,
      oldestDueAt: expect.any(String),
      lagSeconds: expect.any(Number),
    });
    const { totals } = overview;
    await mergeDeltas(gateway.database);
    expect((await read()).totals).toEqual(totals);
  });

  it('shows the difference when open work is lost', async () => {
    await notify(['email', 'sms'], []);
    await gateway.database.query(`DELETE FROM work`);
    const overview = await read();
    expect(overview).toMatchObject({ reconciles: false, difference: 2, totals: { accepted: 2, inFlight: 0 } });
    expect(overview.channels.map(({ difference }) => difference)).toEqual([0, 1, 1, 0, 0]);
  });

  it('counts the notifications that were made in the range, whenever their steps ended', async () => {
    await notify(['email'], [sent], { agoMs: 3 * HOUR });
    await notify(['email'], [], { agoMs: 3 * HOUR });
    await notify(['email'], [sent]);
    const overview = await read(range(4 * HOUR, 2 * HOUR));
    expect(overview).toMatchObject({
      totals: { accepted: 2, delivered: 1, inFlight: 1 },
      reconciles: true,
      bucketSeconds: 60,
    });
    expect(overview.series).toEqual([
      {
        ...{ at: expect.any(String), channel: 'email' },
        ...{ accepted: 2, delivered: 1, failed: 0, skipped: 0, failures: 0, recovered: 0, held: 0, retrying: 0 },
      },
    ]);
    expect((await read(range(HOUR, 0))).totals).toMatchObject({ accepted: 1, delivered: 1 });
  });

  it.each([
    ['an hour', HOUR, 60],
    ['24 hours', 24 * HOUR, 900],
    ['7 days', 7 * 24 * HOUR, 7_200],
    ['31 days', 31 * 24 * HOUR, 28_800],
    // Minutes are merged into hours by then.
    ['an hour three days ago', HOUR, 3_600, 72 * HOUR],
  ])('rounds %s outward to whole buckets', async (_, length, bucketSeconds, ago = 0) => {
    const given = range(ago + length, ago);
    const { after, before, bucketSeconds: bucket } = await read(given);
    const [start, end] = [...new URLSearchParams(given).values()].map((time) => new Date(time).getTime());
    const [first, last] = [new Date(after).getTime(), new Date(before).getTime()];
    expect(bucket).toBe(bucketSeconds);
    expect([first % (bucket * 1000), last % (bucket * 1000)]).toEqual([0, 0]);
    expect(first <= start! && start! - first < bucket * 1000).toBe(true);
    expect(last >= end! && last - end! < bucket * 1000).toBe(true);
  });

  it('refuses times that are none, and ranges that are too long', async () => {
    const get = (query: string) => gateway.call('GET', `/v1/overview?${query}`);
    expectFieldErrors(await get('after=yesterday'), ['after'], 400);
    expectFieldErrors(await get(range(32 * 24 * HOUR, 0)), ['after'], 400);
    expectFieldErrors(await get(range(0, HOUR)), ['after'], 400);
    expectFieldErrors(await get(`after=${new Date(Date.now() + HOUR).toISOString()}`), ['after'], 400);
  });

  it('groups failures by the words of the provider, with people and those who were reached otherwise', async () => {
    await notify(['email', 'sms'], [failed, sent]);
    await notify(['email'], [failed], { to: bob });
    const newest = await notify(['email'], [failed], { to: bob });
    await notify(['email'], [held]);
    await notify(['email'], [failed], { agoMs: 5 * HOUR });
    const { body } = await gateway.call<ActivityGroupsDto>('GET', `/v1/overview/error-groups?${range(HOUR, 0)}`);
    expect(body).toMatchObject({ isBounded: false });
    expect(body.data).toEqual([
      {
        errorGroup: expect.any(String),
        reason: 'Mailbox is full',
        code: null,
        outcome: 'failed',
        providerId: 'sendgrid',
        channel: 'email',
        count: 3,
        people: 2,
        reachedOtherwise: 1,
        firstAt: expect.any(String),
        lastAt: expect.any(String),
        sampleNotificationId: newest,
        isReplayed: false,
        recovered: 0,
        bars: { from: expect.any(String), until: expect.any(String), counts: expect.any(Array) },
      },
      expect.objectContaining({ outcome: 'in_doubt', count: 1, people: 1, reachedOtherwise: 0 }),
    ]);
  });

  it('shows the state and the last error of every integration', async () => {
    const { body: integration } = await gateway.call<{ _id: string }>('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      name: 'Main',
      active: true,
      credentials: { apiKey: 'SG.key', from: 'a@x.test', senderName: 'A' },
    });
    const list = async () =>
      (await gateway.call<IntegrationOverviewListDto>('GET', '/v1/overview/integrations')).body.data.find(
        ({ _id }) => _id === integration._id,
      );
    const calm = {
      state: 'closed',
      since: null,
      pausedUntil: null,
      lastError: null,
      lastErrorAt: null,
      lastErrorRecovered: false,
    };
    expect(await list()).toMatchObject({ name: 'Main', providerId: 'sendgrid', active: true, health: calm });
    const message = { environmentId: gateway.environmentId, channel: 'email', integrationId: integration._id } as const;
    const long = new Date(Date.now() - 25 * 3_600_000);
    await insertMessages(gateway.database, [
      { ...message, subscriberId: ada },
      { ...message, subscriberId: ada, status: 'error' },
      { ...message, subscriberId: ada, createdAt: long },
      { ...message, subscriberId: ada, integrationId: newId() },
    ]);
    expect(await list()).toMatchObject({ messages: 2, failedMessages: 1 });
    const { hours } = (await list()) as { hours: { messages: number; failedMessages: number }[] };
    expect(hours.reduce((sum, { messages }) => sum + messages, 0)).toBe(2);
    expect(hours.reduce((sum, { failedMessages }) => sum + failedMessages, 0)).toBe(1);
    await notify(['email'], [{ ...failed, integrationId: integration._id }]);
    expect((await list())!.health).toEqual({
      ...calm,
      lastError: 'Mailbox is full',
      lastErrorAt: expect.any(String),
    });
    const health = { state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:01:00.000Z' };
    await gateway.database.query(`UPDATE integration SET health = $2 WHERE id = $1`, [integration._id, health]);
    expect((await list())!.health).toMatchObject({ state: 'open', pausedUntil: health.until });
  });

  it('keeps failures that were replayed, and says which have recovered', async () => {
    const { body: integration } = await gateway.call<{ _id: string }>('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      name: 'Replayed',
      credentials: { apiKey: 'SG.key', from: 'a@x.test', senderName: 'A' },
    });
    const health = async () =>
      (await gateway.call<IntegrationOverviewListDto>('GET', '/v1/overview/integrations')).body.data.find(
        ({ _id }) => _id === integration._id,
      )!.health;
    const groups = async () =>
      (await gateway.call<ActivityGroupsDto>('GET', '/v1/overview/error-groups')).body.data.map(
        ({ reason, outcome, count, people, reachedOtherwise, isReplayed, recovered, bars }) =>
          [reason, outcome, count, people, reachedOtherwise, isReplayed, recovered, bars.counts.at(-1)] as const,
      );
    const replay = async (ids: NotificationId[]) =>
      (await gateway.call('POST', '/v1/notifications/replay', { ids, dryRun: false })).body;
    const broken = { ...failed, integrationId: integration._id };
    const [first, second] = [await notify(['email'], [broken]), await notify(['email'], [broken], { to: bob })];
    const third = await notify(['sms', 'email'], [sent, held]);
    const failedAt = (await health()).lastErrorAt;
    expect((await read()).totals).toMatchObject({ failed: 2, inDoubt: 1, failures: 3, recovered: 0 });

    expect(await replay([first, second, third])).toMatchObject({ replayed: 3 });
    const pending = await read();
    expect(pending.totals).toMatchObject({ failed: 0, inDoubt: 0, inFlight: 3, failures: 3, recovered: 0 });
    await end(first, 'email', sent);
    await end(second, 'email', failed);
    await end(third, 'email', sent);
    const overview = await read();
    expect(overview).toMatchObject({
      totals: { accepted: 4, delivered: 3, failed: 1, inFlight: 0, inDoubt: 0, failures: 4, recovered: 2 },
      reconciles: true,
    });
    const sum = (name: 'failures' | 'recovered') => overview.series.reduce((total, point) => total + point[name], 0);
    expect([sum('failures'), sum('recovered')]).toEqual([4, 2]);
    expect(await groups()).toEqual([
      ['Mailbox is full', 'failed', 2, 2, 0, true, 1, 2],
      ['Mailbox is full', 'failed', 1, 1, 0, false, 0, 1],
      [held.error!['message'], 'in_doubt', 1, 1, 1, true, 1, 1],
    ]);
    const { body: errors } = await gateway.call<ErrorListDto>('GET', '/v1/operations/errors');
    expect(errors.data.map(({ count, isReplayed, bars }) => [count, isReplayed, bars.counts.at(-1)])).toEqual([
      [2, true, 2],
      [1, false, 1],
      [1, true, 1],
    ]);
    // The second run of the step named no integration, so the last error is still that of the first.
    expect(await health()).toMatchObject({ lastError: 'Mailbox is full', lastErrorAt: failedAt });

    await replay([second]);
    await end(second, 'email', sent);
    expect((await read()).totals).toMatchObject({ delivered: 4, failed: 0, failures: 4, recovered: 3 });
    expect(await health()).toMatchObject({ lastErrorAt: failedAt, lastErrorRecovered: true });
    const { body: counted } = await gateway.call<WorkflowStatisticsListDto>('GET', '/v2/workflows/statistics');
    expect(counted.data).toMatchObject([{ failed: 0, failures: 4, recovered: 3 }]);
    await mergeDeltas(gateway.database);
    expect((await read()).totals).toMatchObject({ failures: 4, recovered: 3 });
  });

  it('lists attempts that failed and will be made again, with their reasons', async () => {
    expect((await read()).retrying).toEqual([]);
    const id = await notify(
      ['email'],
      [{ state: 'queued', then: 'wait', dueInMs: 60_000, error: { message: 'HTTP 503' }, providerId: 'sendgrid' }],
    );
    expect((await read()).retrying).toEqual([
      {
        ...{ channel: 'email', providerId: 'sendgrid', reason: 'HTTP 503', count: 1, people: 1 },
        ...{ nextAt: expect.any(String), sampleNotificationId: id },
      },
    ]);
  });

  it('counts apart what is held and what is tried again', async () => {
    await notify(['email'], []);
    await notify(['email'], []);
    await notify(['email'], [{ state: 'queued', then: 'wait', dueInMs: 60_000, error: { message: 'HTTP 503' } }]);
    const { body: hold } = await gateway.call('POST', '/v1/holds', { target: 'channel', id: 'chat' });
    await gateway.database.query(
      `UPDATE work SET hold_id = $1 WHERE id = (SELECT min(id::text)::uuid FROM work WHERE attempt = 0)`,
      [hold['_id']],
    );
    const overview = await read();
    expect(overview.series).toMatchObject([{ channel: 'email', accepted: 3, held: 1, retrying: 1 }]);
    expect(overview.totals).toMatchObject({ accepted: 3, inFlight: 3 });
    await gateway.call('DELETE', `/v1/holds/${String(hold['_id'])}`);
  });

  it('counts the steps of each workflow', async () => {
    await notify(['email', 'sms'], [failed, sent]);
    const { body } = await gateway.call<WorkflowStatisticsListDto>('GET', '/v2/workflows/statistics');
    expect(body.data).toEqual([
      {
        _id: workflow.id,
        workflowId: 'orders',
        accepted: 2,
        delivered: 1,
        failed: 1,
        skipped: 0,
        failures: 1,
        recovered: 0,
        lastTriggeredAt: null,
      },
    ]);
  });

  it('shows nothing of another environment', async () => {
    await notify(['email'], [failed]);
    const key = await gateway.secondKey();
    const get = <T>(path: string) => callGateway<T>(gateway.url, key, 'GET', path);
    expect((await get<OverviewDto>('/v1/overview')).body).toMatchObject({ totals: NOTHING, series: [] });
    expect((await get<ActivityGroupsDto>('/v1/overview/error-groups')).body.data).toEqual([]);
    expect((await get<WorkflowStatisticsListDto>('/v2/workflows/statistics')).body.data).toEqual([]);
    const { data } = (await get<IntegrationOverviewListDto>('/v1/overview/integrations')).body;
    expect(data.map(({ name }) => name)).not.toContain('Main');
  });
});
