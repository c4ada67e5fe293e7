import {
  type EnvironmentId,
  type ErrorListDto,
  newId,
  type OperationsExplanationDto,
  type OperationsLookupDto,
  type StuckListDto,
  type SubscriberRowId,
  type TailLineDto,
  type UsageListDto,
  TENANT_LIMITS,
} from '@clarion/contracts';
import {
  type BuiltNotification,
  type BuiltStep,
  type GivenStep,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type WorkflowRow,
} from '@clarion/testing';
import {
  callGateway,
  createInAppWorkflow,
  expectFieldErrors,
  OPERATOR_KEY,
  startOwnGateway,
  type TestGateway,
} from './harness';

const AGO = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

describe('/v1/operations', () => {
  let gateway: TestGateway;
  let staging: EnvironmentId;
  let foreign: EnvironmentId;
  let foreignKey: string;
  const workflows = new Map<EnvironmentId, WorkflowRow>();
  const subscriberId = newId<SubscriberRowId>();

  beforeAll(async () => {
    gateway = await startOwnGateway();
    const { organizationId, environmentId, admin, database } = gateway;
    staging = (await admin.createEnvironment(organizationId, { name: 'Staging' })).environment.id;
    const other = await admin.createOrganization('Other', { name: 'Theirs', type: 'dev' });
    [foreign, foreignKey] = [other.environment.id, other.key];
    for (const id of [environmentId, staging, foreign]) {
      workflows.set(id, await insertWorkflow(database, { environmentId: id, workflowId: `welcome-${id}` }));
      await database.query('DELETE FROM integration WHERE environment_id = $1', [id]);
    }
    await database.query(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, 'ada')`, [
      subscriberId,
      staging,
    ]);
  });
  afterAll(() => gateway.close());

  type Made = { notification: BuiltNotification; steps: BuiltStep[] };
  async function notify(environmentId: EnvironmentId, ...steps: GivenStep[]): Promise<Made> {
    const workflowId = workflows.get(environmentId)!.id;
    const [notification] = await insertNotifications(gateway.database, [{ environmentId, subscriberId, workflowId }]);
    const made = await insertSteps(gateway.database, notification!, steps);
    await gateway.database.query('UPDATE work SET workflow_id = $2 WHERE notification_id = $1', [
      notification!.id,
      workflowId,
    ]);
    await gateway.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted, failed)
       VALUES ($1, $2, date_trunc('minute', now()), 'email', $3, $4)`,
      [environmentId, workflowId, steps.length, steps.filter(({ state }) => state === 'failed').length],
    );
    return { notification: notification!, steps: made };
  }
  const get = async <T>(path: string, key = gateway.key) => {
    const { status, body } = await callGateway<T>(gateway.url, key, 'GET', `/v1/operations/${path}`);
    expect({ path, status, body: status === 200 ? '' : body }).toEqual({ path, status: 200, body: '' });
    return body;
  };

  const failed: GivenStep = {
    type: 'email',
    state: 'failed',
    providerId: 'sendgrid',
    error: { message: 'Mailbox is full' },
    details: [{ d: 'Unexpected provider error', r: '{"kind":"recipient","message":"Mailbox is full"}' }],
  };

  it('answers for all environments of the organization, and for no other', async () => {
    const waiting = await notify(staging, { state: 'queued', type: 'sms', dueAt: AGO(300) });
    const bounced = await notify(gateway.environmentId, failed, { type: 'in_app' });
    await notify(staging, failed);
    await notify(foreign, failed);
    await notify(foreign, { state: 'queued', type: 'sms', dueAt: AGO(900) });
    const limited = await notify(staging, { state: 'queued', dueAt: new Date(), waitingSince: AGO(60) });
    await gateway.database.query(`UPDATE work SET progress = '{"limit": {"limit": "rate_limit"}}' WHERE id = $1`, [
      limited.steps[0]!.id,
    ]);
    const stopped = await notify(staging, { state: 'queued', dueAt: AGO(-3_600) });
    const awaited = newId();
    await gateway.database.query('UPDATE work SET waits_for = $2 WHERE id = $1', [stopped.steps[0]!.id, awaited]);

    const { data: used } = await get<UsageListDto>('top');
    expect(used.map(({ environment }) => environment).sort()).toEqual(['Development', 'Staging']);
    expect(used.find(({ environment }) => environment === 'Staging')).toMatchObject({
      share: 4 / 6,
      failed5m: 1,
      due: 1,
      waiting: 2,
      delayed: 0,
      oldestDueSeconds: expect.closeTo(300, -1) as number,
    });
    const { data: byIntegration } = await get<UsageListDto>('top?by=integration');
    expect(byIntegration).toMatchObject([{ id: awaited, environment: 'Staging', waiting: 1 }]);
    const { data: byWorkflow } = await get<UsageListDto>(`top?by=workflow&environmentId=${staging}`);
    expect(byWorkflow).toMatchObject([{ name: `welcome-${staging}`, environment: 'Staging', share: 1 }]);

    const stuck = await get<StuckListDto>('stuck?olderThan=120');
    expect(stuck).toMatchObject({ total: 1, counts: [{ reason: 'no_integration', count: 1 }] });
    expect(stuck.data).toMatchObject([
      {
        reason: 'no_integration',
        environment: 'Staging',
        type: 'sms',
        _id: waiting.steps[0]!.id,
        notificationId: waiting.notification.id,
        transactionId: waiting.notification.transactionId,
        workflowId: `welcome-${staging}`,
        subscriberId: 'ada',
        waitsFor: 'an active integration of the channel sms',
        advice: 'activate or create an integration of the channel sms in "Staging"',
      },
    ]);
    await gateway.database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active)
       VALUES ($1, $2, 'sms', 'sms', 'twilio', 'sms', true)`,
      [newId(), staging],
    );
    // Which processes run is a matter of the installation.
    expect(await get<StuckListDto>('stuck?olderThan=120')).toMatchObject({
      data: [{ reason: 'not_offered', advice: expect.stringContaining('its fair share') }],
      roles: [],
    });
    const everywhere = await get<StuckListDto>('stuck?olderThan=120', OPERATOR_KEY);
    expect(everywhere.roles).toEqual([{ role: 'test', connections: expect.any(Number) }]);
    expect(everywhere.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ environment: 'Theirs', reason: 'no_integration' }),
        expect.objectContaining({ advice: 'start an engine: none is connected to Postgres' }),
      ]),
    );
    expect((await get<UsageListDto>('top', OPERATOR_KEY)).data.map(({ environment }) => environment)).toContain(
      'Theirs',
    );
    expect((await get<StuckListDto>('stuck?olderThan=1000')).data).toEqual([]);
    await gateway.database.query(
      `UPDATE work SET waiting_since = due_at, due_at = now() + interval '1 hour' WHERE id = $1`,
      [waiting.steps[0]!.id],
    );
    expect((await get<StuckListDto>('stuck?olderThan=120', OPERATOR_KEY)).data).toContainEqual(
      expect.objectContaining({
        reason: 'not_offered',
        waitsFor: expect.stringMatching(/^a place in a worker-sms: .*; next try at \d{4}-/) as string,
        advice: expect.stringMatching(/^wait; /) as string,
      }),
    );

    const errors = await get<ErrorListDto>('errors');
    expect(errors.data).toHaveLength(2);
    expect(errors.data).toContainEqual(
      expect.objectContaining({
        environment: 'Development',
        providerId: 'sendgrid',
        code: 'recipient',
        reason: 'Mailbox is full',
        count: 1,
        people: 1,
        reachedOtherwise: 1,
        sampleNotificationId: bounced.notification.id,
      }),
    );

    for (const id of [bounced.notification.id, bounced.steps[0]!.id, bounced.notification.triggerId]) {
      const { data } = await get<OperationsLookupDto>(`lookup?id=${id}`);
      expect(data).toMatchObject([
        { environment: 'Development', notification: { _id: bounced.notification.id, outcome: 'failed' } },
      ]);
      expect((await get<OperationsLookupDto>(`lookup?id=${id}`, foreignKey)).data).toEqual([]);
      expect((await get<OperationsLookupDto>(`lookup?id=${id}&environmentId=${staging}`)).data).toEqual([]);
    }
    expect((await get<OperationsLookupDto>('lookup?id=ada')).data).toMatchObject([
      { kind: 'subscriber', environment: 'Staging', notification: null },
    ]);
  });

  it('says what is tried again, what one message waits for, and what failed late', async () => {
    const error = { message: 'HTTP 503' };
    const tried = await notify(staging, {
      state: 'queued',
      type: 'sms',
      attempt: 2,
      dueAt: AGO(-60),
      providerId: 'twilio',
      error,
    });
    const { retrying } = await get<ErrorListDto>(`errors?environmentId=${staging}`);
    expect(retrying).toMatchObject([
      {
        environment: 'Staging',
        channel: 'sms',
        providerId: 'twilio',
        reason: 'HTTP 503',
        count: 1,
        sampleNotificationId: tried.notification.id,
      },
    ]);
    const { data } = await get<OperationsLookupDto>(`lookup?id=${tried.notification.transactionId}`);
    expect(data).toMatchObject([
      {
        hasMore: false,
        notification: { outcome: 'in_flight' },
        waiting: [{ reason: 'retry', waitsFor: expect.stringContaining('twilio said: HTTP 503') as string }],
      },
    ]);
    const before = await get<ErrorListDto>(`errors?environmentId=${staging}`);
    await gateway.database.query(`UPDATE step SET ended_at = now() - interval '2 hours' WHERE environment_id = $1`, [
      staging,
    ]);
    const after = await get<ErrorListDto>(`errors?environmentId=${staging}`);
    expect([before.data.length, after.data.length]).toEqual([1, 0]);
    const since = AGO(3 * 3600).toISOString();
    expect((await get<ErrorListDto>(`errors?environmentId=${staging}&since=${since}`)).data).toHaveLength(1);
  });

  it('explains every rule in each environment that has the subscriber and the workflow', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'grace' });
    await createInAppWorkflow(gateway, 'explained');
    const asked = 'explain?subscriberId=grace&workflowId=explained';
    expect((await get<OperationsExplanationDto>(asked)).data).toMatchObject([
      // No channel has an integration here.
      { environment: 'Development', subscriberId: 'grace', outcome: 'would_not_send', steps: [{ type: 'in_app' }] },
    ]);
    for (const path of [`${asked}&environmentId=${staging}`, 'explain?subscriberId=none&workflowId=explained']) {
      expect((await gateway.call('GET', `/v1/operations/${path}`)).status).toBe(404);
    }
    expect((await callGateway(gateway.url, foreignKey, 'GET', `/v1/operations/${asked}`)).status).toBe(404);
  });

  it('follows the activity of all environments until the caller disconnects', async () => {
    const old = await notify(staging, { state: 'queued', type: 'sms', dueAt: AGO(-60) });
    const ending = new AbortController();
    const response = await fetch(`${gateway.url}/v1/operations/tail?status=failed&channel=email`, {
      headers: { authorization: `ApiKey ${gateway.key}` },
      signal: ending.signal,
    });
    const everything = await fetch(`${gateway.url}/v1/operations/tail?environmentId=${staging}`, {
      headers: { authorization: `ApiKey ${gateway.key}` },
      signal: ending.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const made = await notify(staging, failed);
    await notify(foreign, failed);
    await gateway.database.query('DELETE FROM work WHERE id = $1', [old.steps[0]!.id]);
    await insertSteps(gateway.database, old.notification, [{ type: 'sms', state: 'completed' }]);
    expect(await linesOf(response, 1)).toMatchObject([
      { environment: 'Staging', change: 'new', notification: { _id: made.notification.id, outcome: 'failed' } },
    ]);
    const lines = await linesOf(everything, 2);
    const changes = lines.map(({ change, notification: { _id, outcome } }) => ({ change, _id, outcome }));
    expect(changes).toContainEqual({ change: 'new', _id: made.notification.id, outcome: 'failed' });
    expect(changes).toContainEqual({ change: 'changed', _id: old.notification.id, outcome: 'delivered' });
    const another = async (key: string) => {
      const headers = { authorization: `ApiKey ${key}` };
      return (await fetch(`${gateway.url}/v1/operations/tail`, { headers, signal: ending.signal })).status;
    };
    const past = await fetch(
      `${gateway.url}/v1/operations/tail?environmentId=${staging}&after=${AGO(600).toISOString()}`,
      { headers: { authorization: `ApiKey ${gateway.key}` }, signal: ending.signal },
    );
    const ids = (await linesOf(past, 2)).map(({ notification }) => notification._id);
    expect(ids).toEqual(expect.arrayContaining([made.notification.id, old.notification.id]));
    const { organization: most } = TENANT_LIMITS.tails();
    for (let open = 3; open < most; open += 1) expect(await another(gateway.key)).toBe(200);
    expect([await another(gateway.key), await another(foreignKey)]).toEqual([429, 200]);
    ending.abort();
  });

  it('refuses other scopes, other environments and wrong values', async () => {
    const { key: full } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Third' });
    for (const path of ['top', 'stuck', 'errors', 'lookup?id=x', 'explain?subscriberId=x&workflowId=x', 'tail']) {
      const call = (key: string, more = '') => callGateway(gateway.url, key, 'GET', `/v1/operations/${path}${more}`);
      expect({ path, status: (await call(full)).status }).toEqual({ path, status: 403 });
      const elsewhere = `${path.includes('?') ? '&' : '?'}environmentId=${foreign}`;
      expect({ path, status: (await call(gateway.key, elsewhere)).status }).toEqual({ path, status: 404 });
    }
    for (const [path, field] of [
      ['top?by=color', 'by'],
      ['top?limit=0', 'limit'],
      ['stuck?olderThan=soon', 'olderThan'],
      ['errors?since=yesterday', 'since'],
      ['tail?status=lost', 'status'],
      ['stuck?environmentId=x', 'environmentId'],
      ['explain?subscriberId=x', 'workflowId'],
      ['explain?subscriberId=x&workflowId=y&at=soon', 'at'],
    ]) {
      expectFieldErrors(await gateway.call('GET', `/v1/operations/${path}`), [field!]);
    }
  });
});

/** The first events of a stream. */
async function linesOf(response: Response, count: number): Promise<TailLineDto[]> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as TailLineDto);
    if (found.length >= count) return found;
    const { value, done } = await reader.read();
    if (done) return found;
    text += value;
  }
}
