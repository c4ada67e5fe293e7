import type { ChangedPreferenceDto, SubscriberDto, SubscriberPreferencesDto, WorkflowDto } from '@clarion/contracts';
import { SubscriberRepository } from '@clarion/persistence';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const EVERY_CHANNEL = { in_app: true, email: true, sms: true, chat: true, push: true };

describe('subscriber preferences', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    for (const [workflowId, workflow] of Object.entries({
      news: {
        preferences: { workflow: { channels: { sms: { enabled: false } } } },
        steps: [step('in_app'), step('email'), step('sms'), { ...step('push'), active: false }],
      },
      digest: { steps: [step('email'), { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } }] },
      alarm: { preferences: { user: { all: { readOnly: true } } }, steps: [step('email')] },
      retired: { active: false, steps: [step('email')] },
    })) {
      const body = { name: workflowId, workflowId, ...workflow };
      const answer = await gateway.call<WorkflowDto>('POST', '/v2/workflows', body);
      ids[workflowId] = answer.body._id;
      slugs[workflowId] = answer.body.slug;
    }
  });
  afterAll(() => gateway.close());

  const ids: Record<string, string> = {};
  const slugs: Record<string, string> = {};
  const step = (type: string) => ({ name: type, type, controlValues: { subject: 's', body: 'b' } });
  const pathOf = (subscriberId: string) => `/v2/subscribers/${subscriberId}/preferences`;

  const subscriber = async (subscriberId: string) => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId });
    return subscriberId;
  };
  const read = (subscriberId: string, query = '') =>
    gateway.call<SubscriberPreferencesDto>('GET', `${pathOf(subscriberId)}${query}`);
  const change = (subscriberId: string, body: object) =>
    gateway.call<SubscriberPreferencesDto>('PATCH', pathOf(subscriberId), body);
  const changeMany = (subscriberId: string, body: object) =>
    gateway.call<ChangedPreferenceDto[]>('PATCH', `${pathOf(subscriberId)}/bulk`, body);
  const identifiers = ({ body }: { body: SubscriberPreferencesDto }) =>
    body.workflows.map(({ workflow }) => workflow.identifier);
  const channelsOf = ({ body }: { body: SubscriberPreferencesDto }, identifier: string) =>
    body.workflows.find(({ workflow }) => workflow.identifier === identifier)!.channels;

  it('shows the preferences of the workflows until the subscriber changes them', async () => {
    const answer = await read(await subscriber('silent'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      global: { enabled: true, channels: EVERY_CHANNEL },
      workflows: [
        {
          enabled: true,
          channels: { email: true },
          overrides: [],
          workflow: {
            slug: slugs['digest'],
            identifier: 'digest',
            name: 'digest',
            critical: false,
            updatedAt: expect.stringMatching(/Z$/),
          },
        },
        {
          enabled: true,
          channels: { in_app: true, email: true, sms: false },
          overrides: [{ channel: 'sms', source: 'template' }],
          workflow: expect.objectContaining({ identifier: 'news' }),
        },
      ],
      hasMore: false,
    });
  });

  it.each([
    ['', ['digest', 'news']],
    ['?criticality=nonCritical', ['digest', 'news']],
    ['?criticality=critical', ['alarm']],
    ['?criticality=all', ['alarm', 'digest', 'news']],
    ['?criticality=all&limit=2', ['alarm', 'digest']],
    ['?criticality=all&limit=2&offset=2', ['news']],
  ])('lists for the query "%s" the preferences of the workflows %j', async (query, expected) => {
    const answer = await read(await subscriber('lister'), query);
    expect(identifiers(answer)).toEqual(expected);
    expect(answer.body.hasMore).toBe(query.endsWith('limit=2'));
    expect(answer.body.workflows.map(({ workflow }) => workflow.critical)).toEqual(
      expected.map((name) => name === 'alarm'),
    );
  });

  it('changes single channels for all workflows or for one workflow', async () => {
    const subscriberId = await subscriber('chooser');
    const global = await change(subscriberId, { channels: { email: false } });
    expect(global.status).toBe(200);
    expect(global.body.global).toEqual({ enabled: true, channels: { ...EVERY_CHANNEL, email: false } });
    expect(channelsOf(global, 'digest')).toEqual({ email: false });
    expect(channelsOf(global, 'news')).toEqual({ in_app: true, email: false, sms: false });
    expect(global.body.workflows[0]).toMatchObject({ overrides: [{ channel: 'email', source: 'subscriber' }] });
    expect(global.body.workflows[0]).not.toHaveProperty('updatedAt');

    await change(subscriberId, { channels: { push: false } });
    const one = await change(subscriberId, { workflowId: 'news', channels: { email: true, in_app: false } });
    expect(one.body).toMatchObject({
      global: { channels: { ...EVERY_CHANNEL, email: false, push: false } },
      workflows: [
        {
          channels: { in_app: false, email: true, sms: false },
          overrides: [
            { channel: 'in_app', source: 'subscriber' },
            { channel: 'email', source: 'subscriber' },
            { channel: 'sms', source: 'template' },
          ],
          workflow: { identifier: 'news' },
          updatedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    const again = await change(subscriberId, { workflowId: 'news', channels: { sms: true } });
    expect(again.body.workflows).toHaveLength(1);
    expect(channelsOf(again, 'news')).toEqual({ in_app: false, email: true, sms: true });

    const all = await read(subscriberId);
    expect(channelsOf(all, 'digest')).toEqual({ email: false });
    expect(channelsOf(all, 'news')).toEqual(channelsOf(again, 'news'));
    expect(channelsOf(await read(await subscriber('bystander')), 'digest')).toEqual({ email: true });
  });

  it.each(['workflowId', 'id', 'slug', 'id in capitals'])(
    'finds the workflow whose preferences change by its %s',
    async (kind) => {
      const names: Record<string, string> = {
        workflowId: 'digest',
        id: ids['digest']!,
        slug: slugs['digest']!,
        'id in capitals': ids['digest']!.toUpperCase(),
      };
      const subscriberId = await subscriber(`finder-${kind.length}`);
      const answer = await change(subscriberId, { workflowId: names[kind], channels: { email: false } });
      expect(answer.body.workflows).toMatchObject([{ channels: { email: false }, workflow: { identifier: 'digest' } }]);
      expect(
        (await changeMany(subscriberId, { preferences: [{ workflowId: names[kind], channels: {} }] })).body,
      ).toMatchObject([{ workflow: { identifier: 'digest' }, channels: { email: false } }]);
    },
  );

  it('changes the preferences of an inactive workflow', async () => {
    const answer = await change(await subscriber('early'), { workflowId: 'retired', channels: { email: false } });
    expect(answer).toMatchObject({ status: 200, body: { workflows: [{ channels: { email: false } }] } });
  });

  it('stores a global schedule and keeps its week when an update has none', async () => {
    const subscriberId = await subscriber('sleeper');
    const weeklySchedule = {
      monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
      sunday: { isEnabled: false },
    };
    const set = await change(subscriberId, { schedule: { isEnabled: true, weeklySchedule } });
    expect(set.body.global).toEqual({
      enabled: true,
      channels: EVERY_CHANNEL,
      schedule: { isEnabled: true, weeklySchedule },
    });
    await change(subscriberId, { channels: { sms: false } });
    const paused = await change(subscriberId, { schedule: { isEnabled: false } });
    expect(paused.body.global).toMatchObject({
      channels: { sms: false },
      schedule: { isEnabled: false, weeklySchedule },
    });
    const replaced = await change(subscriberId, { schedule: { isEnabled: true, weeklySchedule: {} } });
    expect(replaced.body.global.schedule).toEqual({ isEnabled: true, weeklySchedule: {} });
    expect((await read(subscriberId)).body.global).toEqual(replaced.body.global);
  });

  it('stores preferences per context, which fall back to those without context', async () => {
    const subscriberId = await subscriber('traveller');
    await change(subscriberId, { workflowId: 'news', channels: { in_app: false } });
    const context = { team: 'a', region: { id: 'eu', data: { x: 1 } } };
    const inContext = await change(subscriberId, { workflowId: 'news', channels: { email: false }, context });
    expect(channelsOf(inContext, 'news')).toEqual({ in_app: false, email: false, sms: false });

    expect(channelsOf(await read(subscriberId), 'news')).toEqual({ in_app: false, email: true, sms: false });
    for (const [query, email] of [
      ['?contextKeys=team:a&contextKeys=region:eu', false],
      ['?contextKeys=region:eu&contextKeys=team:a', false],
      ['?contextKeys=team:a', true],
      ['?contextKeys=', true],
    ] as const) {
      expect(channelsOf(await read(subscriberId, query), 'news')).toEqual({ in_app: false, email, sms: false });
    }
    const global = await change(subscriberId, { channels: { push: false }, context: { team: 'a' } });
    expect(global.body.global.channels).toEqual({ ...EVERY_CHANNEL, push: false });
    expect((await read(subscriberId)).body.global.channels).toEqual(EVERY_CHANNEL);
  });

  it('applies a bulk change in order, and the last change of a workflow wins', async () => {
    const subscriberId = await subscriber('bulk');
    const answer = await changeMany(subscriberId, {
      preferences: [
        { workflowId: 'news', channels: { email: false, in_app: false } },
        { workflowId: 'digest', channels: { email: false } },
        { workflowId: ids['news'], channels: { in_app: true } },
      ],
    });
    expect(answer.status).toBe(200);
    const news = {
      level: 'template',
      enabled: true,
      channels: { in_app: true, email: false, sms: false },
      workflow: { id: ids['news'], identifier: 'news', name: 'news', critical: false, tags: [], severity: 'none' },
    };
    expect(answer.body).toEqual([news, expect.objectContaining({ channels: { email: false } }), news]);
    expect(channelsOf(await read(subscriberId), 'news')).toEqual(news.channels);
    expect(await changeMany(subscriberId, { preferences: [] })).toMatchObject({ status: 200, body: [] });

    const context = { team: 'a' };
    await changeMany(subscriberId, { preferences: [{ workflowId: 'digest', channels: { email: true } }], context });
    expect(channelsOf(await read(subscriberId), 'digest')).toEqual({ email: false });
    expect(channelsOf(await read(subscriberId, '?contextKeys=team:a'), 'digest')).toEqual({ email: true });
  });

  it.each([
    ['an unknown workflow', 404, 'Workflow nothing was not found', 'nothing'],
    ['a critical workflow', 400, 'Workflow alarm is critical: subscribers cannot change its preferences', 'alarm'],
  ])('rejects preferences for %s, and a bulk call with it changes nothing', async (_, status, message, workflowId) => {
    const subscriberId = await subscriber('refused');
    expect(await change(subscriberId, { workflowId, channels: { email: false } })).toMatchObject({
      status,
      body: { message },
    });
    const preferences = [
      { workflowId: 'digest', channels: { email: false } },
      { workflowId, channels: { email: false } },
    ];
    expect(await changeMany(subscriberId, { preferences })).toMatchObject({ status, body: { message } });
    expect(channelsOf(await read(subscriberId), 'digest')).toEqual({ email: true });
    expect(channelsOf(await read(subscriberId, '?criticality=critical'), 'alarm')).toEqual({ email: true });
  });

  it('ignores the preferences of the subscriber after the workflow became critical', async () => {
    const body = { name: 'Later', workflowId: 'later', active: false, steps: [step('email')] };
    await gateway.call('POST', '/v2/workflows', body);
    const subscriberId = await subscriber('overruled');
    await change(subscriberId, { workflowId: 'later', channels: { email: false } });
    const preferences = { workflow: { all: { readOnly: true } } };
    await gateway.call('PUT', '/v2/workflows/later', { ...body, active: true, preferences });
    const answer = await read(subscriberId, '?criticality=critical');
    expect(channelsOf(answer, 'later')).toEqual({ email: true });
    await gateway.call('DELETE', '/v2/workflows/later');
    expect(identifiers(await read(subscriberId, '?criticality=all'))).not.toContain('later');
  });

  const range = (start: unknown, end: unknown) => ({
    schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours: [{ start, end }] } } },
  });
  const HOURS = 'schedule.weeklySchedule.monday.hours';

  it.each<[object, string]>([
    [{ channels: [] }, 'channels'],
    [{ channels: null }, 'channels'],
    [{ channels: { email: 'no' } }, 'channels.email'],
    [{ workflowId: 5 }, 'workflowId'],
    [{ schedule: {} }, 'schedule.isEnabled'],
    [{ schedule: null }, 'schedule'],
    [{ schedule: { isEnabled: true, weeklySchedule: { monday: [] } } }, 'schedule.weeklySchedule.monday'],
    [{ schedule: { isEnabled: true, weeklySchedule: { monday: {} } } }, 'schedule.weeklySchedule.monday.isEnabled'],
    [range('9 AM', '05:00 PM'), `${HOURS}.0.start`],
    [range('09:00 AM', '18:00 PM'), `${HOURS}.0.end`],
    [range('09:00 AM', undefined), `${HOURS}.0.end`],
    [{ workflowId: 'news', schedule: { isEnabled: true } }, 'schedule'],
    [{ channels: { email: true }, context: { team: '' } }, 'context.team'],
  ])('answers the preferences %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('PATCH', pathOf(await subscriber('faulty')), body), [field]);
  });

  it.each<[object, string]>([
    [{}, 'preferences'],
    [{ preferences: [{ workflowId: 'news' }] }, 'preferences.0.channels'],
    [{ preferences: [{ channels: {} }] }, 'preferences.0.workflowId'],
    [{ preferences: Array(101).fill({ workflowId: 'news', channels: {} }) }, 'preferences'],
    [{ preferences: [], context: { team: '' } }, 'context.team'],
  ])('answers a bad bulk change of preferences with a 422 that names the field (%#)', async (body, field) => {
    expectFieldErrors(await gateway.call('PATCH', `${pathOf(await subscriber('faulty'))}/bulk`, body), [field]);
  });

  it.each(['criticality=huge', 'limit=0', 'limit=501', 'offset=-1'])(
    'answers the preferences query %s with a 422',
    async (query) => {
      const answer = await gateway.call('GET', `${pathOf(await subscriber('faulty'))}?${query}`);
      expectFieldErrors(answer, [query.split('=')[0]!]);
    },
  );

  it('answers 404 for the preferences of an unknown subscriber and in another environment', async () => {
    const subscriberId = await subscriber('mine');
    await change(subscriberId, { channels: { email: false } });
    const asStranger = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const calls = [
      ['GET', '', undefined],
      ['PATCH', '', { channels: { email: false } }],
      ['PATCH', '/bulk', { preferences: [] }],
    ] as const;
    for (const [method, suffix, body] of calls) {
      const missing = await gateway.call(method, `${pathOf('missing')}${suffix}`, body);
      expect(missing).toMatchObject({ status: 404, body: { message: 'Subscriber missing was not found' } });
      const foreign = await gateway.call(method, `${pathOf(subscriberId)}${suffix}`, body, asStranger);
      expect(foreign).toMatchObject({ status: 404, body: { message: `Subscriber ${subscriberId} was not found` } });
    }
    await gateway.call('POST', '/v2/subscribers', { subscriberId }, asStranger);
    const own = await gateway.call<SubscriberPreferencesDto>('GET', pathOf(subscriberId), undefined, asStranger);
    expect(own.body).toEqual({ global: { enabled: true, channels: EVERY_CHANNEL }, workflows: [], hasMore: false });
    for (const workflowId of ['digest', ids['digest'], slugs['digest']]) {
      const foreign = await gateway.call('PATCH', pathOf(subscriberId), { workflowId, channels: {} }, asStranger);
      expect(foreign).toMatchObject({ status: 404, body: { message: `Workflow ${workflowId} was not found` } });
    }
  });

  it('keeps every channel of 50 concurrent preference changes', async () => {
    const subscriberId = await subscriber('race');
    const channels = Object.keys(EVERY_CHANNEL);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2
          ? change(subscriberId, { channels: { [channels[index % 5]!]: false } })
          : changeMany(subscriberId, {
              preferences: ['digest', 'news'].map((workflowId) => ({ workflowId, channels: { email: false } })),
            }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const { body } = await read(subscriberId);
    expect(Object.values(body.global.channels)).toEqual(Array(5).fill(false));
    expect(body.workflows.map(({ channels: { email } }) => email)).toEqual([false, false]);
  });

  it('answers 404 when the subscriber is deleted during a preference change', async () => {
    const subscriberId = await subscriber('vanishing');
    const { database } = gateway;
    const waiting = async () =>
      (
        await database.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      )[0]!.n;
    let late: ReturnType<typeof change>;
    await database.transaction(async () => {
      await gateway.app.get(SubscriberRepository).delete(gateway.environmentId, subscriberId);
      late = database.outsideTransaction(() => change(subscriberId, { channels: { email: false } }));
      while ((await database.outsideTransaction(waiting)) === 0);
    });
    expect(await late!).toMatchObject({ status: 404, body: { message: 'Subscriber vanishing was not found' } });
  });

  it('deletes the preferences with the subscriber', async () => {
    const subscriberId = await subscriber('leaver');
    await change(subscriberId, { channels: { email: false } });
    await gateway.call('DELETE', `/v2/subscribers/${subscriberId}`);
    expect((await read(await subscriber('leaver'))).body.global.channels).toEqual(EVERY_CHANNEL);
  });

  it('reads preferences with three statements and changes them with four', async () => {
    const subscriberId = await subscriber('counted');
    const statements = async (work: () => Promise<unknown>) => {
      const stop = gateway.watchStatements();
      await work();
      return stop().filter((text) => !/^(START TRANSACTION|COMMIT)/.test(text)).length;
    };
    expect(await statements(() => read(subscriberId, '?criticality=all'))).toBe(3);
    const preferences = ['digest', 'news'].map((workflowId) => ({ workflowId, channels: { email: false } }));
    expect(await statements(() => changeMany(subscriberId, { preferences }))).toBe(4);
    expect(await statements(() => change(subscriberId, { workflowId: 'news', channels: { email: true } }))).toBe(4);
  });
});

describe('PATCH /v1/subscribers/{subscriberId}/online-status', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const setOnline = (subscriberId: string, body: object) =>
    gateway.call<SubscriberDto>('PATCH', `/v1/subscribers/${subscriberId}/online-status`, body);

  it('stores the online status and the time of going offline', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'guest', firstName: 'G' });
    const online = await setOnline('guest', { isOnline: true });
    expect(online).toMatchObject({
      status: 200,
      body: { subscriberId: 'guest', firstName: 'G', isOnline: true, lastOnlineAt: null },
    });
    const offline = await setOnline('guest', { isOnline: false });
    expect(offline.body).toMatchObject({ isOnline: false, lastOnlineAt: offline.body.updatedAt });

    const stillOffline = await setOnline('guest', { isOnline: false });
    expect(stillOffline.body.lastOnlineAt).toBe(offline.body.lastOnlineAt);
    const back = await setOnline('guest', { isOnline: true });
    expect(back.body).toMatchObject({ isOnline: true, lastOnlineAt: offline.body.lastOnlineAt });
    expect((await gateway.call('GET', '/v2/subscribers/guest')).body).toMatchObject({ isOnline: true });
  });

  it.each([[{}], [{ isOnline: 'yes' }], [{ isOnline: null }]])('answers 422 for the online status %j', async (body) => {
    expectFieldErrors(await gateway.call('PATCH', '/v1/subscribers/guest/online-status', body), ['isOnline']);
  });

  it('answers 404 for an unknown or a foreign subscriber', async () => {
    const asStranger = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const path = '/v1/subscribers/guest/online-status';
    expect((await setOnline('missing', { isOnline: true })).status).toBe(404);
    expect((await gateway.call('PATCH', path, { isOnline: false }, asStranger)).status).toBe(404);
    expect((await gateway.call('GET', '/v2/subscribers/guest')).body).toMatchObject({ isOnline: true });
  });
});
