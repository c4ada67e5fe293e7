import { createHmac } from 'node:crypto';
import { Novu } from '@novu/api';
import { ErrorDto } from '@novu/api/models/errors/errordto';
import { PayloadValidationExceptionDto } from '@novu/api/models/errors/payloadvalidationexceptiondto';
import { SubscriberResponseDto } from '@novu/api/models/errors/subscriberresponsedto';
import { TopicResponseDto } from '@novu/api/models/errors/topicresponsedto';
import { ValidationErrorDto } from '@novu/api/models/errors/validationerrordto';
import { newId, type SubscriberRowId } from '@clarion/contracts';
import { insertExecutionDetails, insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';

/** The client as published. It parses every response strictly and throws at the first field that it does not expect. */
describe('published SDK', () => {
  let gateway: TestGateway;
  let novu: Novu;

  beforeAll(async () => {
    gateway = await startGateway();
    novu = new Novu({ secretKey: gateway.key, serverURL: gateway.url, retryConfig: { strategy: 'none' } });
  });
  afterAll(() => gateway.close());

  const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => Promise.reject(new Error('the call was not refused')),
      (error: unknown) => error,
    );

  it('creates, reads, changes, finds and deletes subscribers', async () => {
    const created = await novu.subscribers.create({
      subscriberId: 'ada',
      firstName: 'Ada',
      email: 'ada@example.com',
      timezone: 'Europe/London',
      locale: 'en_GB',
      data: { plan: 'gold' },
    });
    expect(created.result).toMatchObject({
      subscriberId: 'ada',
      firstName: 'Ada',
      data: { plan: 'gold' },
      environmentId: gateway.environmentId,
      organizationId: gateway.organizationId,
      lastName: null,
      channels: [],
      deleted: false,
    });
    expect(created.headers['ratelimit-limit']).toEqual([expect.stringMatching(/^\d+$/)]);

    const patched = await novu.subscribers.patch({ lastName: 'Byron', email: null }, 'ada');
    expect(patched.result).toMatchObject({ id: created.result.id, lastName: 'Byron', email: null });
    expect((await novu.subscribers.retrieve('ada')).result).toEqual(patched.result);

    const bulk = await novu.subscribers.createBulk({
      subscribers: [{ subscriberId: 'ada' }, { subscriberId: 'a/b ü' }],
    });
    expect(bulk.result).toEqual({
      created: [{ subscriberId: 'a/b ü' }],
      updated: [{ subscriberId: 'ada' }],
      failed: [],
    });

    const first = await novu.subscribers.search({ limit: 1, orderDirection: 'ASC' });
    expect(first.result).toMatchObject({
      data: [{ subscriberId: 'ada' }],
      previous: null,
      totalCount: 2,
      totalCountCapped: false,
    });
    const second = await novu.subscribers.search({ limit: 1, orderDirection: 'ASC', after: first.result.next! });
    expect(second.result).toMatchObject({ data: [{ subscriberId: 'a/b ü' }], next: null });

    expect((await novu.subscribers.delete('a/b ü')).result).toEqual({ acknowledged: true, status: 'deleted' });
  });

  it('updates, appends and deletes provider credentials of a subscriber', async () => {
    await novu.subscribers.create({ subscriberId: 'phone' });
    const { result: integration } = await novu.integrations.create({
      providerId: 'expo',
      channel: 'push',
      active: true,
      credentials: { apiKey: 'k' },
    });
    const update = await novu.subscribers.credentials.update(
      { providerId: 'expo', credentials: { deviceTokens: ['a'] } },
      'phone',
    );
    expect(update.result.channels).toEqual([
      expect.objectContaining({
        providerId: 'expo',
        credentials: { deviceTokens: ['a'] },
        integrationId: integration.id,
      }),
    ]);
    const append = await novu.subscribers.credentials.append(
      { providerId: 'expo', credentials: { deviceTokens: ['b'] } },
      'phone',
    );
    expect(append.result.channels![0]!.credentials).toEqual({ deviceTokens: ['a', 'b'] });

    await novu.integrations.create({ providerId: 'novu-slack', channel: 'chat', active: true });
    const slack = await novu.subscribers.credentials.update(
      { providerId: 'novu-slack', credentials: { webhookUrl: 'https://example.com' } },
      'phone',
    );
    expect(slack.result.channels!.map(({ providerId }) => providerId).sort()).toEqual(['expo', 'novu-slack']);

    await novu.subscribers.credentials.delete('phone', 'expo');
    expect((await novu.subscribers.retrieve('phone')).result.channels).toHaveLength(1);
    await novu.integrations.delete(integration.id!);
  });

  it('creates, reads, changes, lists and deletes topics and their subscriptions', async () => {
    const created = await novu.topics.create({ key: 'a:news', name: 'News' });
    expect(created.result).toMatchObject({ key: 'a:news', name: 'News' });
    expect((await novu.topics.create({ key: 'a:news' })).result.id).toBe(created.result.id);
    expect((await novu.topics.get('a:news')).result).toMatchObject({ id: created.result.id, name: 'News' });
    expect((await novu.topics.update({ name: 'Newer' }, 'a:news')).result.name).toBe('Newer');
    expect((await novu.topics.list({ key: 'news' })).result).toMatchObject({ data: [{ key: 'a:news' }], next: null });

    await novu.subscribers.create({ subscriberId: 'reader', email: 'r@example.com' });
    const subscribed = await novu.topics.subscriptions.create(
      { subscriptions: ['reader', { subscriberId: 'missing', identifier: 'x' }] },
      'a:news',
    );
    expect(subscribed.result).toMatchObject({
      data: [{ identifier: 'tk_a:news:si_reader', topic: { key: 'a:news' }, subscriber: { subscriberId: 'reader' } }],
      meta: { totalCount: 2, successful: 1, failed: 1 },
      errors: [{ subscriberId: 'missing', code: 'SUBSCRIBER_NOT_FOUND' }],
    });
    const listed = await novu.topics.subscriptions.list({ topicKey: 'a:news', limit: 10 });
    expect(listed.result).toMatchObject({
      data: [{ subscriber: { subscriberId: 'reader', email: 'r@example.com', firstName: null } }],
      totalCount: 1,
    });
    const one = await novu.topics.subscriptions.getSubscription('a:news', 'tk_a:news:si_reader');
    expect(one.result.id).toBe(listed.result.data[0]!.id);
    expect((await novu.topics.subscribers.retrieve('reader', 'a:news')).result).toMatchObject({
      externalSubscriberId: 'reader',
    });
    expect((await novu.subscribers.topics.list({ subscriberId: 'reader' })).result.data).toHaveLength(1);

    const ended = await novu.topics.subscriptions.delete({ subscriptions: ['reader'] }, 'a:news');
    expect(ended.result.meta).toEqual({ totalCount: 1, successful: 1, failed: 0 });
    expect((await novu.topics.delete('a:news')).result).toEqual({ acknowledged: true });
  });

  it('sets preferences and contexts of topic subscriptions', async () => {
    const { result: workflow } = await workflowOf('chosen-by-topic');
    await novu.subscribers.create({ subscriberId: 'chooser' });
    const condition = { '==': [{ var: 'payload.tier' }, 'gold'] };
    const created = await novu.topics.subscriptions.create(
      {
        subscriptions: [{ subscriberId: 'chooser', identifier: 'chosen' }],
        context: { team: 'red', region: { id: 'eu', data: { a: 1 } } },
        preferences: [{ workflowId: 'chosen-by-topic', condition }],
      },
      'choices',
    );
    expect(created.result.data[0]).toMatchObject({ identifier: 'chosen', contextKeys: ['region:eu', 'team:red'] });
    const one = await novu.topics.subscriptions.getSubscription('choices', 'chosen');
    expect(one.result.preferences).toEqual([
      {
        subscriptionId: one.result.id,
        workflow: expect.objectContaining({ id: workflow.id, identifier: 'chosen-by-topic', critical: false }),
        enabled: true,
        condition,
      },
    ]);
    const updated = await novu.topics.subscriptions.update({
      topicKey: 'choices',
      identifier: 'chosen',
      updateTopicSubscriptionRequestDto: {
        name: 'Chosen',
        preferences: [{ filter: { workflowIds: ['chosen-by-topic'] }, enabled: false }],
      },
    });
    expect(updated.result).toMatchObject({ name: 'Chosen', preferences: [{ enabled: false }] });
    const listed = await novu.topics.subscriptions.list({ topicKey: 'choices' });
    expect(listed.result.data[0]!.preferences).toEqual(updated.result.preferences);
    expect((await novu.contexts.retrieve('eu', 'region')).result.data).toEqual({ a: 1 });
  });

  it('creates, reads, updates, lists and deletes contexts', async () => {
    const { result: created } = await novu.contexts.create({ type: 'workspace', id: 'w-1', data: { plan: 'gold' } });
    expect(created).toMatchObject({ type: 'workspace', id: 'w-1', data: { plan: 'gold' } });
    expect((await novu.contexts.retrieve('w-1', 'workspace')).result).toEqual(created);
    const updated = await novu.contexts.update({
      type: 'workspace',
      id: 'w-1',
      updateContextRequestDto: { data: { plan: 'free' } },
    });
    expect(updated.result.data).toEqual({ plan: 'free' });
    const listed = await novu.contexts.list({ search: 'space:w', id: 'w-1', limit: 5 });
    expect(listed.result).toMatchObject({ data: [updated.result], next: null, previous: null, totalCount: 1 });
    await novu.contexts.delete('w-1', 'workspace');
    expect(await refusalOf(novu.contexts.retrieve('w-1', 'workspace'))).toBeInstanceOf(ErrorDto);
  });

  it('creates, reads, updates, previews, duplicates, lists and deletes layouts', async () => {
    const { result: created } = await novu.layouts.create({ layoutId: 'frame', name: 'Frame' });
    expect(created).toMatchObject({ layoutId: 'frame', name: 'Frame', isDefault: true, origin: 'novu-cloud' });
    const email = { body: '<h1>{{subscriber.firstName}}</h1>{{content}}', editorType: 'html' } as const;
    const updated = await novu.layouts.update({ name: 'Framed', controlValues: { email } }, 'frame');
    expect(updated.result).toMatchObject({ id: created.id, name: 'Framed', controls: { values: { email } } });
    expect((await novu.layouts.retrieve('frame')).result).toEqual(updated.result);
    const preview = await novu.layouts.generatePreview(
      { previewPayload: { subscriber: { firstName: 'Ada' } } },
      created.slug,
    );
    expect(preview.result).toMatchObject({
      result: { type: 'email', preview: { body: expect.stringContaining('<h1>Ada</h1>') } },
      previewPayloadExample: { subscriber: { firstName: 'Ada' } },
    });
    const copy = await novu.layouts.duplicate({ name: 'Second Frame' }, 'frame');
    expect(copy.result).toMatchObject({ layoutId: 'second-frame', isDefault: false, controls: { values: { email } } });
    expect(
      (await novu.layouts.list({ query: 'frame', orderDirection: 'ASC', orderBy: 'createdAt', limit: 1 })).result,
    ).toMatchObject({
      layouts: [{ layoutId: 'frame' }],
      totalCount: 2,
    });
    expect((await novu.layouts.usage('second-frame')).result).toEqual({ workflows: [] });
    await novu.layouts.delete('second-frame');
    expect(await refusalOf(novu.layouts.retrieve('second-frame'))).toBeInstanceOf(ErrorDto);
  });

  it('creates, updates, lists and deletes integrations', async () => {
    const created = await novu.integrations.create({
      providerId: 'mailgun',
      channel: 'email',
      name: 'Mail',
      environmentId: gateway.environmentId,
      credentials: {
        apiKey: 'key',
        baseUrl: 'https://api.mailgun.net',
        user: 'user',
        domain: 'example.com',
        from: 'a@example.com',
        senderName: 'A',
      },
      active: true,
      check: false,
      conditions: [
        {
          isNegated: false,
          type: 'GROUP',
          value: 'AND',
          children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }],
        },
      ],
    });
    expect(created.result).toMatchObject({
      name: 'Mail',
      channel: 'email',
      active: true,
      primary: false,
      credentials: { apiKey: 'key' },
      conditions: [{ children: [{ field: 'plan' }] }],
    });
    const id = created.result.id!;
    const updated = await novu.integrations.update(
      { name: 'Mailgun', configurations: { inboundWebhookEnabled: true } },
      id,
    );
    expect(updated.result).toMatchObject({ name: 'Mailgun', credentials: { apiKey: 'key' } });
    expect((await novu.integrations.setAsPrimary(id)).result).toMatchObject({ id, primary: true, conditions: [] });
    const inApp = expect.objectContaining({ providerId: 'novu', channel: 'in_app' });
    expect((await novu.integrations.list()).result).toEqual(
      expect.arrayContaining([inApp, expect.objectContaining({ id })]),
    );
    expect((await novu.integrations.listActive()).result).toEqual(
      expect.arrayContaining([inApp, expect.objectContaining({ id })]),
    );
    const left = (await novu.integrations.delete(id)).result;
    expect(left).toContainEqual(inApp);
    expect(left).not.toContainEqual(expect.objectContaining({ id }));
  });

  const welcome = {
    name: 'Welcome',
    active: true,
    steps: [
      { name: 'Wait', type: 'digest', controlValues: { type: 'regular', amount: 5, unit: 'minutes' } },
      { name: 'Inbox', type: 'in_app', controlValues: { subject: 'Hi', body: 'Hello {{payload.name}}' } },
      { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } },
    ],
  } as const;
  const workflowOf = (workflowId: string) =>
    novu.workflows.create({ ...welcome, steps: [...welcome.steps], workflowId, source: 'dashboard' });

  it('creates, reads, changes, previews, lists and deletes workflows', async () => {
    const created = await workflowOf('managed');
    expect(created.result).toMatchObject({
      workflowId: 'managed',
      origin: 'novu-cloud',
      status: 'ACTIVE',
      active: true,
      steps: [{ type: 'digest' }, { type: 'in_app', slug: expect.any(String) }, { type: 'email' }],
      preferences: { default: { all: { enabled: true } } },
    });
    const [, inbox] = created.result.steps;
    expect((await novu.workflows.get('managed')).result.steps).toHaveLength(3);
    expect((await novu.workflows.list({ query: 'managed', limit: 5 })).result).toMatchObject({
      workflows: [{ workflowId: 'managed', stepTypeOverviews: ['digest', 'in_app', 'email'] }],
      totalCount: 1,
    });
    const patched = await novu.workflows.patch({ active: false, tags: ['a'] }, 'managed');
    expect(patched.result).toMatchObject({ active: false, status: 'INACTIVE', tags: ['a'] });
    const updated = await novu.workflows.update(
      {
        name: 'Renamed',
        origin: 'novu-cloud',
        preferences: { user: null },
        steps: [{ id: inbox!.id, name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{payload.name}}' } }],
      },
      'managed',
    );
    expect(updated.result).toMatchObject({ name: 'Renamed', steps: [{ id: inbox!.id }] });
    const step = await novu.workflows.steps.retrieve('managed', inbox!.id);
    expect(step.result).toMatchObject({ id: inbox!.id, type: 'in_app', workflowDatabaseId: created.result.id });
    const preview = await novu.workflows.steps.generatePreview({
      workflowId: 'managed',
      stepId: inbox!.id,
      generatePreviewRequestDto: { previewPayload: { payload: { name: 'Ada' } } },
    });
    expect(preview.result.result).toMatchObject({ type: 'in_app', preview: { body: 'Hello Ada' } });
    await novu.workflows.delete('managed');
    expect(await refusalOf(novu.workflows.get('managed'))).toBeInstanceOf(ErrorDto);
  });

  it('reads and changes preferences and the online status', async () => {
    const { result: workflow } = await workflowOf('preferred');
    await novu.workflows.create({
      ...welcome,
      steps: [...welcome.steps],
      workflowId: 'urgent',
      preferences: { user: { all: { enabled: true, readOnly: true }, channels: {} } },
    });
    await novu.subscribers.create({ subscriberId: 'picky' });
    const { result: first } = await novu.subscribers.preferences.list({ subscriberId: 'picky', criticality: 'all' });
    expect(first.global).toEqual({
      enabled: true,
      channels: { email: true, sms: true, inApp: true, chat: true, push: true },
    });
    expect(first.workflows.map(({ workflow: { identifier } }) => identifier)).toEqual(
      expect.arrayContaining(['preferred', 'urgent']),
    );

    const schedule = {
      isEnabled: true,
      weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
    };
    // The SDK knows a channel that does not exist here.
    const flags = { sms: false, tool: false };
    const global = await novu.subscribers.preferences.update({ channels: flags, schedule }, 'picky');
    expect(global.result.global).toMatchObject({ channels: { sms: false, email: true }, schedule });
    const one = await novu.subscribers.preferences.update(
      { workflowId: workflow.slug, channels: { inApp: false } },
      'picky',
    );
    expect(one.result.workflows).toEqual([
      {
        enabled: true,
        channels: { inApp: false, email: true },
        overrides: [{ channel: 'in_app', source: 'subscriber' }],
        workflow: { slug: workflow.slug, identifier: 'preferred', name: 'Welcome', updatedAt: workflow.updatedAt },
        updatedAt: expect.any(String),
      },
    ]);
    const bulk = await novu.subscribers.preferences.bulkUpdate(
      { preferences: [{ workflowId: 'preferred', channels: { email: false } }], context: { team: 'a' } },
      'picky',
    );
    expect(bulk.result).toMatchObject([
      {
        level: 'template',
        channels: { inApp: false, email: false },
        workflow: { id: workflow.id, critical: false, severity: 'none' },
      },
    ]);
    const { result: inTeam } = await novu.subscribers.preferences.list({
      subscriberId: 'picky',
      contextKeys: ['team:a'],
    });
    expect(inTeam.workflows).toContainEqual(expect.objectContaining({ channels: { inApp: false, email: false } }));
    const refused = await refusalOf(
      novu.subscribers.preferences.update({ workflowId: 'urgent', channels: { email: false } }, 'picky'),
    );
    expect(refused).toBeInstanceOf(ErrorDto);
    expect(refused).toMatchObject({ statusCode: 400 });

    const online = await novu.subscribers.properties.updateOnlineFlag({ isOnline: false }, 'picky');
    expect(online.result).toMatchObject({ subscriberId: 'picky', isOnline: false, lastOnlineAt: expect.any(String) });
  });

  it('triggers, broadcasts and cancels events', async () => {
    await workflowOf('triggered');
    const one = await novu.trigger({
      workflowId: 'triggered',
      to: { subscriberId: 'new-one', email: 'n@example.com' },
      payload: { name: 'N' },
      overrides: { providers: { sendgrid: { a: 1 } } },
      transactionId: 'sdk-1',
    });
    expect(one.result).toEqual({ acknowledged: true, status: 'processed', transactionId: 'sdk-1' });
    const many = await novu.triggerBulk({
      events: [
        { workflowId: 'triggered', to: 'ada', payload: {} },
        { workflowId: 'triggered', to: [{ type: 'Topic', topicKey: 'somewhere' }, 'ada'] },
        { workflowId: 'unknown', to: ['ada'] },
      ],
    });
    expect(many.result.map(({ status }) => status)).toEqual(['processed', 'processed', 'error']);
    expect(many.result[2]!.error![0]).toBe('workflow_not_found');
    const all = await novu.triggerBroadcast({ name: 'triggered', payload: { name: 'All' } });
    expect(all.result).toMatchObject({ acknowledged: true, status: 'processed' });
    expect((await novu.cancel('sdk-1')).result).toBe(true);
    expect((await novu.cancel('nothing')).result).toBe(false);
  });

  it('reads the activity, messages and the feed, and deletes messages', async () => {
    const { notification, inApp, email } = await writeHistory(gateway, novu, (await workflowOf('recorded')).result.id);

    const event = await novu.notifications.retrieve(notification.id);
    expect(event.result).toMatchObject({
      id: notification.id,
      transactionId: notification.transactionId,
      subscriber: { subscriberId: 'history' },
      template: { name: 'Welcome', origin: 'novu-cloud', triggers: [{ type: 'event', identifier: 'recorded' }] },
      jobs: [
        { type: 'digest', providerId: 'novu', digest: { type: 'regular' }, executionDetails: [{ status: 'Pending' }] },
        {
          type: 'in_app',
          providerId: 'novu',
          executionDetails: [{ detail: 'Message sent', providerId: 'novu', raw: '{}' }],
        },
        {
          type: 'email',
          providerId: 'sendgrid',
          status: 'failed',
          executionDetails: [{ status: 'Failed', source: 'Credentials' }],
        },
      ],
      channels: ['digest', 'in_app', 'email'],
      payload: { name: 'Ada' },
    });
    const events = await novu.notifications.list({
      transactionId: notification.transactionId,
      channels: ['email'],
      page: 0,
      limit: 5,
    });
    expect(events.result).toMatchObject({ data: [event.result], hasMore: false, page: 0, pageSize: 5 });

    const messages = await novu.messages.retrieve({ transactionId: [notification.transactionId] });
    expect(messages.result).toMatchObject({
      data: [
        {
          id: email!.id,
          channel: 'email',
          status: 'error',
          errorText: 'refused',
          content: [{ type: 'text', content: 'Block' }],
        },
        {
          id: inApp!.id,
          channel: 'in_app',
          content: 'Hello Ada',
          providerId: 'novu',
          subscriber: { subscriberId: 'history' },
        },
      ],
      hasMore: false,
    });
    const feed = await novu.subscribers.notifications.feed({ subscriberId: 'history', seen: false, limit: 10 });
    expect(feed.result).toMatchObject({
      data: [
        {
          id: inApp!.id,
          content: 'Hello Ada',
          archived: false,
          cta: { type: 'redirect' },
          actor: { type: 'user', data: null },
        },
      ],
      totalCount: 1,
    });

    expect((await novu.messages.delete(email!.id)).result).toEqual({ acknowledged: true, status: 'deleted' });
    await novu.messages.deleteByTransactionId(notification.transactionId, 'in_app');
    expect((await novu.messages.retrieve({ transactionId: [notification.transactionId] })).result.data).toEqual([]);
  });

  it('lists, counts and changes the notifications in the inbox of a subscriber', async () => {
    const subscriberId = 'inbox';
    const { result: subscriber } = await novu.subscribers.create({ subscriberId, firstName: 'Ada' });
    const { result: workflow } = await workflowOf('inbox');
    const [first, second] = await insertMessages(
      gateway.database,
      ['First', 'Second'].map((content) => ({
        environmentId: gateway.environmentId,
        subscriberId: subscriber.id!,
        workflowId: workflow.id,
        content,
        subject: content,
        avatar: 'https://example.com/a.png',
        tags: ['a'],
        data: { plan: 'gold' },
        severity: 'high' as const,
        providerId: 'platform' as const,
        payload: { name: 'Ada' },
        deliveredAt: [new Date()],
        contextKeys: ['t:1'],
        cta: {
          type: 'redirect',
          data: { url: '/x', target: '_self' },
          action: { status: 'pending', result: {}, buttons: [{ type: 'primary', content: 'Go', url: '/go' }] },
        },
      })),
    );
    const { id } = first!;
    const { notifications, messages } = novu.subscribers;

    const page = await notifications.list({
      subscriberId,
      limit: 1,
      offset: 0,
      read: false,
      archived: false,
      snoozed: false,
      seen: false,
      data: '{"plan":"gold"}',
      severity: ['high'],
      createdGte: Date.now() - 3_600_000,
      createdLte: Date.now() + 3_600_000,
      contextKeys: ['t:1'],
    });
    expect(page.result).toMatchObject({
      data: [
        {
          body: 'Second',
          to: { subscriberId, firstName: 'Ada' },
          workflow: { id: workflow.id, identifier: 'inbox', name: 'Welcome', critical: false, severity: 'none' },
          primaryAction: { label: 'Go', isCompleted: false, redirect: { url: '/go' } },
          redirect: { url: '/x', target: '_self' },
          deliveredAt: [expect.any(String)],
        },
      ],
      hasMore: true,
    });
    const rest = await notifications.list({ subscriberId, after: page.result.data[0]!.id });
    expect(rest.result).toMatchObject({ data: [{ id, body: 'First' }], hasMore: false });
    expect((await notifications.count(subscriberId, '[{"seen":false},{"read":true}]')).result).toEqual([
      { count: 2, filter: { seen: false } },
      { count: 0, filter: { read: true } },
    ]);
    expect((await notifications.unseenCount({ subscriberId })).result).toEqual({ count: 2 });

    const one = { subscriberId, notificationId: id };
    expect((await notifications.markAsRead(one)).result).toMatchObject({ id, isRead: true, isSeen: true });
    expect((await notifications.markAsUnread(one)).result).toMatchObject({ isRead: false, isSeen: true });
    expect((await notifications.archive(one)).result).toMatchObject({ isArchived: true, isRead: true });
    expect((await notifications.unarchive(one)).result).toMatchObject({ isArchived: false, isRead: true });
    const snoozeUntil = new Date(Date.now() + 3_600_000);
    const snoozed = await notifications.snooze({ ...one, snoozeSubscriberNotificationDto: { snoozeUntil } });
    expect(snoozed.result).toMatchObject({ isSnoozed: true, snoozedUntil: snoozeUntil.toISOString() });
    expect((await notifications.unsnooze(one)).result).toMatchObject({ isSnoozed: false });
    const action = { ...one, actionType: 'primary' as const };
    expect((await notifications.completeAction(action)).result.primaryAction).toMatchObject({ isCompleted: true });
    expect((await notifications.revertAction(action)).result.primaryAction).toMatchObject({ isCompleted: false });

    await notifications.markAsSeen({ notificationIds: [second!.id] }, subscriberId);
    expect((await notifications.unseenCount({ subscriberId })).result).toEqual({ count: 0 });
    const marked = await messages.markAllAs({ messageId: [id, second!.id], markAs: 'unseen' }, subscriberId);
    expect(marked.result.map((message) => [message.providerId, message.seen])).toEqual([
      ['novu', false],
      ['novu', false],
    ]);
    expect((await messages.markAll({ markAs: 'seen' }, subscriberId)).result).toBe(2);
    const used = await messages.updateAsSeen({
      subscriberId,
      messageId: id,
      type: 'primary',
      markMessageActionAsSeenDto: { status: 'done' },
    });
    expect(used.result).toMatchObject({ id, cta: { action: { status: 'done', result: { type: 'primary' } } } });

    await notifications.markAllAsRead({ tags: {}, contextKeys: ['t:1'] }, subscriberId);
    expect((await notifications.count(subscriberId, '[{"read":true}]')).result[0]!.count).toBe(2);
    await notifications.archiveAllRead({ data: '{"plan":"none"}' }, subscriberId);
    await notifications.archiveAll({ contextKeys: [] }, subscriberId);
    expect((await notifications.count(subscriberId, '[{"archived":true}]')).result[0]!.count).toBe(0);
    await notifications.archiveAllRead({}, subscriberId);
    expect((await notifications.count(subscriberId, '[{"archived":true}]')).result[0]!.count).toBe(2);
    await notifications.delete(one);
    expect(await refusalOf(notifications.delete(one))).toBeInstanceOf(ErrorDto);
    await notifications.deleteAll({}, subscriberId);
    expect((await notifications.list({ subscriberId })).result.data).toEqual([]);
  });

  it('reports delivery events by activity.track', async () => {
    const { result: integration } = await novu.integrations.create({ providerId: 'mailgun', channel: 'email' });
    await gateway.call('PUT', `/v1/integrations/${integration.id}`, {
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'signing-key' },
    });
    const [message] = await insertMessages(gateway.database, [
      { environmentId: gateway.environmentId, integrationId: integration.id!, subscriberId: newId(), channel: 'email' },
    ]);
    const timestamp = String(Math.floor(Date.now() / 1000));
    // Mailgun makes a new token for each webhook; a second webhook with the same token is rejected.
    const sign = (token: string) => createHmac('sha256', 'signing-key').update(`${timestamp}${token}`).digest('hex');
    const track = (event: string) =>
      novu.activity.track({
        environmentId: gateway.environmentId,
        integrationId: integration.id!,
        requestBody: {
          signature: { timestamp, token: event, signature: sign(event) },
          'event-data': {
            id: event,
            event,
            timestamp: Number(timestamp),
            'user-variables': { messageId: message!.id },
          },
        },
      });
    expect(await track('delivered')).toMatchObject([{ event: { status: 'delivered' } }]);
    // The SDK uses other names for some events.
    expect(await track('complained')).toMatchObject([{ event: { status: 'complaint' } }]);
    expect(await track('unheard-of')).toEqual([]);
    const { result } = await novu.messages.retrieve({ channel: 'email', limit: 100 });
    expect(result.data.find(({ id }) => id === message!.id)!.deliveredAt).toHaveLength(1);
  });

  it('lists, creates and updates environments with a key of the scope admin', async () => {
    const created = await novu.environments.create({ name: 'Staging', color: '#1a2b3c' });
    expect(created.result).toMatchObject({ name: 'Staging', apiKeys: [{ key: expect.any(String) }] });
    const names = (await novu.environments.list()).result.map(({ name }) => name);
    expect(names).toContain('Staging');
    const updated = await novu.environments.update({ name: 'Stage', color: '#ffffff' }, created.result.id);
    expect(updated.result).toMatchObject({ id: created.result.id, name: 'Stage' });
  });

  it('lists only its environment with a key of the scope full and cannot create another', async () => {
    const { result } = await novu.environments.create({ name: 'Confined', color: '#1a2b3c' });
    const confined = new Novu({
      secretKey: result.apiKeys![0]!.key,
      serverURL: gateway.url,
      retryConfig: { strategy: 'none' },
    });
    expect((await confined.environments.list()).result.map(({ name }) => name)).toEqual(['Confined']);
    const refusal = await refusalOf(confined.environments.create({ name: 'More', color: '#1a2b3c' }));
    expect(refusal).toBeInstanceOf(ErrorDto);
    expect(refusal).toMatchObject({ statusCode: 403 });
    expect(await refusalOf(confined.environments.update({ name: 'x' }, gateway.environmentId))).toMatchObject({
      statusCode: 404,
    });
  });

  it('creates a topic once under one idempotency key', async () => {
    await novu.topics.create({ key: 'once' }, true, 'the-key');
    const again = await novu.topics.create({ key: 'once' }, true, 'the-key');
    expect(again.result.key).toBe('once');
    expect(again.headers['idempotency-replay']).toEqual(['true']);
  });

  describe('errors of the published SDK', () => {
    it('parses a 404 as ErrorDto', async () => {
      for (const call of [
        () => novu.subscribers.retrieve('missing'),
        () => novu.subscribers.preferences.list({ subscriberId: 'missing' }),
        () => novu.subscribers.preferences.update({ channels: {} }, 'missing'),
        () => novu.subscribers.properties.updateOnlineFlag({ isOnline: true }, 'missing'),
        () => novu.topics.get('nothing'),
        () => novu.notifications.retrieve(newId()),
        () => novu.messages.delete(newId()),
        () => novu.integrations.delete(newId()),
        () => novu.workflows.get('nothing'),
      ]) {
        const error = await refusalOf(call());
        expect(error).toBeInstanceOf(ErrorDto);
        expect(error).toMatchObject({
          statusCode: 404,
          path: expect.stringMatching(/^\/v/),
          message: expect.any(String),
        });
      }
    });

    it('parses a 422 as ValidationErrorDto that names the field', async () => {
      const errors = [
        [await refusalOf(novu.subscribers.create({ subscriberId: ' ' })), 'subscriberId'],
        [await refusalOf(novu.notifications.list({ limit: 51 })), 'limit'],
        [await refusalOf(novu.notifications.retrieve('malformed')), 'notificationId'],
        [await refusalOf(novu.trigger({ workflowId: 'unknown', to: 'ada' })), 'name'],
        [await refusalOf(novu.integrations.create({ providerId: 'no-such', channel: 'sms' })), 'providerId'],
      ] as const;
      for (const [error, field] of errors) {
        expect(error).toBeInstanceOf(ValidationErrorDto);
        const messages: unknown = expect.arrayContaining([expect.any(String)]);
        expect(error).toMatchObject({ statusCode: 422, errors: { [field]: { messages } } });
      }
    });

    it('parses a 409 with the existing subscriber or topic', async () => {
      const { result: subscriber } = await novu.subscribers.create({ subscriberId: 'taken' });
      const error = await refusalOf(novu.subscribers.create({ subscriberId: 'taken' }, true));
      expect(error).toBeInstanceOf(SubscriberResponseDto);
      expect(error).toMatchObject({ statusCode: 409, id: subscriber.id, subscriberId: 'taken' });

      const { result: topic } = await novu.topics.create({ key: 'taken' });
      const other = await refusalOf(novu.topics.create({ key: 'taken' }, true));
      expect(other).toBeInstanceOf(TopicResponseDto);
      expect(other).toMatchObject({ statusCode: 409, id: topic.id, key: 'taken' });

      await novu.integrations.create({ providerId: 'sns', channel: 'sms', identifier: 'taken' });
      const third = await refusalOf(
        novu.integrations.create({ providerId: 'sns', channel: 'sms', identifier: 'taken' }),
      );
      expect(third).toBeInstanceOf(ErrorDto);
      expect(third).toMatchObject({ statusCode: 409 });
    });

    it('parses a 400, also of a payload that fails its schema', async () => {
      await novu.workflows.create({
        name: 'Strict',
        workflowId: 'strict',
        steps: [],
        validatePayload: true,
        payloadSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      });
      const payload = await refusalOf(novu.trigger({ workflowId: 'strict', to: 'ada', payload: {} }));
      expect(payload).toBeInstanceOf(PayloadValidationExceptionDto);
      expect(payload).toMatchObject({ statusCode: 400, type: 'PAYLOAD_VALIDATION_ERROR', errors: [{ field: 'name' }] });
      const cursors = await refusalOf(novu.subscribers.search({ after: 'a', before: 'b' }));
      expect(cursors).toBeInstanceOf(ErrorDto);
      expect(cursors).toMatchObject({ statusCode: 400 });
    });

    it('parses a 401 as ErrorDto', async () => {
      const stranger = new Novu({ secretKey: 'unknown', serverURL: gateway.url, retryConfig: { strategy: 'none' } });
      const error = await refusalOf(stranger.topics.list({}));
      expect(error).toBeInstanceOf(ErrorDto);
      expect(error).toMatchObject({ statusCode: 401, message: 'API Key not found' });
    });
  });
});

/** Inserts the history of a trigger: a waiting digest, a delivered in-app message and a failed email. */
async function writeHistory({ database, environmentId }: TestGateway, novu: Novu, workflowId: string) {
  const { result: subscriber } = await novu.subscribers.create({ subscriberId: 'history' });
  const subscriberId = subscriber.id! as SubscriberRowId;
  const [notification] = await insertNotifications(database, [
    {
      environmentId,
      subscriberId,
      workflowId,
      channels: ['digest', 'in_app', 'email'],
      payload: { name: 'Ada' },
      severity: 'high',
    },
  ]);
  const { id: notificationId, transactionId } = notification!;
  const steps = await insertSteps(database, notification!, [
    { type: 'digest', state: 'delayed', digest: { type: 'regular', amount: 5, unit: 'minutes', events: [] } },
    { type: 'in_app', state: 'completed' },
    { type: 'email', state: 'failed', providerId: 'sendgrid' },
  ]);
  const detail = (index: number) => ({ environmentId, notificationId, stepId: steps[index]!.id });
  await insertExecutionDetails(database, [
    { ...detail(0), status: 'Pending', detail: 'Digest is waiting' },
    { ...detail(1), providerId: 'platform', raw: '{}' },
    { ...detail(2), status: 'Failed', source: 'Credentials', detail: 'Provider refused', providerId: 'sendgrid' },
  ]);
  const message = {
    environmentId,
    subscriberId,
    notificationId,
    transactionId,
    workflowId,
  };
  const [inApp, email] = await insertMessages(database, [
    {
      ...message,
      stepId: steps[1]!.id,
      content: 'Hello Ada',
      providerId: 'platform',
      payload: { name: 'Ada' },
      actor: { type: 'user', data: null },
      deliveredAt: [new Date()],
      cta: { type: 'redirect', data: { url: '/x' } },
    },
    {
      ...message,
      stepId: steps[2]!.id,
      channel: 'email',
      content: [{ type: 'text', content: 'Block' }],
      status: 'error',
      errorId: 'provider_error',
      errorText: 'refused',
      providerId: 'sendgrid',
    },
  ]);
  return { notification: notification!, inApp, email };
}
