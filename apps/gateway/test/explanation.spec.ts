import { type ExplanationDto, type IntegrationDto, newId } from '@clarion/contracts';
import type { Environment } from '@clarion/persistence';
import { insertNotifications, insertSteps } from '@clarion/testing';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('the explanation of a workflow for one subscriber', () => {
  let gateway: TestGateway;
  let readKey: string;

  const must = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await gateway.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const workflow = (workflowId: string, steps: object[], more: object = {}) =>
    must('POST', '/v2/workflows', {
      name: workflowId,
      workflowId,
      active: true,
      steps: steps.map((step, index) => ({ name: `s${index}`, stepId: `s${index}`, ...step })),
      ...more,
    });
  const email = (more: object = {}) => ({ type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' }, ...more });
  const explain = async (question: object, subscriberId = 'ada'): Promise<ExplanationDto> => {
    const path = `/v1/subscribers/${encodeURIComponent(subscriberId)}/explain`;
    const { status, body } = await callGateway<ExplanationDto>(gateway.url, readKey, 'POST', path, question);
    expect(status).toBe(200);
    return body;
  };
  const lines = ({ steps }: ExplanationDto) =>
    steps.map(({ rules = [] }) => rules.map(({ rule, passed }) => `${rule} ${passed ? 'passed' : 'stopped'}`));
  const ruleOf = ({ steps }: ExplanationDto, name: string, step = 0) =>
    steps[step]!.rules!.find(({ rule }) => rule === name)!;

  beforeAll(async () => {
    gateway = await startGateway();
    const [environment] = await gateway.database.rows<Environment>('SELECT * FROM environment WHERE id = $1', [
      gateway.environmentId,
    ]);
    readKey = (await gateway.admin.createKey(environment!, { scope: 'read' })).key;
    await must('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      credentials: { apiKey: 'k', from: 'a@b.test', senderName: 'S' },
      identifier: 'mail-1',
      name: 'Mail',
      active: true,
    });
    await must('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@x.test', timezone: 'Europe/Berlin' });
    await workflow('plain', [email()]);
  });
  afterAll(() => gateway.close());

  it('shows every rule with its values in the order of evaluation, to a key of the scope read', async () => {
    const answer = await explain({ workflowId: 'plain' });
    expect(answer).toMatchObject({ subscriberId: 'ada', workflowId: 'plain', outcome: 'would_send' });
    expect(answer.rules.map(({ rule, passed }) => [rule, passed])).toEqual([
      ['workflow', true],
      ['payload', true],
    ]);
    expect(lines(answer)).toEqual([
      [
        'conditions passed',
        'preferences passed',
        'schedule passed',
        'integration passed',
        'content passed',
        'address passed',
        'suppression passed',
        'provider passed',
      ],
    ]);
    expect(ruleOf(answer, 'integration').values).toEqual({
      integrations: [{ identifier: 'mail-1', providerId: 'sendgrid', name: 'Mail' }],
    });
    expect(ruleOf(answer, 'address').values).toEqual({ email: 'ada@x.test', to: ['ada@x.test'] });
    expect(ruleOf(answer, 'preferences')).toMatchObject({
      detail: 'No preference is set, so the channel is on.',
      values: { channel: 'email', decidedBy: 'default' },
    });
    expect(answer).not.toHaveProperty('sent');
  });

  it('names the rate limit of an integration and the limits of the environment', async () => {
    const { _id } = await must('POST', '/v1/integrations', {
      providerId: 'sendgrid',
      channel: 'email',
      credentials: { apiKey: 'k', from: 'a@b.test', senderName: 'S' },
      configurations: { rateLimit: 5 },
      identifier: 'slow-1',
      name: 'Slow',
      active: true,
    });
    await must('POST', `/v1/integrations/${String(_id)}/set-primary`);
    expect(ruleOf(await explain({ workflowId: 'plain' }), 'provider')).toMatchObject({
      passed: true,
      detail: 'An integration accepts messages at this time, at most 5 a second: more of them wait.',
      values: { integrations: [{ identifier: 'slow-1', rateLimit: 5 }, { identifier: 'mail-1' }] },
    });
    await must('DELETE', `/v1/integrations/${String(_id)}`);

    await must('PUT', '/v1/operations/limits', { messagesPerDay: 1 });
    const within = await explain({ workflowId: 'plain' });
    expect(within.outcome).toBe('would_send');
    expect(within.rules[1]).toMatchObject({ rule: 'limits', passed: true, values: { messagesPerDay: 1 } });
    await gateway.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted)
       VALUES ($1, $2, date_trunc('minute', now()), 'email', 1)`,
      [gateway.environmentId, newId()],
    );
    const refused = await explain({ workflowId: 'plain' });
    expect(refused).toMatchObject({ outcome: 'would_not_send', steps: [] });
    expect(refused.rules[1]).toMatchObject({
      rule: 'limits',
      passed: false,
      detail: expect.stringMatching(
        /^The limit of 1 messages a day is used up: events are refused until .*T00:00:00.000Z\.$/,
      ) as string,
    });
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
    expect((await explain({ workflowId: 'plain', at: tomorrow })).outcome).toBe('would_send');
    await must('PUT', '/v1/operations/limits', { messagesPerDay: null });
  });

  it('ends at the rule that stops the step', async () => {
    const filters = [
      {
        isNegated: false,
        type: 'GROUP',
        value: 'AND',
        children: [{ on: 'payload', field: 'plan', value: 'pro', operator: 'EQUAL' }],
      },
    ];
    await workflow('conditional', [email({ filters })]);
    const stopped = await explain({ workflowId: 'conditional', payload: { plan: 'free' } });
    expect(stopped.outcome).toBe('would_not_send');
    expect(lines(stopped)).toEqual([['conditions stopped']]);
    expect(ruleOf(stopped, 'conditions')).toMatchObject({
      detail: stopped.steps[0]!.why,
      values: { conditions: [{ field: 'plan', expected: 'pro', actual: 'free', passed: false }] },
    });
    expect((await explain({ workflowId: 'conditional', payload: { plan: 'pro' } })).outcome).toBe('would_send');

    await must('POST', '/v2/subscribers', { subscriberId: 'off', email: 'off@x.test' });
    await must('PATCH', '/v2/subscribers/off/preferences', { workflowId: 'plain', channels: { email: false } });
    const off = await explain({ workflowId: 'plain' }, 'off');
    expect(lines(off)).toEqual([['conditions passed', 'preferences stopped']]);
    expect(ruleOf(off, 'preferences').values).toEqual({ channel: 'email', decidedBy: 'subscriber_workflow' });

    await must('POST', '/v2/subscribers', { subscriberId: 'nowhere' });
    expect(lines(await explain({ workflowId: 'plain' }, 'nowhere'))[0]!.at(-1)).toBe('address stopped');

    await must('POST', '/v2/subscribers', { subscriberId: 'bounced', email: 'bounced@x.test' });
    await must('POST', '/v1/suppressions', { channel: 'email', address: 'bounced@x.test' });
    const bounced = await explain({ workflowId: 'plain' }, 'bounced');
    expect(lines(bounced)[0]!.slice(-2)).toEqual(['address passed', 'suppression stopped']);
    expect(ruleOf(bounced, 'suppression').values).toMatchObject({
      recipients: [{ address: 'bounced@x.test', reason: 'manual' }],
    });
  });

  it('evaluates run rules, delays and the steps behind them', async () => {
    await workflow('chain', [
      { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      { type: 'sms', controlValues: { body: 'B', runIf: { '==': [{ var: 'payload.text' }, true] } } },
      email({ controlValues: { subject: 'S', body: 'B', layoutId: 'missing' }, shouldStopOnFail: true }),
      email(),
    ]);
    const answer = await explain({ workflowId: 'chain', payload: { text: false } });
    expect(lines(answer)).toEqual([
      ['conditions passed', 'schedule passed', 'timing passed'],
      ['conditions passed', 'runIf stopped'],
      ['conditions passed', 'preferences passed', 'schedule passed', 'integration passed', 'content stopped'],
      ['previous_steps stopped'],
    ]);
    expect(ruleOf(answer, 'runIf', 1).values).toMatchObject({ variables: { 'payload.text': false } });
    expect(answer.outcome).toBe('would_not_send');
  });

  it('evaluates the schedule at the given time, and lists what was really sent in that hour', async () => {
    const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
    await must('POST', '/v2/subscribers', { subscriberId: 'quiet', email: 'quiet@x.test', timezone: 'UTC' });
    await must('PATCH', '/v2/subscribers/quiet/preferences', {
      schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours } } },
    });
    const night = await explain({ workflowId: 'plain', at: '2030-01-07T03:12:00Z' }, 'quiet');
    expect(lines(night)[0]!.at(-1)).toBe('schedule stopped');
    expect(ruleOf(night, 'schedule').values).toMatchObject({ at: '2030-01-07T03:12:00.000Z', timezone: 'UTC' });
    const noon = await explain({ workflowId: 'plain', at: '2030-01-07T12:00:00+00:00' }, 'quiet');
    expect(noon).toMatchObject({ at: '2030-01-07T12:00:00.000Z', outcome: 'would_send' });
    expect(noon).not.toHaveProperty('sent');

    const past = new Date(Date.now() - 60_000);
    const { data } = (await must('GET', '/v2/subscribers?subscriberId=ada')) as { data: { _id: string }[] };
    const { _id: workflowId } = await must('GET', '/v2/workflows/plain');
    const [notification] = await insertNotifications(gateway.database, [
      {
        environmentId: gateway.environmentId,
        subscriberId: data[0]!._id,
        workflowId: String(workflowId),
        createdAt: past,
      },
    ]);
    const details = [{ d: 'Step queued' }, { d: 'Message sent' }];
    await insertSteps(gateway.database, notification!, [{ stepKey: 's0', details }]);
    const { sent } = await explain({ workflowId: 'plain', at: past.toISOString() });
    expect(sent).toMatchObject({
      notifications: [
        {
          _id: notification!.id,
          steps: [{ stepId: 's0', type: 'email', status: 'completed', reason: 'Message sent' }],
        },
      ],
      hasMore: false,
    });
    const longAgo = await explain({ workflowId: 'plain', at: '2020-01-06T12:00:00Z' }, 'quiet');
    expect(longAgo.sent).toEqual({
      after: '2020-01-06T11:30:00.000Z',
      before: '2020-01-06T12:30:00.000Z',
      notifications: [],
      hasMore: false,
    });
  });

  it('stops before the steps when the trigger would be refused', async () => {
    await workflow('off', [email()], { active: false });
    expect(await explain({ workflowId: 'off' })).toMatchObject({
      outcome: 'would_not_send',
      rules: [{ rule: 'workflow', passed: false, detail: 'The workflow is not active.' }],
      steps: [],
    });
    await workflow('strict', [email()], {
      validatePayload: true,
      payloadSchema: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
    });
    const refused = await explain({ workflowId: 'strict', payload: { count: 'x' } });
    expect(refused).toMatchObject({ outcome: 'would_not_send', steps: [] });
    expect(refused.rules[1]).toMatchObject({ rule: 'payload', passed: false, values: { validated: true } });
    expect((await explain({ workflowId: 'strict', payload: { count: 1 } })).outcome).toBe('would_send');
  });

  it('stores nothing', async () => {
    const stored = () =>
      gateway.database.query(
        `SELECT (SELECT count(*) FROM work) AS work, (SELECT count(*) FROM trigger) AS triggers,
                (SELECT max(updated_at) FROM subscriber) AS changed`,
      );
    const before = await stored();
    await explain({ workflowId: 'plain' });
    expect(await stored()).toEqual(before);
  });

  it('answers an unknown subscriber or workflow with 404, and invalid fields with 422', async () => {
    const ask = (subscriberId: string, body: object, key = readKey) =>
      callGateway<Record<string, unknown>>(gateway.url, key, 'POST', `/v1/subscribers/${subscriberId}/explain`, body);
    expect((await ask('missing', { workflowId: 'plain' })).status).toBe(404);
    expect((await ask('ada', { workflowId: 'missing' })).status).toBe(404);
    expectFieldErrors(await ask('ada', {}), ['workflowId']);
    expectFieldErrors(await ask('ada', { workflowId: 'plain', at: 'yesterday' }), ['at']);
    expectFieldErrors(await ask('ada', { workflowId: 'plain', payload: [] }), ['payload']);
    expect((await ask('ada', { workflowId: 'plain' }, await gateway.secondKey())).status).toBe(404);
  });

  it('lists every blocker during a hold, and says that what is stopped by others is not sent later', async () => {
    await must('POST', '/v2/subscribers', { subscriberId: 'blocked', email: 'blocked@example.com' });
    await must('POST', '/v2/subscribers', { subscriberId: 'silent' });
    await must('POST', '/v1/suppressions', { channel: 'email', address: 'blocked@example.com' });
    await must('PATCH', '/v2/subscribers/blocked/preferences', { channels: { email: false } });
    const { _id } = await must('POST', '/v1/holds', { target: 'channel', id: 'email', reason: 'an incident' });
    const blockersOf = async (subscriberId: string) => {
      const path = `/v1/subscribers/${subscriberId}/explain`;
      const { body } = await gateway.call<ExplanationDto>('POST', path, { workflowId: 'plain' });
      return [body.outcome, ...body.blockers.map(({ rule, reason }) => `${rule}: ${reason.slice(0, 23)}`)];
    };
    expect(await blockersOf('blocked')).toEqual([
      'would_not_send',
      'hold: Step held: channel "ema',
      expect.stringMatching(/^preferences: /),
      'suppression: Recipient is suppressed',
    ]);
    expect(await blockersOf('silent')).toEqual([
      'would_not_send',
      'hold: Step held: channel "ema',
      expect.stringMatching(/^address: Subscriber missing/),
    ]);
    expect((await blockersOf('ada')).slice(0, 1)).toEqual(['would_wait']);
    const { body } = await gateway.call<ExplanationDto>('POST', '/v1/subscribers/ada/explain', { workflowId: 'plain' });
    expect(body.blockers[0]).toMatchObject({ action: `Resume the hold: DELETE /v1/holds/${String(_id)}.` });
    await must('DELETE', `/v1/holds/${String(_id)}`);
    expect(await blockersOf('ada')).toEqual(['would_send']);
  });

  it.each(['environment', 'workflow', 'channel', 'integration'])('tells that the %s is on hold', async (target) => {
    const integrations = (await gateway.call<IntegrationDto[]>('GET', '/v1/integrations')).body;
    const id = {
      environment: gateway.environmentId,
      workflow: 'plain',
      channel: 'email',
      integration: integrations.find(({ name }) => name === 'Mail')!._id,
    }[target];
    const { _id } = await must('POST', '/v1/holds', { target, id, reason: 'an incident' });
    const held = await explain({ workflowId: 'plain' });
    expect(held.outcome).toBe('would_wait');
    expect(held.steps[0]).toMatchObject({ outcome: 'would_wait' });
    expect(ruleOf(held, 'hold')).toMatchObject({
      passed: false,
      detail: expect.stringMatching(/^Step held: .+ was paused by ".+" at .+Z: an incident$/),
      values: { holdId: _id, target, reason: 'an incident' },
    });
    await must('DELETE', `/v1/holds/${String(_id)}`);
    expect((await explain({ workflowId: 'plain' })).outcome).toBe('would_send');
  });
});
