import {
  type DryRunDto,
  type DryRunStepDto,
  newId,
  stepIdOf,
  toNotificationId,
  type TriggerResultDto,
} from '@clarion/contracts';
import type { Environment } from '@clarion/persistence';
import { openQueue, QUEUE_NAMES } from '@clarion/queue';
import { type Answer, callGateway, startGateway, type TestGateway } from './harness';

type Row = Record<string, unknown>;

describe('dry run', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    await integration('sendgrid', 'email', { apiKey: 'k', from: 'a@b.test', senderName: 'S' }, 'mail-1');
    await integration('resend', 'email', { apiKey: 'k', from: 'a@b.test', senderName: 'S' }, 'mail-2');
    await integration('twilio', 'sms', { accountSid: 'AC', token: 't', from: '+1' }, 'sms-1');
    await integration('slack', 'chat', { applicationId: 'a', clientId: 'c', secretKey: 's' }, 'chat-1');
    await integration('expo', 'push', { apiKey: 'k' }, 'push-1');
  });
  afterAll(() => gateway.close());

  const integration = (providerId: string, channel: string, credentials: object, identifier: string) =>
    must('POST', '/v1/integrations', { providerId, channel, credentials, identifier, name: identifier, active: true });
  const workflow = (workflowId: string, steps: object[], more: object = {}) =>
    must('POST', '/v2/workflows', {
      name: workflowId,
      workflowId,
      active: true,
      steps: steps.map((step, index) => ({ name: `s${index}`, stepId: `s${index}`, ...step })),
      ...more,
    });
  async function must(method: string, path: string, body: unknown): Promise<Row> {
    const answer = await gateway.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  }
  const dryRun = (event: object, headers?: Record<string, string>) =>
    gateway.call<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=true', event, headers);
  const bulk = (events: unknown[]) =>
    gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk?dryRun=true', { events });
  const explain = async (event: object): Promise<DryRunDto> => {
    const { status, body } = await dryRun(event);
    expect({ status, result: body.status }).toEqual({ status: 201, result: 'processed' });
    return body.dryRun!;
  };
  const stepsOf = async (event: object): Promise<DryRunStepDto[]> => (await explain(event)).recipients[0]!.steps;
  const summaries = (steps: DryRunStepDto[]) =>
    steps.map(({ type, outcome, details }) => [
      `${type} ${outcome}`,
      ...details.map(({ status, detail }) => `${status}: ${detail}`),
    ]);
  const email = (controlValues: object = {}, more: object = {}) => ({
    type: 'email',
    controlValues: { subject: 'Hi {{subscriber.firstName}}', body: '<p>Order {{payload.order}}</p>', ...controlValues },
    ...more,
  });
  const inApp = (body = 'Hello {{subscriber.firstName}}', more: object = {}) => ({
    type: 'in_app',
    controlValues: { body },
    ...more,
  });

  describe('side effects of a dry run', () => {
    const storedState = async () => {
      const tables = await gateway.database.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
      );
      const rows = await Promise.all(
        tables.map(async ({ name }) => {
          // The hash also detects a changed row, not only a changed number of rows. The last use of a key is written
          // after the call.
          const [row] = await gateway.database.query<Row>(
            `SELECT count(*)::int AS count, md5(string_agg(text, ' ' ORDER BY text)) AS hash
               FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS text FROM "${name}" t) all_rows`,
          );
          return [name, row] as const;
        }),
      );
      const jobs = await Promise.all(
        QUEUE_NAMES.map(async (name) => {
          const options = { prefix: gateway.queuePrefix, onError: () => undefined };
          const { queue, close } = openQueue(gateway.queueBackend, name, options);
          await queue.waitUntilReady();
          const counts = await queue.getJobCounts();
          await close();
          return [name, counts] as const;
        }),
      );
      return { rows: Object.fromEntries(rows), jobs: Object.fromEntries(jobs) };
    };

    it('changes no table and no queue', async () => {
      await workflow('quiet', [
        { type: 'digest', controlValues: { amount: 1, unit: 'hours' } },
        { type: 'throttle', controlValues: { amount: 1, unit: 'hours' } },
        inApp(),
        email(),
      ]);
      await must('POST', '/v2/topics', { key: 'quiet', name: 'Quiet' });
      await must('POST', '/v2/subscribers', { subscriberId: 'quiet-member' });
      await must('POST', '/v2/topics/quiet/subscriptions', { subscriptions: ['quiet-member'] });
      const event = {
        name: 'quiet',
        to: [
          { subscriberId: 'quiet-new', email: 'new@x.test', channels: [slackChannel('https://hook.test')] },
          { subscriberId: 'quiet-member', firstName: 'Changed' },
          { type: 'Topic', topicKey: 'quiet' },
        ],
        payload: { order: 1, attachments: [{ name: 'a.txt', mime: 'text/plain', file: 'YQ==' }] },
        actor: { subscriberId: 'quiet-actor', firstName: 'New' },
        context: { region: { id: 'quiet', data: { a: 1 } } },
        transactionId: 'quiet-1',
        overrides: { severity: 'high' },
      };
      const before = await storedState();

      expect((await explain(event)).recipientCount).toBe(2);
      const { transactionId: _, ...another } = event;
      expect((await bulk([event, another, { name: 'nowhere', to: 'x' }])).body.map(({ status }) => status)).toEqual([
        'processed',
        'processed',
        'error',
      ]);
      const broadcast = { name: 'quiet', payload: {} };
      expect((await gateway.call('POST', '/v1/events/trigger/broadcast?dryRun=true', broadcast)).status).toBe(201);
      const key = { 'idempotency-key': 'quiet-key' };
      expect((await dryRun(event, key)).status).toBe(201);
      expect((await dryRun({ name: 'nowhere', to: 'x' }, key)).status).toBe(422);

      expect(await storedState()).toEqual(before);

      // The idempotency key and the transactionId can still be used.
      const real = await gateway.call<TriggerResultDto>('POST', '/v1/events/trigger', event, key);
      expect(real.body).toEqual({ acknowledged: true, status: 'processed', transactionId: 'quiet-1' });
      expect(await storedState()).not.toEqual(before);
      expect(real.headers.get('idempotency-replay')).toBeNull();
    });

    it('stores the event with dryRun=false', async () => {
      await workflow('loud', [inApp()]);
      const event = { name: 'loud', to: 'x', transactionId: 'loud-1' };
      const { body } = await gateway.call<TriggerResultDto>('POST', '/v1/events/trigger?dryRun=false', event);
      expect(body).toEqual({ acknowledged: true, status: 'processed', transactionId: 'loud-1' });
      expect(await gateway.database.query(`SELECT 1 FROM trigger WHERE transaction_id = 'loud-1'`)).toHaveLength(1);
    });

    it('rejects any other value of dryRun with a 422 that names it', async () => {
      const { status, body } = await gateway.call('POST', '/v1/events/trigger?dryRun=maybe', { name: 'loud', to: 'x' });
      expect(status).toBe(422);
      expect(body['errors']).toHaveProperty('dryRun');
    });
  });

  const slackChannel = (webhookUrl: string) => ({ providerId: 'slack', credentials: { webhookUrl } });

  describe('responses of a dry run', () => {
    beforeAll(async () => {
      await workflow('fine', [inApp()]);
      await workflow('off', [inApp()], { active: false });
      await workflow('strict', [inApp()], {
        validatePayload: true,
        payloadSchema: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
      });
    });

    it.each([
      ['an unknown workflow', { name: 'nowhere', to: 'a' }],
      ['an inactive workflow', { name: 'off', to: 'a', transactionId: 'off-1' }],
      ['no recipient', { name: 'fine' }],
      ['an invalid recipient', { name: 'fine', to: '', transactionId: 'bad-1' }],
      ['a payload that breaks the schema', { name: 'strict', to: 'a', payload: { count: 'x' } }],
      ['an unknown tenant', { name: 'fine', to: 'a', tenant: 'missing', transactionId: 'tenant-1' }],
      ['an invalid actor', { name: 'fine', to: 'a', actor: 7 }],
      ['too many recipients', { name: 'fine', to: Array(101).fill('a'), transactionId: 'many-1' }],
    ])('answers an event with %s like the trigger does', async (_, event) => {
      // A generated transactionId differs in each response.
      const comparable = ({ status, body: { transactionId, ...body } }: Answer) => ({
        ...body,
        http: status,
        path: '',
        timestamp: '',
        ...(!String(transactionId).startsWith('txn_') && { transactionId }),
      });
      const explained = await gateway.call('POST', '/v1/events/trigger?dryRun=true', event);
      const real = await gateway.call('POST', '/v1/events/trigger', event);
      expect(comparable(explained)).toEqual(comparable(real));
      expect(explained.body).not.toHaveProperty('dryRun');
    });

    it('marks an event that was accepted before and rejects a different event with its transactionId', async () => {
      const event = { name: 'fine', to: 'a', transactionId: 'twice' };
      await gateway.call('POST', '/v1/events/trigger', event);
      const { body } = await bulk([
        event,
        { ...event, payload: { other: 1 } },
        { name: 'fine', to: 'b', transactionId: 'in-one-call' },
        { name: 'fine', to: 'b', transactionId: 'in-one-call' },
        { name: 'fine', to: 'c', transactionId: 'in-one-call' },
        { name: 'fine', to: 'd' },
      ]);
      expect(body).toEqual([
        {
          acknowledged: true,
          status: 'processed',
          transactionId: 'twice',
          dryRun: { recipientCount: 0, recipients: [], alreadyAccepted: true },
        },
        {
          acknowledged: true,
          status: 'error',
          error: ['transactionId "twice" was used before with a different event'],
          transactionId: 'twice',
        },
        expect.objectContaining({ status: 'processed', dryRun: expect.objectContaining({ recipientCount: 1 }) }),
        expect.objectContaining({ status: 'processed', dryRun: expect.objectContaining({ alreadyAccepted: true }) }),
        expect.objectContaining({ status: 'error', transactionId: 'in-one-call' }),
        { acknowledged: true, status: 'processed', dryRun: expect.objectContaining({ recipientCount: 1 }) },
      ]);
    });

    it('refuses a dry run with a key of the scope trigger', async () => {
      const environment = (
        await gateway.database.rows<Environment>('SELECT * FROM environment WHERE id = $1', [gateway.environmentId])
      )[0]!;
      const { key } = await gateway.admin.createKey(environment, { scope: 'trigger' });
      const event = { name: 'fine', to: 'a' };
      const real = await callGateway(gateway.url, key, 'POST', '/v1/events/trigger', event);
      expect(real.status).toBe(201);
      const answer = await callGateway<Row>(gateway.url, key, 'POST', '/v1/events/trigger?dryRun=true', event);
      expect(answer.status).toBe(403);
      expect(answer.body['message']).toContain('trigger');
    });

    it('does not use subscribers and workflows of other environments', async () => {
      const other = await gateway.secondKey();
      await callGateway(gateway.url, other, 'POST', '/v2/workflows', {
        name: 'W',
        workflowId: 'theirs',
        steps: [{ name: 'Mail', ...email() }],
      });
      const call = (event: object) =>
        callGateway<TriggerResultDto>(gateway.url, other, 'POST', '/v1/events/trigger?dryRun=true', event);
      await must('POST', '/v2/subscribers', { subscriberId: 'ours', email: 'ours@x.test' });
      const { body } = await call({ name: 'theirs', to: 'ours' });
      const [recipient] = body.dryRun!.recipients;
      expect(recipient).toMatchObject({ exists: false, steps: [{ outcome: 'would_skip' }] });
      expect(recipient!.steps[0]!.details.at(-1)!.detail).toBe('Subscriber missing email address');
      expect((await call({ name: 'fine', to: 'ours' })).status).toBe(422);
    });
  });

  describe('channel steps of a dry run', () => {
    const SENDGRID = [
      'Pending: Step queued',
      'Pending: SendGrid provider was selected',
      'Pending: Message created',
      'Success: Message sent',
    ];

    it('shows the email as it would be sent and the providers in the order of failover', async () => {
      await workflow('mail', [email({ preheader: 'Soon' })]);
      const { recipients, recipientCount } = await explain({
        name: 'mail',
        to: { subscriberId: 'mail-new', firstName: 'Ann', email: 'ann@x.test' },
        payload: { order: 7 },
        overrides: { email: { cc: ['c@x.test'] }, sendgrid: { text: 'plain' } },
      });
      expect(recipientCount).toBe(1);
      const [{ steps, ...recipient }] = recipients as [(typeof recipients)[number]];
      expect(recipient).toEqual({ subscriberId: 'mail-new', exists: false });
      expect(summaries(steps)).toEqual([['email would_send', ...SENDGRID]]);
      expect(steps[0]).toMatchObject({
        stepId: 's0',
        why: 'Message sent',
        providers: [
          { identifier: 'mail-1', providerId: 'sendgrid', name: 'mail-1' },
          { identifier: 'mail-2', providerId: 'resend', name: 'mail-2' },
        ],
        content: {
          to: ['ann@x.test'],
          cc: ['c@x.test'],
          subject: 'Hi Ann',
          preheader: 'Soon',
          html: expect.stringContaining('<p>Order 7</p>'),
          text: 'plain',
        },
      });
      expect(steps[0]!.details[1]).toMatchObject({
        providerId: 'sendgrid',
        raw: { providerId: 'sendgrid', identifier: 'mail-1' },
      });
    });

    it('skips a provider whose circuit breaker is open and waits when all are open', async () => {
      await workflow('breaker', [email({ body: 'x' })]);
      const until = new Date(Date.now() + 60_000).toISOString();
      const health = { state: 'open', since: until, until, reason: 'down' };
      const setHealth = (value: object | null, identifiers: string[]) =>
        gateway.database.query(`UPDATE integration SET health = $1 WHERE identifier = ANY ($2)`, [
          value && JSON.stringify(value),
          identifiers,
        ]);
      const event = { name: 'breaker', to: { subscriberId: 'b', email: 'b@x.test' } };
      try {
        await setHealth(health, ['mail-1']);
        const [one] = await stepsOf(event);
        expect(summaries([one!])).toEqual([
          [
            'email would_send',
            'Pending: Step queued',
            'Warning: SendGrid is not available at the moment',
            'Pending: Resend provider was selected',
            'Success: Message sent',
          ],
        ]);
        expect(one!.providers![0]).toMatchObject({ identifier: 'mail-1', health });
        await setHealth(health, ['mail-1', 'mail-2']);
        expect((await stepsOf(event))[0]).toMatchObject({ outcome: 'would_wait', until });
      } finally {
        await setHealth(null, ['mail-1', 'mail-2']);
      }
    });

    it('renders the email inside its layout and fails when the layout is missing', async () => {
      await must('POST', '/v2/layouts', { layoutId: 'frame', name: 'Frame' });
      await must('PUT', '/v2/layouts/frame', {
        name: 'Frame',
        controlValues: { email: { body: '<html><body>[{{content}}]</body></html>', editorType: 'html' } },
      });
      await workflow('framed', [email({ layoutId: 'frame', body: 'x' })]);
      const to = { subscriberId: 'framed', email: 'f@x.test' };
      const [step] = await stepsOf({ name: 'framed', to });
      expect(step!.details.map(({ detail }) => detail)).toContain('Layout selected');
      expect(step!.content!.html).toContain('[x]');
      const overrides = { steps: { s0: { layoutId: 'gone' } } };
      expect((await stepsOf({ name: 'framed', to, overrides }))[0]).toMatchObject({
        outcome: 'would_fail',
        why: 'Layout not found ',
      });
      await gateway.call('DELETE', '/v2/layouts/frame');
    });

    it('shows the in-app message as it would be stored', async () => {
      const controlValues = { body: '<b>{{payload.x}}</b><script>1</script>', redirect: { url: 'https://a.test' } };
      await workflow('bell', [{ type: 'in_app', controlValues }]);
      const [step] = await stepsOf({ name: 'bell', to: 'bell', payload: { x: 'A' } });
      expect(step).toMatchObject({
        outcome: 'would_send',
        content: { body: '<b>A</b>', cta: { type: 'redirect', data: { url: 'https://a.test' } } },
        providers: [{ providerId: 'platform' }],
      });
      expect(step!.details.map(({ detail }) => detail)).toEqual(['Step queued', 'Message created', 'Message sent']);
    });

    it('skips each channel for which the recipient has no address and says which one is missing', async () => {
      const controlValues = { subject: 'S', body: 'B' };
      const types = ['email', 'sms', 'chat', 'push'];
      await workflow(
        'all',
        types.map((type) => ({ type, controlValues })),
      );
      const nothing = await stepsOf({ name: 'all', to: 'lacks-all' });
      expect(nothing.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([
        'would_skip: Subscriber missing email address',
        'would_skip: Subscriber missing phone number',
        'would_skip: Subscriber does not have a configured channel',
        'would_skip: Subscriber does not have a configured channel',
      ]);
      const all = await stepsOf({
        name: 'all',
        to: {
          subscriberId: 'lacks-all',
          email: 'l@x.test',
          phone: '+49',
          channels: [
            slackChannel('https://hook.test/secret'),
            { providerId: 'expo', credentials: { deviceTokens: ['one-token', 'two-token'] } },
          ],
        },
      });
      expect(all.map(({ outcome }) => outcome)).toEqual(['would_send', 'would_send', 'would_send', 'would_send']);
      expect(all.map(({ content }) => content)).toEqual([
        expect.objectContaining({ to: ['l@x.test'] }),
        { to: ['+49'], body: 'B' },
        { body: 'B', targets: [{ identifier: 'chat-1', providerId: 'slack' }] },
        { title: 'S', body: 'B', targets: [{ identifier: 'push-1', providerId: 'expo', devices: 2 }] },
      ]);
      expect(summaries(all)[3]).toEqual([
        'push would_send',
        'Pending: Step queued',
        ...Array(2)
          .fill(['Pending: Expo Push provider was selected', 'Pending: Message created', 'Success: Message sent'])
          .flat(),
      ]);
      // Webhook URLs and device tokens are secrets.
      expect(JSON.stringify(all)).not.toMatch(/hook\.test|-token/);
    });

    it('skips suppressed addresses like a real run', async () => {
      await workflow('suppressed', [email({ layoutId: null }), { type: 'sms', controlValues: { body: 'B' } }]);
      await must('POST', '/v1/suppressions', { channel: 'email', address: 'gone@x.test' });
      await must('POST', '/v1/suppressions', { channel: 'sms', address: '+49 170' });
      const to = { subscriberId: 'suppressed', email: 'GONE@x.test', phone: '0049170' };
      const stopped = await stepsOf({ name: 'suppressed', to });
      expect(stopped.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([
        'would_skip: Recipient is suppressed',
        'would_skip: Recipient is suppressed',
      ]);
      expect(stopped[0]!.details.at(-1)!.raw).toMatchObject({
        recipients: [
          { address: 'gone@x.test', reason: 'manual', liftWith: 'DELETE /v1/suppressions/email/gone%40x.test' },
        ],
      });
      const [mail, text] = await stepsOf({
        name: 'suppressed',
        to,
        overrides: { email: { to: ['other@x.test'], cc: ['gone@x.test', 'c@x.test'] }, sms: { to: '+49171' } },
      });
      expect(summaries([mail!])).toEqual([
        [
          'email would_send',
          'Pending: Step queued',
          'Warning: Recipient is suppressed',
          'Pending: SendGrid provider was selected',
          'Pending: Message created',
          'Success: Message sent',
        ],
      ]);
      expect(mail!.content).toMatchObject({ to: ['other@x.test'], cc: ['c@x.test'] });
      expect(text!.outcome).toBe('would_send');
      await gateway.call('DELETE', '/v1/suppressions/email/gone@x.test');
      await gateway.call('DELETE', '/v1/suppressions/sms/+49170');
      const lifted = await stepsOf({ name: 'suppressed', to });
      expect(lifted.map(({ outcome }) => outcome)).toEqual(['would_send', 'would_send']);
    });

    it('merges the given recipient fields into the stored subscriber', async () => {
      await must('POST', '/v2/subscribers', { subscriberId: 'known', firstName: 'Kay', email: 'kay@x.test' });
      await must('PUT', '/v1/subscribers/known/credentials', slackChannel('https://stored.test'));
      await workflow('stored', [email(), { type: 'chat', controlValues: { body: 'B' } }]);
      const plain = (await explain({ name: 'stored', to: 'known' })).recipients[0]!;
      expect(plain.exists).toBe(true);
      expect(plain.steps[0]!.content).toMatchObject({ subject: 'Hi Kay', to: ['kay@x.test'] });
      expect(plain.steps[1]).toMatchObject({ outcome: 'would_send' });
      const changed = await stepsOf({ name: 'stored', to: { subscriberId: 'known', firstName: 'Kim', email: null } });
      expect(changed[0]).toMatchObject({ outcome: 'would_skip', content: { subject: 'Hi Kim', to: [] } });
      const { body } = await bulk([
        { name: 'stored', to: { subscriberId: 'in-order', firstName: 'Ida', email: 'ida@x.test' } },
        { name: 'stored', to: 'in-order' },
      ]);
      expect(body[1]!.dryRun!.recipients[0]!.steps[0]!.content).toMatchObject({
        subject: 'Hi Ida',
        to: ['ida@x.test'],
      });
    });

    it('reports template errors, unknown overrides and channel credentials that cannot be stored', async () => {
      await workflow('faulty', [email({ subject: '{% if payload.a %}' }), inApp('   ')]);
      const steps = await stepsOf({
        name: 'faulty',
        to: { subscriberId: 'f', email: 'f@x.test', channels: [{ providerId: 'discord', credentials: {} }] },
        overrides: { emial: {}, email: { integrationIdentifier: 'mail-2' } },
      });
      expect(steps[0]).toMatchObject({
        outcome: 'would_fail',
        why: 'Message content could not be generated',
        providers: [{ identifier: 'mail-2' }],
        details: [
          { detail: 'Step queued' },
          { detail: 'Some overrides are not known and were not used', raw: { overrides: ['emial'] } },
          {
            detail: 'Channel credentials of the recipient could not be stored',
            raw: 'there is no active discord integration',
          },
          { raw: { path: 'subject', message: expect.stringContaining('if') }, source: 'Payload' },
        ],
      });
      expect(steps[1]).toMatchObject({
        outcome: 'would_fail',
        details: [{ detail: 'Step queued' }, { raw: { path: 'body', message: 'is empty' } }],
      });
      const overrides = { email: { integrationIdentifier: 'gone' } };
      expect((await stepsOf({ name: 'faulty', to: 'f', overrides }))[0]).toMatchObject({
        outcome: 'would_fail',
        why: 'Subscriber does not have an active integration',
        details: [{}, { raw: { integrationIdentifier: 'gone' } }],
      });
    });

    it('applies conditions, variants, preferences and the schedule', async () => {
      const only = (field: string, value: string) => [
        {
          type: 'GROUP',
          value: 'AND',
          isNegated: false,
          children: [{ on: 'payload', field, value, operator: 'EQUAL' }],
        },
      ];
      const { _id } = await workflow(
        'choosy',
        [
          inApp('A', { filters: only('vip', 'yes') }),
          inApp('B', {
            variants: [{ name: 'V', active: true, filters: only('vip', 'yes'), controlValues: { body: 'V' } }],
          }),
          { type: 'sms', controlValues: { body: 'S' } },
          email(),
        ],
        { tags: [] },
      );
      await must('POST', '/v2/subscribers', { subscriberId: 'choosy', email: 'c@x.test', phone: '+1' });
      await must('PATCH', '/v2/subscribers/choosy/preferences', { workflowId: _id, channels: { sms: false } });
      await must('PATCH', '/v2/subscribers/choosy/preferences', {
        schedule: { isEnabled: true, weeklySchedule: {} },
      });
      const no = await stepsOf({ name: 'choosy', to: 'choosy', payload: {} });
      expect(no.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([
        'would_skip: Step was skipped based on steps conditions',
        'would_send: Message sent',
        'would_skip: Step filtered by subscriber workflow preferences',
        "would_skip: The step was skipped as it fell outside the subscriber's schedule",
      ]);
      expect(no[0]!.details[1]!.raw).toMatchObject({ conditions: [{ field: 'vip', passed: false }] });
      const yes = await stepsOf({ name: 'choosy', to: 'choosy', payload: { vip: 'yes' } });
      expect(yes[0]!.outcome).toBe('would_send');
      expect(yes[1]).toMatchObject({ content: { body: 'V' } });
      expect(yes[1]!.details.map(({ detail }) => detail)).toContain(
        'Variant was chosen by the provided condition criteria',
      );
    });

    it('skips all later steps when a step with shouldStopOnFail fails', async () => {
      await workflow('stops', [email({ body: '{% if payload.a %}' }, { shouldStopOnFail: true }), inApp(), inApp()]);
      const steps = await stepsOf({ name: 'stops', to: { subscriberId: 's', email: 's@x.test' } });
      expect(summaries(steps).slice(1)).toEqual([
        ['in_app would_skip', 'Failed: Step was canceled because a previous step failed'],
        ['in_app would_skip', 'Failed: Step was canceled because a previous step failed'],
      ]);
    });

    it('renders tenant, actor and contexts and reports the tenant and the overridden severity', async () => {
      await must('POST', '/v1/tenants', { identifier: 'acme', name: 'Acme', data: { plan: 'gold' } });
      await must('POST', '/v2/contexts', { type: 'region', id: 'eu', data: { name: 'Europe' } });
      await must('POST', '/v2/subscribers', { subscriberId: 'boss', firstName: 'Bea', lastName: 'Boss' });
      await workflow('around', [
        inApp(
          '{{tenant.data.plan}} {{context.region.data.name}} {{context.team.data.name}} ' +
            '{{actor.firstName}} {{actor.lastName}}',
        ),
      ]);
      const [step] = await stepsOf({
        name: 'around',
        to: 'x',
        tenant: 'acme',
        context: { region: 'eu', team: { id: 'red', data: { name: 'Red' } } },
        actor: { subscriberId: 'boss', firstName: 'Bo' },
        overrides: { severity: 'high' },
      });
      expect(step!.content!.body).toBe('gold Europe Red Bo Boss');
      expect(step!.details.map(({ detail }) => detail)).toEqual([
        'Step queued',
        'Severity for the message was overridden',
        'Tenant context selected',
        'Message created',
        'Message sent',
      ]);
    });
  });

  describe('delay, digest, throttle and custom steps of a dry run', () => {
    const near = (text: string | undefined, milliseconds: number) =>
      Math.abs(Date.parse(text!) - (Date.now() + milliseconds)) < 30_000;
    const HOUR = 3_600_000;

    it('computes later steps from the time at which a delay ends', async () => {
      await workflow('later', [
        { type: 'delay', controlValues: { amount: 2, unit: 'hours' } },
        { type: 'delay', controlValues: { amount: 1, unit: 'hours' } },
        inApp(),
        { type: 'delay', controlValues: { type: 'dynamic', dynamicKey: 'gone' } },
        inApp(),
      ]);
      const steps = await stepsOf({ name: 'later', to: 'x' });
      expect(summaries(steps)).toEqual([
        ['delay would_wait', 'Pending: Step delayed', 'Success: Delay is finished'],
        ['delay would_wait', 'Pending: Step delayed', 'Success: Delay is finished'],
        ['in_app would_send', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
        ['delay would_fail', 'Failed: Invalid delay configuration'],
        ['in_app would_skip', 'Failed: Step was canceled because a previous step failed'],
      ]);
      expect(steps[0]!.why).toBe('Step delayed');
      expect(near(steps[0]!.until, 2 * HOUR)).toBe(true);
      expect(near(steps[1]!.until, 3 * HOUR)).toBe(true);
      expect(steps[3]!.details[0]!.raw).toEqual({ reason: 'dynamicKey: there is no "gone" in the payload' });
    });

    it('extends a delay to the next time in the schedule of the subscriber', async () => {
      await workflow('scheduled', [
        { type: 'delay', controlValues: { amount: 1, unit: 'hours', extendToSchedule: true } },
        { type: 'sms', controlValues: { body: 'S' } },
      ]);
      const opening = new Date(Date.now() + 30 * HOUR);
      const day = opening.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
      await must('POST', '/v2/subscribers', { subscriberId: 'scheduled', phone: '+1' });
      await must('PATCH', '/v2/subscribers/scheduled/preferences', {
        schedule: {
          isEnabled: true,
          weeklySchedule: { [day]: { isEnabled: true, hours: [{ start: '12:00 AM', end: '11:59 PM' }] } },
        },
      });
      const [delay, sms] = await stepsOf({ name: 'scheduled', to: 'scheduled' });
      const open = new Date(opening);
      open.setUTCHours(0, 0, 0, 0);
      expect(delay).toMatchObject({
        outcome: 'would_wait',
        until: open.toISOString(),
        why: 'Step was extended to the next available time in the subscriber schedule',
      });
      expect(summaries([delay!])).toEqual([
        [
          'delay would_wait',
          'Pending: Step delayed',
          'Pending: Step was extended to the next available time in the subscriber schedule',
          'Success: Delay is finished',
        ],
      ]);
      expect(sms!.outcome).toBe('would_send');
    });

    it('opens a digest, merges into an open one and fails when the digest key is missing', async () => {
      const { _id } = await workflow('digested', [
        { type: 'digest', controlValues: { amount: 1, unit: 'hours', digestKey: 'payload.order' } },
        inApp('{{steps.s0.eventCount}} {{steps.s0.events[0].payload.order}}'),
      ]);
      const { _id: subscriberId } = await must('POST', '/v2/subscribers', { subscriberId: 'digested' });
      const event = { name: 'digested', to: 'digested', payload: { order: 'o-1' } };
      const opened = await stepsOf(event);
      expect(summaries(opened)).toEqual([
        ['digest would_wait', 'Pending: Step digested', 'Success: Digest triggered events'],
        ['in_app would_send', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      expect(near(opened[0]!.until, HOUR)).toBe(true);
      expect(opened[1]!.content!.body).toBe('1 o-1');

      const notificationId = toNotificationId(newId());
      const stepId = stepIdOf(notificationId, 0);
      await gateway.database.query(
        `INSERT INTO open_digest
           (environment_id, workflow_id, step_key, subscriber_id, digest_key, step_id)
         VALUES ($1, $2, 's0', $3, 'o-1', $4)`,
        [gateway.environmentId, _id, subscriberId, stepId],
      );
      const joined = await stepsOf(event);
      expect(joined.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([
        'would_merge: Digest was merged with other digest',
        'would_merge: Digest was merged with other digest',
      ]);
      expect(joined[0]!.details).toEqual([
        {
          status: 'Success',
          detail: 'Digest was merged with other digest',
          raw: { digestStepId: stepId, notificationId },
        },
      ]);
      expect(joined[1]!.details).toEqual([]);
      expect((await stepsOf({ ...event, payload: { order: 'o-2' } }))[0]!.outcome).toBe('would_wait');
      expect((await stepsOf({ ...event, payload: {} }))[0]).toMatchObject({
        outcome: 'would_fail',
        details: [{ detail: 'Digest key is missing in the payload', raw: { digestKey: 'payload.order' } }],
      });
    });

    it('skips the digest for the first event of a look-back window', async () => {
      const { _id } = await workflow('backoff', [
        { type: 'digest', controlValues: { amount: 1, unit: 'hours', lookBackWindow: { amount: 5, unit: 'minutes' } } },
        inApp(),
      ]);
      const { _id: subscriberId } = await must('POST', '/v2/subscribers', { subscriberId: 'backoff' });
      const event = { name: 'backoff', to: 'backoff' };
      expect((await stepsOf(event))[0]).toMatchObject({
        outcome: 'would_skip',
        why: 'Digest was skipped, first backoff event',
      });
      await seen(_id, subscriberId, 'No-Value-Provided', 1, 300);
      expect((await stepsOf(event))[0]!.outcome).toBe('would_wait');
      await seen(_id, subscriberId, 'No-Value-Provided', 1, -1);
      expect((await stepsOf(event))[0]!.outcome).toBe('would_skip');
    });

    const seen = (workflowId: unknown, subscriberId: unknown, key: string, events: number, seconds: number) =>
      gateway.database.query(
        `INSERT INTO step_window (environment_id, workflow_id, step_key, subscriber_id, window_key, events, expires_at)
         VALUES ($1, $2, 's0', $3, $4, $5, now() + $6 * interval '1 second')
         ON CONFLICT ON CONSTRAINT step_window_pkey
           DO UPDATE SET events = excluded.events, expires_at = excluded.expires_at`,
        [gateway.environmentId, workflowId, subscriberId, key, events, seconds],
      );

    it('skips later steps once the throttle threshold is exceeded', async () => {
      const { _id } = await workflow('throttled', [
        { type: 'throttle', controlValues: { amount: 1, unit: 'hours', threshold: 2, throttleKey: 'payload.kind' } },
        inApp(),
      ]);
      const { _id: subscriberId } = await must('POST', '/v2/subscribers', { subscriberId: 'throttled' });
      const event = { name: 'throttled', to: 'throttled', payload: { kind: 'a' } };
      await seen(_id, subscriberId, 'a', 1, 600);
      expect(summaries(await stepsOf(event))).toEqual([
        ['throttle would_complete', 'Pending: Step queued', 'Success: Step completed'],
        ['in_app would_send', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      await seen(_id, subscriberId, 'a', 2, 600);
      const steps = await stepsOf(event);
      expect(summaries(steps)).toEqual([
        ['throttle would_skip', 'Pending: Step queued', 'Success: Throttle limit exceeded for the given window'],
        ['in_app would_skip', 'Success: Throttle limit exceeded for the given window'],
      ]);
      expect(steps[0]!.details[1]!.raw).toMatchObject({ shouldSkip: true, executionCount: 3, threshold: 2 });
    });

    it('passes the output of a custom step to later steps', async () => {
      await workflow('custom', [
        { type: 'custom', controlValues: { total: '{{payload.a}}0' } },
        inApp('Total {{steps.s0.total}}'),
      ]);
      const steps = await stepsOf({ name: 'custom', to: 'x', payload: { a: 4 } });
      expect(steps[0]).toMatchObject({ outcome: 'would_complete', why: 'Step completed' });
      expect(steps[1]!.content!.body).toBe('Total 40');
    });
  });

  describe('recipients of a dry run', () => {
    beforeAll(async () => {
      await workflow('many', [inApp('Hi')]);
      await must('POST', '/v2/topics', { key: 'crowd', name: 'Crowd' });
      const subscribers = Array.from({ length: 30 }, (_, index) => ({ subscriberId: `crowd-${index}` }));
      await must('POST', '/v1/subscribers/bulk', { subscribers });
      await must('POST', '/v2/topics/crowd/subscriptions', {
        subscriptions: subscribers.map(({ subscriberId }) => subscriberId),
      });
    });

    it('resolves topics to their members without the excluded ones, the actor and duplicates', async () => {
      const answer = await explain({
        name: 'many',
        to: [
          { type: 'Topic', topicKey: 'crowd', exclude: ['crowd-1'] },
          'crowd-2',
          { type: 'Topic', topicKey: 'unknown' },
        ],
        actor: 'crowd-0',
      });
      expect(answer).toMatchObject({ recipientCount: 28, truncated: true });
      const ids = answer.recipients.map(({ subscriberId }) => subscriberId);
      expect(ids).toHaveLength(20);
      expect(ids.filter((id) => ['crowd-0', 'crowd-1'].includes(id))).toEqual([]);
      expect(ids.filter((id) => id === 'crowd-2')).toHaveLength(1);
      expect(answer.recipients[0]).toMatchObject({ subscriberId: 'crowd-2', exists: true });
      expect(answer.recipients[0]).not.toHaveProperty('topics');
      expect(answer.recipients[1]).toMatchObject({ exists: true, topics: ['crowd'] });
    });

    it('leaves out members whose subscription preferences do not match the event', async () => {
      await must('POST', '/v2/topics', { key: 'picky', name: 'Picky' });
      const picky = async (subscriberId: string, preference: object) => {
        await must('POST', '/v2/topics/picky/subscriptions', {
          subscriptions: [subscriberId],
          preferences: [{ workflowId: 'many', ...preference }],
        });
      };
      await picky('crowd-3', { enabled: false });
      await picky('crowd-4', { condition: { '==': [{ var: 'payload.kind' }, 'a'] } });
      await picky('crowd-5', { condition: { '==': [{ var: 'payload.kind' }, 'b'] } });
      const answer = await explain({
        name: 'many',
        to: { type: 'Topic', topicKey: 'picky' },
        payload: { kind: 'a' },
      });
      expect(answer.recipients.map(({ subscriberId }) => subscriberId)).toEqual(['crowd-4']);
      expect(answer.recipientCount).toBe(1);
      expect(answer).not.toHaveProperty('truncated');
    });

    it('counts all subscribers of the environment for a broadcast', async () => {
      const [row] = await gateway.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM subscriber WHERE environment_id = $1`,
        [gateway.environmentId],
      );
      const { body } = await gateway.call<TriggerResultDto>('POST', '/v1/events/trigger/broadcast?dryRun=true', {
        name: 'many',
        payload: {},
      });
      expect(body.dryRun).toMatchObject({ recipientCount: row!.count, truncated: true });
      expect(body.dryRun!.recipients).toHaveLength(20);
    });

    it('explains 100 events with at most 12 statements', async () => {
      await workflow('wide', [{ type: 'digest', controlValues: { amount: 1, unit: 'hours' } }, inApp(), email()]);
      const events = Array.from({ length: 100 }, (_, index) => ({
        name: index % 2 ? 'wide' : 'many',
        to: [`crowd-${index % 30}`, { subscriberId: `wide-${index}`, email: 'w@x.test' }, { topicKey: 'crowd' }],
        actor: `wide-${index}`,
        context: { region: `r-${index}` },
      }));
      // The first call may be the one that reads again what the gateway knows of the environment.
      await bulk(events);
      const stop = gateway.watchStatements();
      const { body } = await bulk(events);
      const statements = stop();
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.length).toBeLessThanOrEqual(12);
      expect(body).toHaveLength(100);
      for (const { dryRun: own } of body) {
        expect(own!.recipients).toHaveLength(1);
        expect(own).toMatchObject({ recipientCount: 31, truncated: true });
      }
    });

    it('omits contents when the response becomes too large', async () => {
      await workflow('huge', [inApp('{{payload.text}}')]);
      const text = 'x'.repeat(500_000);
      const { body } = await bulk(Array.from({ length: 12 }, () => ({ name: 'huge', to: 'x', payload: { text } })));
      const steps = body.map(({ dryRun: own }) => own!.recipients[0]!.steps[0]!);
      expect(steps[0]!.content!.body).toHaveLength(500_000);
      expect(steps.at(-1)).toMatchObject({ outcome: 'would_send', contentOmitted: true });
      expect(steps.at(-1)).not.toHaveProperty('content');
    });
  });
});
