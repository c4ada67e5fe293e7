import { type AuditDto, type AuditRangeDto, executionDetail, LIMITS, newId, stepIdOf } from '@clarion/contracts';
import {
  type BuiltNotification,
  type GivenStep,
  insertMessages,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type WorkflowRow,
} from '@clarion/testing';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const AT = (): Date => new Date(Date.now() - 120_000);
const IN_DOUBT = { message: executionDetail('sendingInterruptedHeld').detail };

describe('the reconciliation of the records', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  const subscriberId = newId();
  beforeAll(async () => {
    gateway = await startGateway();
    const steps = [{ type: 'email' as const }, { type: 'delay' as const }, { type: 'sms' as const }];
    const inactive = { type: 'push' as const, active: false };
    workflow = await insertWorkflow(gateway.database, {
      environmentId: gateway.environmentId,
      steps: [...steps.slice(0, 1), inactive, ...steps.slice(1)],
    });
  });
  afterAll(() => gateway.close());
  beforeEach(() =>
    gateway.database.query(
      'DELETE FROM work; DELETE FROM step; DELETE FROM notification; DELETE FROM trigger; DELETE FROM transaction; ' +
        'DELETE FROM message; DELETE FROM outcome_delta',
    ),
  );

  const notify = async (steps: GivenStep[], transactionId?: string): Promise<BuiltNotification> => {
    const { environmentId, database } = gateway;
    const given = { environmentId, subscriberId, workflowId: workflow.id, createdAt: AT(), transactionId };
    const [notification] = await insertNotifications(database, [given]);
    await insertSteps(database, notification!, steps);
    return notification!;
  };
  const count = (channel: string, figures: Record<string, number>) =>
    gateway.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, ${Object.keys(figures).join(', ')})
       VALUES ($1, $2, date_trunc('minute', now()) - interval '2 minutes', $3, ${Object.values(figures).join(', ')})`,
      [gateway.environmentId, workflow.id, channel],
    );
  const audit = async (query = '') => (await gateway.call<AuditRangeDto>('GET', `/v1/operations/audit${query}`)).body;
  const found = ({ checks }: AuditDto) =>
    Object.fromEntries(checks.filter((check) => check.count > 0).map(({ name, ids }) => [name, ids]));

  it('counts every channel step once and names the steps behind each figure', async () => {
    const delivered = await notify([{}, { type: 'delay' }, { type: 'sms', state: 'skipped' }]);
    const failed = await notify(
      [{ state: 'failed' }, { type: 'delay', state: 'canceled' }, { type: 'sms', state: 'canceled' }],
      'two',
    );
    const open = await notify([
      { state: 'queued' },
      { type: 'delay', state: 'pending' },
      { type: 'sms', state: 'pending' },
    ]);
    const doubtful = await notify([
      { state: 'failed', error: IN_DOUBT },
      { type: 'delay', state: 'queued' },
      { type: 'sms', state: 'pending' },
    ]);
    await count('email', { accepted: 4, delivered: 1, failed: 1, in_doubt: 1 });
    await count('sms', { accepted: 4, skipped: 2 });
    const report = await audit();
    expect(report.comparedBy).toBe('rows');
    expect(await audit('?rows=true')).toEqual(report);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    for (const query of [`?since=${ago(30)}`, `?until=${ago(600)}`, `?since=${ago(7200)}&until=${ago(600)}`]) {
      expect({ query, ...(await audit(query)) }).toMatchObject({ query, notifications: 0 });
    }
    expect(await audit(`?since=${ago(600)}`)).toMatchObject({ notifications: 4 });
    expect(found(report)).toEqual({});
    expect(report).toMatchObject({ reconciles: true, notifications: 4, events: { accepted: 4, open: 0 } });
    expect(report.channels.map(({ channel, totals }) => [channel, totals])).toEqual([
      ['email', { accepted: 4, delivered: 1, failed: 1, skipped: 0, inFlight: 1, inDoubt: 1 }],
      ['sms', { accepted: 4, delivered: 0, failed: 0, skipped: 2, inFlight: 2, inDoubt: 0 }],
    ]);
    const steps = Object.fromEntries(report.channels[0]!.steps.map(({ outcome, ids }) => [outcome, ids]));
    expect(steps).toEqual({
      delivered: [stepIdOf(delivered.id, 0)],
      failed: [stepIdOf(failed.id, 0)],
      in_flight: [stepIdOf(open.id, 0)],
      in_doubt: [stepIdOf(doubtful.id, 0)],
    });
    const one = (await gateway.call<AuditDto>('GET', '/v1/audit?transactionId=two')).body;
    expect(one).toMatchObject({ reconciles: true, notifications: 1, totals: { accepted: 2, failed: 1, skipped: 1 } });
  });

  it('compares a notification with the workflow of a trigger from before the range', async () => {
    const { environmentId, database } = gateway;
    const createdAt = new Date(Date.now() - 3 * 3600 * 1000);
    const [old] = await insertNotifications(database, [
      { environmentId, subscriberId, workflowId: workflow.id, createdAt },
    ]);
    const late = await notify([{}, { type: 'delay' }]);
    await database.query('UPDATE notification SET trigger_id = $2 WHERE id = $1', [late.id, old!.triggerId]);
    await database.query('DELETE FROM trigger WHERE id = $1', [late.triggerId]);
    expect(found(await audit())).toEqual({ 'missing-step': [late.id] });
  });

  const addNotifications = (howMany: number) => {
    const given = { environmentId: gateway.environmentId, subscriberId, workflowId: workflow.id, createdAt: AT() };
    return insertNotifications(gateway.database, Array<typeof given>(howMany).fill(given));
  };

  it('reads the rows of an hour with many notifications only if its rollups do not add up', async () => {
    const { id } = await notify([{}, { type: 'delay' }, { type: 'sms', state: 'queued' }]);
    await count('email', { accepted: 1, delivered: 1 });
    await count('sms', { accepted: 1 });
    // A row that the rollups do not show.
    await gateway.database.query(`DELETE FROM step WHERE notification_of(id) = $1 AND type = 'delay'`, [id]);
    expect(await audit()).toMatchObject({ reconciles: false, comparedBy: 'rows', notifications: 1 });
    await addNotifications(LIMITS.auditedRows);
    const many = { notifications: LIMITS.auditedRows + 1 };
    const counted = await audit();
    expect(counted).toMatchObject({ reconciles: true, comparedBy: 'rollups', ...many });
    const listed = counted.channels.map(({ totals, steps }) => [totals.accepted, steps.map(({ outcome }) => outcome)]);
    expect(listed).toEqual([
      [1, []],
      [1, ['in_flight']],
    ]);
    expect(await audit('?rows=true')).toMatchObject({ reconciles: false, comparedBy: 'rows', ...many });
    // The open work is gone, and no outcome was counted.
    await gateway.database.query('DELETE FROM work');
    expect(await audit()).toMatchObject({ reconciles: false, comparedBy: 'rows', ...many });
  });

  it('finds an event without an outcome', async () => {
    const { id, triggerId } = await notify([{}, { type: 'delay' }, { type: 'sms' }]);
    await gateway.database.query('UPDATE trigger SET recipients = $2 WHERE id = $1', [
      triggerId,
      JSON.stringify([{ subscriberId: 'ada' }]),
    ]);
    await gateway.database.query('DELETE FROM step WHERE notification_of(id) = $1', [id]);
    await gateway.database.query('DELETE FROM notification WHERE id = $1', [id]);
    expect(found(await audit())).toEqual({ 'trigger-without-outcome': [triggerId] });
  });

  it('says when the overview counted something else', async () => {
    await notify([{}, { type: 'delay' }, { type: 'sms' }]);
    await count('email', { accepted: 1, delivered: 1 });
    await count('sms', { accepted: 1 });
    const report = await audit();
    expect(report.reconciles).toBe(false);
    expect(report.channels.map(({ channel, agreesWithOverview }) => [channel, agreesWithOverview])).toEqual([
      ['email', true],
      ['sms', false],
    ]);
  });

  it('finds every kind of row that cannot be', async () => {
    const { database, environmentId } = gateway;
    const complete: GivenStep[] = [{}, { type: 'delay' }, { type: 'sms' }];
    const missing = await notify([{}, { type: 'delay' }], 'missing');
    const other = await notify([{}, { type: 'delay' }, { type: 'push' }]);
    const orphan = await notify(complete);
    await database.query('DELETE FROM notification WHERE id = $1', [orphan.id]);
    const cause = await notify(complete);
    await database.query('DELETE FROM trigger WHERE id = $1', [cause.triggerId]);
    const silent = await notify(complete);
    await database.query('UPDATE trigger SET recipients = $2 WHERE id = $1', [
      silent.triggerId,
      JSON.stringify([{ subscriberId: 'ada' }]),
    ]);
    await database.query('DELETE FROM step WHERE notification_of(id) = $1', [silent.id]);
    await database.query('DELETE FROM notification WHERE id = $1', [silent.id]);
    const lost = await notify(complete);
    await database.query(`INSERT INTO work (id, environment_id, trigger_id, type) VALUES ($1, $2, $1, 'trigger')`, [
      newIdNear(lost.id),
      environmentId,
    ]);
    const twice = await notify(complete);
    const message = { environmentId, subscriberId, channel: 'email' as const, createdAt: AT(), transactionId: 'm' };
    await insertMessages(database, [
      { ...message, id: stepIdOf(twice.id, 0), stepId: stepIdOf(twice.id, 0) },
      { ...message, id: newIdNear(twice.id), stepId: stepIdOf(twice.id, 0) },
      { ...message, id: newIdNear(lost.id), stepId: stepIdOf(newIdNear(lost.id), 0) },
    ]);
    const report = await audit();
    expect(report.reconciles).toBe(false);
    expect(Object.keys(found(report)).sort()).toEqual([
      'message-without-step',
      'missing-step',
      'notification-without-trigger',
      'open-trigger-without-history',
      'several-messages',
      'step-without-notification',
      'trigger-without-outcome',
      'unexpected-step',
    ]);
    expect(found(report)).toMatchObject({
      'missing-step': [missing.id],
      'unexpected-step': expect.arrayContaining([stepIdOf(other.id, 2)]),
      'notification-without-trigger': [cause.id],
      'trigger-without-outcome': [silent.triggerId],
      'several-messages': [stepIdOf(twice.id, 0)],
    });
    const one = (await gateway.call<AuditDto>('GET', '/v1/audit?transactionId=missing')).body;
    expect(found(one)).toEqual({ 'missing-step': [missing.id] });
    expect(one.channels).toMatchObject([
      { channel: 'email', difference: 0 },
      { channel: 'sms', difference: 1 },
    ]);
  });

  it('is limited to the organization of an admin key, and to the environment for one transaction', async () => {
    await notify([{}, { type: 'delay' }, { type: 'sms' }], 'ours');
    const { key } = await gateway.admin.createOrganization('Other', { name: 'Theirs', type: 'dev' });
    const theirs = { authorization: `ApiKey ${key}` };
    const foreign = await gateway.call<AuditRangeDto>('GET', '/v1/operations/audit', undefined, theirs);
    expect(foreign.body).toMatchObject({ reconciles: true, notifications: 0 });
    const named = `/v1/operations/audit?environmentId=${gateway.environmentId}`;
    expect((await gateway.call('GET', named, undefined, theirs)).status).toBe(404);
    expect((await gateway.call('GET', '/v1/audit?transactionId=ours', undefined, theirs)).status).toBe(404);
    const full = { authorization: `ApiKey ${await gateway.secondKey()}` };
    expect((await gateway.call('GET', '/v1/operations/audit', undefined, full)).status).toBe(403);
    for (const [query, field] of [
      ['since=2026-01-01T00:00:00Z', 'since'],
      ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
      ['until=soon', 'until'],
    ]) {
      expectFieldErrors(await gateway.call('GET', `/v1/operations/audit?${query}`), [field!]);
    }
  });
});

/** Another id of the same millisecond. */
const newIdNear = (id: string) => `${id.slice(0, 14)}${newId().slice(14, -2)}00` as BuiltNotification['id'];
