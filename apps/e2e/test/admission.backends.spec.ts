import { allEnded, type Clarion, historyOf, startClarion, type StepInput } from './harness';

const IN_APP = (body: string, more: object = {}): StepInput => ({ type: 'in_app', controlValues: { body }, ...more });
const SENT = ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'];
const EMAIL: StepInput = { type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } };
const rule = (on: string, field: string, operator: string, value: string) => ({ on, field, operator, value });
const group = (isNegated: boolean, ...children: object[]) => ({ isNegated, type: 'GROUP', value: 'AND', children });

describe('admission of steps', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app', 'email', 'sms'] });
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  const contents = async (transactionId: string) =>
    (await clarion.messages(transactionId)).map(({ content }) => content);

  describe('step conditions', () => {
    const skipped = ['in_app canceled', 'Pending: Step queued', 'Failed: Step was skipped based on steps conditions'];

    it('runs a step only when one of its filter groups holds, negated ones included', async () => {
      await clarion.workflow('filtered', [
        IN_APP('plain', { filters: [group(false, rule('payload', 'amount', 'LARGER', '100'))] }),
        IN_APP('negated', { filters: [group(true, rule('payload', 'amount', 'LARGER', '100'))] }),
        IN_APP('either', {
          filters: [
            group(false, rule('payload', 'amount', 'EQUAL', '1')),
            group(false, rule('subscriber', 'firstName', 'LIKE', 'A%')),
          ],
        }),
      ]);
      const large = await clarion.run(
        'filtered',
        { subscriberId: 'ann', firstName: 'Ann' },
        { payload: { amount: 101 } },
      );
      expect(historyOf(large)).toEqual([SENT, skipped, SENT]);
      expect(large.jobs![1]!.executionDetails[1]!.raw).toContain('amount');
      const small = await clarion.run(
        'filtered',
        { subscriberId: 'bob', firstName: 'Bob' },
        { payload: { amount: 2 } },
      );
      expect(historyOf(small)).toEqual([skipped, SENT, skipped]);
    });

    it('fails a step whose condition cannot be evaluated', async () => {
      await clarion.workflow('filter-broken', [
        IN_APP('x', { filters: [group(false, rule('payload', 'a', 'EQUAL', '{{payload.b'))] }),
      ]);
      const notification = await clarion.run('filter-broken', 'ann', { payload: { a: 'x' } });
      expect(historyOf(notification)).toEqual([
        ['in_app failed', 'Pending: Step queued', 'Failed: Processing step filter failed'],
      ]);
    });

    it('runs a step only when its skip or runIf rule is true', async () => {
      for (const name of ['skip', 'runIf']) {
        const rule = { '>': [{ var: 'payload.n' }, 1] };
        await clarion.workflow(`ruled-by-${name}`, [
          { type: 'in_app', controlValues: { body: 'x', [name]: rule } },
          IN_APP('next'),
        ]);
        expect(historyOf(await clarion.run(`ruled-by-${name}`, 'ann', { payload: { n: 2 } }))).toEqual([SENT, SENT]);
        const skipped = await clarion.run(`ruled-by-${name}`, 'ann', { payload: { n: 1 } });
        expect(historyOf(skipped)).toEqual([
          ['in_app skipped', 'Pending: Step queued', `Success: Step skipped: its ${name} rule is false`],
          SENT,
        ]);
        const raw = JSON.parse(skipped.jobs![0]!.executionDetails[1]!.raw!) as unknown;
        expect(raw).toEqual({ rule: name, [name]: rule, variables: { 'payload.n': 1 } });
      }
    });

    it('sends the variant whose conditions hold', async () => {
      const variant = (body: string, value: string) => ({
        name: body,
        filters: [group(false, rule('payload', 'plan', 'EQUAL', value))],
        controlValues: { body },
      });
      await clarion.workflow('varied', [IN_APP('own', { variants: [variant('gold', 'g'), variant('silver', 's')] })]);
      const silver = await clarion.run('varied', 'ann', { payload: { plan: 's' } });
      expect(historyOf(silver)).toEqual([
        [SENT[0], SENT[1], 'Pending: Variant was chosen by the provided condition criteria', ...SENT.slice(2)],
      ]);
      expect(await contents(silver.transactionId)).toEqual(['silver']);
      const own = await clarion.run('varied', 'ann', { payload: { plan: 'x' } });
      expect(historyOf(own)).toEqual([SENT]);
      expect(await contents(own.transactionId)).toEqual(['own']);
    });
  });

  describe('preferences of steps', () => {
    const filtered = (by: string) => [
      'in_app canceled',
      'Pending: Step queued',
      `Success: Step filtered by ${by} preferences`,
    ];
    const off = { channels: { in_app: { enabled: false } } };
    const prefer = (subscriberId: string, body: object) =>
      clarion.callOk('PATCH', `/v2/subscribers/${subscriberId}/preferences`, body);

    it('cancels a step that the workflow or its operator has disabled', async () => {
      await clarion.workflow('off-resource', [IN_APP('x')], { preferences: { workflow: off } });
      await clarion.workflow('off-user', [IN_APP('x')], {
        preferences: { user: off, workflow: { all: { enabled: true } } },
      });
      expect(historyOf(await clarion.run('off-resource', 'ann'))).toEqual([filtered('workflow')]);
      expect(historyOf(await clarion.run('off-user', 'ann'))).toEqual([filtered('user')]);
    });

    it('prefers the choice of the subscriber for a workflow to the global choice', async () => {
      await clarion.workflow('preferred', [IN_APP('x')]);
      await clarion.workflow('unpreferred', [IN_APP('x')]);
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'picky' });
      await prefer('picky', { channels: { in_app: false } });
      expect(historyOf(await clarion.run('preferred', 'picky'))).toEqual([filtered('subscriber global')]);
      await prefer('picky', { workflowId: 'preferred', channels: { in_app: true } });
      expect(historyOf(await clarion.run('preferred', 'picky'))).toEqual([SENT]);
      await prefer('picky', { channels: { in_app: true } });
      await prefer('picky', { workflowId: 'unpreferred', channels: { in_app: false } });
      expect(historyOf(await clarion.run('unpreferred', 'picky'))).toEqual([filtered('subscriber workflow')]);
      expect(historyOf(await clarion.run('preferred', 'picky'))).toEqual([SENT]);
    });

    it('ignores preferences for a critical workflow', async () => {
      await clarion.workflow('critical', [IN_APP('x')], {
        preferences: { workflow: { all: { enabled: true, readOnly: true } } },
      });
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'opted-out' });
      await prefer('opted-out', { channels: { in_app: false } });
      const notification = await clarion.run('critical', 'opted-out');
      expect(historyOf(notification)).toEqual([SENT]);
      expect(notification.critical).toBe(true);
    });

    it('applies preferences of a context only in that context', async () => {
      await clarion.workflow('in-context', [IN_APP('x')]);
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'regional' });
      await prefer('regional', { workflowId: 'in-context', channels: { in_app: false }, context: { region: 'eu' } });
      expect(historyOf(await clarion.run('in-context', 'regional', { context: { region: 'eu' } }))).toEqual([
        filtered('subscriber workflow'),
      ]);
      expect(historyOf(await clarion.run('in-context', 'regional', { context: { region: 'us' } }))).toEqual([SENT]);
    });
  });

  describe('tenant, contexts and actor of a trigger', () => {
    it('renders the tenant in templates, and records when it was deleted before the step', async () => {
      await clarion.callOk('POST', '/v1/tenants', { identifier: 'acme', name: 'Acme', data: { color: 'red' } });
      await clarion.workflow('tenanted', [
        { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
        IN_APP('from {{tenant.name}} {{tenant.data.color}}'),
      ]);
      const run = async (meanwhile?: () => Promise<unknown>) => {
        const transactionId = await clarion.trigger('tenanted', 'ann', { tenant: 'acme' });
        await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
        await meanwhile?.();
        await clarion.makeDue(transactionId);
        const [notification] = await clarion.activity(transactionId, allEnded());
        const { raw } = notification!.jobs![1]!.executionDetails[1]!;
        return { history: historyOf(notification!)[1], raw, texts: await contents(transactionId) };
      };
      const sentAfter = (line: string) => [SENT[0], SENT[1], line, ...SENT.slice(2)];
      expect(await run()).toEqual({
        history: sentAfter('Pending: Tenant context selected'),
        // Without its data, which may be large: every step has this detail.
        raw: '{"identifier":"acme","name":"Acme"}',
        texts: ['from Acme red'],
      });
      const gone = await run(() => clarion.call('DELETE', '/v1/tenants/acme'));
      expect(gone.history).toEqual(sentAfter('Failed: Tenant identifier not found'));
      const unknown = await clarion.callOk('POST', '/v1/events/trigger', {
        name: 'tenanted',
        to: 'ann',
        tenant: 'acme',
      });
      expect(unknown).toMatchObject({ acknowledged: true, status: 'no_tenant_found' });
    });

    it('renders contexts and actor in templates, and keeps the stored data of a context', async () => {
      await clarion.workflow('surrounded', [
        IN_APP('{{context.zone.id}} {{context.zone.data.flag}} {{actor.firstName}}'),
      ]);
      const notification = await clarion.run('surrounded', 'ann', {
        context: { zone: { id: 'eu', data: { flag: 'blue' } }, app: 'shop' },
        actor: { subscriberId: 'zoe', firstName: 'Zoe' },
      });
      expect(historyOf(notification)).toEqual([SENT]);
      expect(notification.contextKeys).toEqual(['app:shop', 'zone:eu']);
      const [message] = await clarion.messages(notification.transactionId);
      expect(message).toMatchObject({ content: 'eu blue Zoe', contextKeys: ['app:shop', 'zone:eu'] });
      // A trigger does not change a context that exists.
      const again = await clarion.run('surrounded', 'ann', {
        context: { zone: { id: 'eu', data: { flag: 'red' } } },
      });
      expect(await contents(again.transactionId)).toEqual(['eu blue ']);
    });

    it('renders the stored profile of an actor that is given by id only', async () => {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'stored-actor', firstName: 'Ada' });
      const notification = await clarion.run('surrounded', 'ann', { context: { zone: 'eu' }, actor: 'stored-actor' });
      expect(await contents(notification.transactionId)).toEqual(['eu blue Ada']);
    });
  });

  it('overrides the severity of the workflow by that of the trigger and records it', async () => {
    await clarion.workflow('severe', [IN_APP('x')], { severity: 'low' });
    const plain = await clarion.run('severe', 'ann');
    expect([plain.severity, historyOf(plain)]).toEqual(['low', [SENT]]);
    const overridden = await clarion.run('severe', 'ann', { overrides: { severity: 'high' } });
    expect(overridden.severity).toBe('high');
    expect(historyOf(overridden)).toEqual([
      [SENT[0], SENT[1], 'Pending: Severity for the message was overridden', ...SENT.slice(2)],
    ]);
    expect(JSON.parse(overridden.jobs![0]!.executionDetails[1]!.raw!)).toEqual({ from: 'low', to: 'high' });
  });

  it('warns about unknown overrides', async () => {
    await clarion.workflow('careless', [IN_APP('x')]);
    const notification = await clarion.run('careless', 'ann', {
      overrides: { emial: { subject: 'x' }, severity: 'none' },
    });
    const [history] = historyOf(notification);
    expect(history).toContain('Warning: Some overrides are not known and were not used');
    const warning = notification.jobs![0]!.executionDetails.find(({ status }) => status === 'Warning');
    expect(warning!.raw).toContain('emial');
    expect(history![0]).toBe('in_app completed');
  });

  describe('failed steps', () => {
    const failed = ['sms failed', 'Pending: Step queued', 'Failed: Subscriber does not have an active integration'];
    const SMS = { type: 'sms', controlValues: { body: 'x' } } as const;

    it('runs the next step after a failed step', async () => {
      await clarion.workflow('going-on', [SMS, IN_APP('x')]);
      expect(historyOf(await clarion.run('going-on', 'ann'))).toEqual([failed, SENT]);
    });

    it('cancels the remaining steps after a failed step with shouldStopOnFail', async () => {
      await clarion.workflow('stopping', [{ ...SMS, shouldStopOnFail: true }, IN_APP('x'), IN_APP('y')]);
      const canceled = ['in_app canceled', 'Failed: Step was canceled because a previous step failed'];
      const notification = await clarion.run('stopping', 'ann');
      expect(historyOf(notification)).toEqual([failed, canceled, canceled]);
      expect(await contents(notification.transactionId)).toEqual([]);
    });
  });

  it('fails the steps of a subscriber who was deleted after the trigger', async () => {
    await clarion.workflow('subscriber-deleted', [
      { type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      IN_APP('x'),
    ]);
    await clarion.workflow('subscriber-deleted-channel', [EMAIL]);
    const transactionId = await clarion.trigger('subscriber-deleted', 'leaver');
    await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    await clarion.stop('email');
    const waiting = await clarion.trigger('subscriber-deleted-channel', 'leaver');
    await clarion.activity(waiting, ([one]) => one?.jobs?.[0]?.status === 'queued');
    await clarion.callOk('DELETE', '/v2/subscribers/leaver');
    await clarion.makeDue(transactionId);
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)).toEqual([
      ['delay failed', 'Pending: Step delayed', 'Failed: Subscriber no longer exists'],
      ['in_app canceled', 'Failed: Step was canceled because a previous step failed'],
    ]);
    await clarion.start('email');
    const [other] = await clarion.activity(waiting, allEnded());
    expect(historyOf(other!)).toEqual([
      ['email failed', 'Pending: Step queued', 'Failed: Subscriber no longer exists'],
    ]);
  });

  it('runs the steps of the workflow version that the notification started with', async () => {
    const steps = (body: string) => [
      {
        type: 'delay' as const,
        stepId: 'wait',
        name: 'wait',
        controlValues: { type: 'regular', amount: 1, unit: 'hours' },
      },
      { ...IN_APP(body), name: 'note', stepId: 'note' },
    ];
    await clarion.workflow('versioned', steps('old'));
    const transactionId = await clarion.trigger('versioned', 'ann');
    await clarion.activity(transactionId, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    await clarion.callOk('PUT', '/v2/workflows/versioned', { name: 'versioned', active: true, steps: steps('new') });
    await clarion.makeDue(transactionId);
    await clarion.activity(transactionId, allEnded());
    expect(await contents(transactionId)).toEqual(['old']);
    const next = await clarion.trigger('versioned', 'ann');
    await clarion.activity(next, ([one]) => one?.jobs?.[0]?.status === 'delayed');
    await clarion.makeDue(next);
    await clarion.activity(next, allEnded());
    expect(await contents(next)).toEqual(['new']);
  });

  describe('choice of an integration', () => {
    const chosenFor = async (more: object = {}) => {
      const notification = await clarion.run('chosen', { subscriberId: 'ann', email: 'ann@x.test' }, more);
      return notification.jobs![0]!;
    };

    it('prefers the integration of the trigger, then matching conditions, the primary and the priority', async () => {
      await clarion.workflow('chosen', [EMAIL]);
      const none = await chosenFor();
      expect(none.executionDetails.at(-1)).toMatchObject({
        status: 'Failed',
        detail: 'Subscriber does not have an active integration',
      });
      const first = await clarion.integration('sendgrid', 'email', { identifier: 'first' });
      await clarion.integration('resend', 'email', { identifier: 'second' });
      expect((await chosenFor()).providerId).toBe('sendgrid');
      const second = (await clarion.callOk<{ _id: string; identifier: string }[]>('GET', '/v1/integrations')).find(
        ({ identifier }) => identifier === 'second',
      )!;
      await clarion.callOk('POST', `/v1/integrations/${second._id}/set-primary`);
      expect((await chosenFor()).providerId).toBe('resend');
      const named = { overrides: { email: { integrationIdentifier: 'first' } } };
      expect((await chosenFor(named)).providerId).toBe('sendgrid');
      const unknown = await chosenFor({ overrides: { email: { integrationIdentifier: 'third' } } });
      expect(unknown.status).toBe('failed');
      expect(unknown.executionDetails[1]).toMatchObject({
        detail: 'Subscriber does not have an active integration',
        raw: expect.stringContaining('third') as string,
      });
      await clarion.integration('mailgun', 'email', {
        identifier: 'conditional',
        conditions: [group(false, rule('payload', 'plan', 'EQUAL', 'gold'))],
      });
      expect((await chosenFor({ payload: { plan: 'gold' } })).providerId).toBe('mailgun');
      expect((await chosenFor({ payload: { plan: 'iron' } })).providerId).toBe('resend');
      await clarion.callOk('PUT', `/v1/integrations/${second._id}`, { active: false });
      expect((await chosenFor()).providerId).toBe('sendgrid');
      await clarion.callOk('PUT', `/v1/integrations/${first._id}`, { active: false });
      expect((await chosenFor()).status).toBe('failed');
    });
  });
});
