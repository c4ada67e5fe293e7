import { HeadlessService } from '@novu/headless';
import { Novu } from '@novu/js';
import {
  type EnvironmentDto,
  type Json,
  newId,
  type SubscriberDto,
  type SubscriberRowId,
  type WorkflowDto,
} from '@clarion/contracts';
import { type GivenMessage, insertMessages } from '@clarion/testing';
import { createInAppWorkflow, signatureOf, startGateway, type TestGateway } from './harness';

const HOUR = 3600 * 1000;

/** The unmodified client of the browser, in Node. Its sockets have a separate spec. */
describe('@novu/js', () => {
  let gateway: TestGateway;
  let applicationIdentifier: string;
  let novu: Novu;
  let subscriberId: string;
  let workflows: WorkflowDto[];

  beforeAll(async () => {
    gateway = await startGateway();
    applicationIdentifier = (await gateway.call<EnvironmentDto>('GET', '/v1/environments/me')).body.identifier;
    workflows = [];
    for (const [workflowId, rest] of Object.entries({
      plain: { tags: ['news'], severity: 'high' },
      other: { tags: ['shop'] },
      critical: { preferences: { user: { all: { enabled: true, readOnly: true }, channels: {} } } },
    })) {
      const steps = [
        { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hi' } },
        { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hi' } },
      ];
      const { body } = await gateway.call<WorkflowDto>('POST', '/v2/workflows', {
        name: workflowId,
        workflowId,
        steps,
        ...rest,
      });
      workflows.push(body);
    }
    novu = connect('ada');
    await novu.notifications.list();
    subscriberId = (await gateway.call<SubscriberDto>('GET', '/v2/subscribers/ada')).body._id!;
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM message`));

  const connect = (id: string, rest: object = {}): Novu =>
    new Novu({
      applicationIdentifier,
      subscriber: { subscriberId: id, firstName: 'Ada' },
      subscriberHash: signatureOf(id, gateway.key),
      apiUrl: gateway.url,
      socketUrl: gateway.url,
      useCache: false,
      ...rest,
    });
  const insert = (...rows: GivenMessage[]) =>
    insertMessages(
      gateway.database,
      rows.map((row) => ({
        environmentId: gateway.environmentId,
        subscriberId,
        workflowId: workflows[0]!._id,
        ...row,
      })),
    );
  /** The value of a result, or the words of its error. */
  const valueOf = async <T>(result: Promise<{ data?: T; error?: { originalError: Error } }>): Promise<T> => {
    const { data, error } = await result;
    if (error) throw error.originalError;
    return data!;
  };
  const buttons: Json[] = [
    { type: 'primary', content: 'Accept', url: '/accept' },
    { type: 'secondary', content: 'Decline' },
  ];

  it('lists pages of notifications with all their fields', async () => {
    const rows = await insert(
      ...[1, 2, 3].map((minute) => ({
        content: `Body ${minute}`,
        subject: 'Subject',
        tags: minute === 1 ? ['news'] : ['news', 'shop'],
        data: { plan: minute === 1 ? 'gold' : 'free' },
        severity: 'high' as const,
        cta: { action: { buttons } },
        createdAt: new Date(Date.now() - HOUR + minute * 60_000),
      })),
    );
    const first = await valueOf(novu.notifications.list({ limit: 2 }));
    expect(first.hasMore).toBe(true);
    expect(first.notifications.map(({ body }) => body)).toEqual(['Body 3', 'Body 2']);
    expect(first.notifications[0]).toMatchObject({
      id: rows[2]!.id,
      subject: 'Subject',
      to: { subscriberId: 'ada', firstName: 'Ada' },
      isRead: false,
      isSeen: false,
      isArchived: false,
      isSnoozed: false,
      channelType: 'in_app',
      tags: ['news', 'shop'],
      data: { plan: 'free' },
      severity: 'high',
      primaryAction: { label: 'Accept', isCompleted: false, redirect: { url: '/accept' } },
      secondaryAction: { label: 'Decline', isCompleted: false },
      workflow: { identifier: 'plain', critical: false },
    });
    const rest = await valueOf(novu.notifications.list({ limit: 2, after: rows[1]!.id }));
    expect([rest.notifications.map(({ body }) => body), rest.hasMore]).toEqual([['Body 1'], false]);

    const bodies = async (filter: Parameters<typeof novu.notifications.list>[0]) =>
      (await valueOf(novu.notifications.list(filter))).notifications.map(({ body }) => body);
    expect(await bodies({ data: { plan: 'gold' } })).toEqual(['Body 1']);
    expect(await bodies({ tags: ['shop'] })).toEqual(['Body 3', 'Body 2']);
    expect(await bodies({ tags: { or: ['shop', 'none'] } })).toEqual(['Body 3', 'Body 2']);
    expect(await bodies({ tags: { and: [{ or: ['news'] }, { or: ['shop'] }] } })).toEqual(['Body 3', 'Body 2']);
    expect(await bodies({ tags: { and: [{ or: ['news'] }, { or: ['none'] }] } })).toEqual([]);
    expect(await bodies({ severity: 'low' as never })).toEqual([]);
    expect(await bodies({ severity: ['high', 'low'] as never, offset: 2 })).toEqual(['Body 1']);
    expect(await bodies({ read: true })).toEqual([]);
  });

  it('counts by one filter and by several', async () => {
    await insert({ read: true, seen: true, tags: ['shop'] }, { severity: 'high' }, {});
    expect(await valueOf(novu.notifications.count({ read: false }))).toMatchObject({ count: 2 });
    const filters = [{ severity: 'high' as never }, { tags: { or: ['shop'] } }, { seen: false, snoozed: false }];
    const { counts } = (await valueOf(novu.notifications.count({ filters }))) as { counts: { count: number }[] };
    expect(counts.map(({ count }) => count)).toEqual([1, 1, 2]);
  });

  it('reads, archives, snoozes, completes and deletes single notifications', async () => {
    const [row] = await insert({ cta: { action: { buttons } } });
    const notificationId = row!.id;
    const of = { notificationId };
    const until = new Date(Date.now() + HOUR).toISOString();
    const { notifications } = novu;
    const [listed] = (await valueOf(notifications.list())).notifications;
    await valueOf(listed!.seen());
    expect((await valueOf(notifications.list())).notifications[0]!.isSeen).toBe(true);
    expect(await valueOf(notifications.read(of))).toMatchObject({ isRead: true, isSeen: true });
    expect(await valueOf(notifications.unread(of))).toMatchObject({ isRead: false });
    expect(await valueOf(notifications.archive(of))).toMatchObject({ isArchived: true, isRead: true });
    expect(await valueOf(notifications.unarchive(of))).toMatchObject({ isArchived: false });
    expect(await valueOf(notifications.snooze({ ...of, snoozeUntil: until }))).toMatchObject({
      isSnoozed: true,
      snoozedUntil: until,
    });
    expect(await valueOf(notifications.unsnooze(of))).toMatchObject({ isSnoozed: false });
    expect((await valueOf(notifications.completePrimary(of))).primaryAction!.isCompleted).toBe(true);
    expect((await valueOf(notifications.revertPrimary(of))).primaryAction!.isCompleted).toBe(false);
    expect((await valueOf(notifications.completeSecondary(of))).secondaryAction!.isCompleted).toBe(true);
    expect((await valueOf(notifications.revertSecondary(of))).secondaryAction!.isCompleted).toBe(false);
    await valueOf(notifications.delete(of));
    expect((await valueOf(notifications.list())).notifications).toEqual([]);
  });

  it('changes all notifications, or those with tags or data', async () => {
    await insert({ tags: ['shop'] }, { data: { plan: 'gold' } }, {}, { read: true, seen: true });
    const { notifications } = novu;
    const count = async (filter: object) => ((await valueOf(notifications.count(filter))) as { count: number }).count;
    await valueOf(notifications.readAll({ tags: { and: [{ or: ['shop'] }] } }));
    expect(await count({ read: true })).toBe(2);
    await valueOf(notifications.readAll({ data: { plan: 'gold' } }));
    expect(await count({ read: true })).toBe(3);
    await valueOf(notifications.seenAll());
    expect(await count({ seen: false })).toBe(0);
    await valueOf(notifications.archiveAllRead());
    expect(await count({ archived: true })).toBe(3);
    await valueOf(notifications.archiveAll());
    expect(await count({ archived: true })).toBe(4);
    await valueOf(notifications.deleteAll({ tags: ['shop'] }));
    expect(await count({})).toBe(3);
    await valueOf(notifications.deleteAll());
    expect(await count({})).toBe(0);
  });

  it('lists and changes preferences and the schedule', async () => {
    const { preferences } = novu;
    const listed = await valueOf(preferences.list());
    expect(listed.map(({ level, workflow }) => workflow?.identifier ?? level)).toEqual(['global', 'other', 'plain']);
    expect(listed[2]).toMatchObject({
      level: 'template',
      enabled: true,
      channels: { in_app: true, email: true },
      workflow: { id: workflows[0]!._id, name: 'plain', critical: false, tags: ['news'], severity: 'high' },
    });
    const identifiers = async (args: Parameters<typeof preferences.list>[0]) =>
      (await valueOf(preferences.list(args))).flatMap(({ workflow }) => workflow?.identifier ?? []);
    expect(await identifiers({ tags: ['shop', 'none'] })).toEqual(['other']);
    expect(await identifiers({ severity: 'high' as never })).toEqual(['plain']);
    expect(await identifiers({ criticality: 'critical' as never })).toEqual(['critical']);
    expect(await identifiers({ criticality: 'all' as never })).toHaveLength(3);

    expect((await valueOf(listed[2]!.update({ channels: { email: false } }))).channels).toEqual({
      in_app: true,
      email: false,
    });
    expect((await valueOf(listed[0]!.update({ channels: { sms: false } }))).channels).toMatchObject({ sms: false });
    const changed = await valueOf(
      preferences.bulkUpdate([
        { workflowId: 'plain', channels: { email: true } },
        { workflowId: 'other', channels: { in_app: false } },
      ]),
    );
    expect(changed.map(({ channels }) => channels)).toEqual([
      { in_app: true, email: true },
      { in_app: false, email: true },
    ]);

    expect((await valueOf(preferences.schedule.get())).isEnabled).toBeUndefined();
    const weeklySchedule = { friday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '01:00 PM' }] } };
    expect(await valueOf(preferences.schedule.update({ weeklySchedule }))).toMatchObject({ isEnabled: false });
    expect(await valueOf(preferences.schedule.update({ isEnabled: true }))).toMatchObject({
      isEnabled: true,
      weeklySchedule,
    });
    await expect(valueOf(preferences.update({ workflowId: 'critical', channels: {} }))).rejects.toThrow('Status: 400');
    await expect(valueOf(preferences.update({ workflowId: 'missing', channels: {} }))).rejects.toThrow('Status: 404');
  });

  it.each([
    ['without contexts', {}],
    ['in a context', { context: { workspace: 'acme', region: 'eu' } }],
  ])('subscribes to topics %s and changes their preferences', async (_, given) => {
    const contextHash = signatureOf('{"region":"eu","workspace":"acme"}', gateway.key);
    const options = { ...given, ...('context' in given && { contextHash }) };
    const { subscriptions } = connect('ada', options);
    const topicKey = 'releases';
    expect(await valueOf(subscriptions.list({ topicKey }))).toEqual([]);
    expect(await valueOf(subscriptions.get({ topicKey }))).toBeNull();
    const created = await valueOf(
      subscriptions.create({
        topicKey,
        topicName: 'Releases',
        preferences: ['plain', { workflowId: 'other', enabled: false }],
      }),
    );
    expect(created.preferences!.map(({ workflow, enabled }) => [workflow.identifier, enabled]).sort()).toEqual([
      ['other', false],
      ['plain', true],
    ]);
    const found = (await valueOf(subscriptions.get({ topicKey })))!;
    expect([found.id, found.identifier]).toEqual([created.id, created.identifier]);
    expect(await valueOf(subscriptions.list({ topicKey }))).toHaveLength(1);

    expect(await valueOf(found.updatePreference({ workflowId: 'plain', value: false }))).toMatchObject({
      subscriptionId: created.identifier,
      enabled: false,
      workflow: { identifier: 'plain' },
    });
    const condition = { '==': [{ var: 'payload.kind' }, 'major'] as [unknown, unknown] };
    const changes: { workflowId: string; value: boolean | typeof condition }[] = [
      { workflowId: 'plain', value: condition },
      { workflowId: workflows[1]!._id, value: true },
    ];
    const changed = await valueOf(found.bulkUpdatePreferences(changes));
    expect(changed.map(({ enabled, condition: rule }) => ({ enabled, rule }))).toEqual([
      { enabled: true, rule: condition },
      { enabled: true, rule: undefined },
    ]);
    const narrowed = await valueOf(
      subscriptions.get({ topicKey, identifier: found.identifier, workflowIds: ['plain'] }),
    );
    expect(narrowed!.preferences).toHaveLength(1);
    const update = { topicKey, identifier: found.identifier, preferences: [{ workflowId: 'plain', enabled: true }] };
    expect((await valueOf(subscriptions.update(update))).preferences).toHaveLength(1);

    const stranger = connect('bob', options).subscriptions;
    expect(await valueOf(stranger.get({ topicKey, identifier: found.identifier }))).toBeNull();
    await expect(valueOf(stranger.update(update))).rejects.toThrow('Status: 404');
    await expect(valueOf(stranger.delete(update))).rejects.toThrow('Status: 404');
    await expect(valueOf(stranger.create(update))).rejects.toThrow('Status: 400');
    await valueOf(subscriptions.delete({ topicKey, identifier: found.identifier }));
    expect(await valueOf(subscriptions.list({ topicKey }))).toEqual([]);
  });

  it('reads and marks the inbox without a signature, and says what needs one', async () => {
    const [row] = await insert({ content: 'Hello', cta: { action: { buttons } } });
    const of = { notificationId: row!.id };
    const unsigned = connect('ada', { subscriberHash: undefined, socketUrl: gateway.url });
    const { notifications } = unsigned;
    const [listed] = (await valueOf(notifications.list())).notifications;
    expect([listed!.body, listed!.to]).toEqual(['Hello', { id: subscriberId, subscriberId: 'ada' }]);
    expect(await valueOf(notifications.count({ read: false }))).toMatchObject({ count: 1 });
    await valueOf(listed!.seen());
    expect(await valueOf(notifications.read(of))).toMatchObject({ isRead: true });
    expect(await valueOf(notifications.archive(of))).toMatchObject({ isArchived: true });
    expect(await valueOf(notifications.unarchive(of))).toMatchObject({ isArchived: false });
    await valueOf(notifications.readAll());
    for (const refused of [
      () => notifications.delete(of),
      () => notifications.completePrimary(of),
      () => unsigned.preferences.list(),
      () => unsigned.preferences.update({ workflowId: 'plain', channels: { email: false } }),
      () => unsigned.subscriptions.create({ topicKey: 'news' }),
    ]) {
      const answer = valueOf(refused() as Promise<{ data?: unknown; error?: { originalError: Error } }>);
      await expect(answer).rejects.toThrow('This inbox session is unsigned');
    }
  });

  it('reports the message of every refusal', async () => {
    const { notifications } = novu;
    const [row] = await insert({});
    const notificationId = row!.id;
    const until = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
    await expect(valueOf(notifications.snooze({ notificationId, snoozeUntil: until(-HOUR) }))).rejects.toMatchObject({
      status: 422,
      body: { errors: { snoozeUntil: { messages: [expect.stringContaining('in the future')] } } },
    });
    await expect(
      valueOf(notifications.snooze({ notificationId, snoozeUntil: until(4321 * HOUR) })),
    ).rejects.toMatchObject({
      status: 422,
      body: { errors: { snoozeUntil: expect.anything() as unknown } },
    });
    await expect(valueOf(notifications.completePrimary({ notificationId }))).rejects.toThrow('has no primary action');
    await expect(valueOf(notifications.read({ notificationId: newId() }))).rejects.toThrow('Status: 404');
    await expect(valueOf(notifications.read({ notificationId: 'x' }))).rejects.toThrow('Status: 422');
    await expect(valueOf(notifications.list({ limit: 1_000 }))).rejects.toThrow('Status: 422');
    await expect(valueOf(notifications.list({ read: false, archived: true }))).rejects.toThrow('Status: 400');
    const wrong = connect('ada', { applicationIdentifier: 'unknown' });
    await expect(valueOf(wrong.notifications.list())).rejects.toThrow('applicationIdentifier unknown is not');
  });
});

/** The unmodified older client, which calls /v1/widgets. */
describe('@novu/headless', () => {
  let gateway: TestGateway;
  let headless: HeadlessService;
  let messageIds: string[];

  beforeAll(async () => {
    gateway = await startGateway();
    const { body } = await gateway.call<EnvironmentDto>('GET', '/v1/environments/me');
    await createInAppWorkflow(gateway, 'plain');
    headless = new HeadlessService({
      applicationIdentifier: body.identifier,
      subscriberId: 'ada',
      subscriberHash: signatureOf('ada', gateway.key),
      backendUrl: gateway.url,
      socketUrl: gateway.url,
      config: { retry: 0 },
    });
    const session = await fetched<{ profile: { subscriberId: string; _id: string } }>((options) =>
      headless.initializeSession(options),
    );
    expect(session.profile.subscriberId).toBe('ada');
    // The socket is not part of this spec.
    (headless as unknown as { socket: { disconnect(): void } }).socket.disconnect();
    const button = { type: 'primary', content: 'Go' };
    const rows = await insertMessages(
      gateway.database,
      [1, 2, 3].map((minute) => ({
        environmentId: gateway.environmentId,
        subscriberId: session.profile._id as SubscriberRowId,
        content: `Body ${minute}`,
        cta: { action: { buttons: [button] } },
        createdAt: new Date(Date.now() - HOUR + minute * 60_000),
      })) as never,
    );
    messageIds = rows.map(({ id }) => id);
  });
  afterAll(async () => {
    (headless as unknown as { queryClient: { clear(): void; unmount(): void } }).queryClient.clear();
    await gateway.close();
  });

  type Options<T> = { listener: () => void; onSuccess: (value: T) => void; onError: (error: unknown) => void };
  /** Resolves with the first value that a call of the client reports. */
  const fetched = <T>(call: (options: Options<T>) => unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      call({ listener: () => undefined, onSuccess: resolve, onError: reject });
    });

  it('lists, counts, marks and deletes messages and uses their buttons', async () => {
    type Feed = { data: { content: unknown }[]; totalCount: number };
    const feed = (page = 0) => fetched<Feed>((options) => headless.fetchNotifications({ page, ...options }));
    expect(await feed()).toMatchObject({ totalCount: 3, data: [{ content: 'Body 3' }, {}, {}] });
    expect(await fetched((options) => headless.fetchUnseenCount(options))).toEqual({ count: 3 });
    expect(await fetched((options) => headless.fetchUnreadCount(options))).toEqual({ count: 3 });

    const [first, second] = messageIds as [string, string];
    expect(
      await fetched((options) => headless.markNotificationsAsRead({ messageId: [first], ...options })),
    ).toMatchObject([{ _id: first, read: true, seen: true }]);
    const done = { messageId: second, actionButtonType: 'primary' as never, status: 'done' as never };
    expect(await fetched((options) => headless.updateAction({ ...done, ...options }))).toMatchObject({
      cta: { action: { status: 'done' } },
    });
    expect(await fetched((options) => headless.markAllMessagesAsSeen({ ...options }))).toBe(2);
    expect(await fetched((options) => headless.markAllMessagesAsRead({ ...options }))).toBe(2);
    await fetched((options) => headless.removeNotification({ messageId: first, ...options }));
    await fetched((options) => headless.removeNotifications({ messageIds: [second], ...options }));
    await fetched((options) =>
      headless.removeAllNotifications({ ...options, onSuccess: () => options.onSuccess(undefined) }),
    );
    expect((await feed(1)).totalCount).toBe(0);
  });

  it('reads and changes preferences', async () => {
    expect(await fetched((options) => headless.fetchOrganization(options))).toEqual({ _id: gateway.organizationId });
    const [preference] = await fetched<{ template: { _id: string } }[]>((options) =>
      headless.fetchUserPreferences(options),
    );
    expect(preference).toMatchObject({ template: { name: 'plain' }, preference: { channels: { in_app: true } } });
    const change = { templateId: preference!.template._id, channelType: 'in_app', checked: false };
    expect(await fetched((options) => headless.updateUserPreferences({ ...change, ...options }))).toMatchObject({
      preference: { channels: { in_app: false } },
    });
    const preferences = [{ channelType: 'email' as never, enabled: false }];
    expect(
      await fetched((options) => headless.updateUserGlobalPreferences({ preferences, enabled: true, ...options })),
    ).toMatchObject({ preference: { channels: { email: false } } });
    expect(await fetched((options) => headless.fetchUserGlobalPreferences(options))).toMatchObject([
      { preference: { channels: { email: false, sms: true } } },
    ]);
  });
});
