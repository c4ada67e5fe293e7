import {
  type InboxCountDto,
  type InboxItemDto,
  type InboxListDto,
  type MessageDto,
  type MessageListDto,
  newId,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { ensurePartitions, type FullMessage, InboxRepository, type Message } from '@clarion/persistence';
import { type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { type GivenMessage, insertMessages, insertNotifications, insertSteps, insertWorkflow } from '@clarion/testing';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const MINUTE = 60 * 1000;
const DAY = 24 * 3600 * 1000;
const LAST_WEEKS = new Date(Date.now() - 21 * DAY);

describe('inbox of a subscriber', () => {
  let gateway: TestGateway;
  let ada: SubscriberDto;
  let bob: SubscriberDto;

  beforeAll(async () => {
    gateway = await startGateway();
    await ensurePartitions(gateway.database, { from: LAST_WEEKS.getTime() });
    ada = await subscriber({ subscriberId: 'ada', firstName: 'Ada', avatar: 'https://example.com/ada.png' });
    bob = await subscriber({ subscriberId: 'bob@example.com/1' });
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM message`));

  const subscriber = async (body: object) => (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', body)).body;
  const insert = (...rows: GivenMessage[]) =>
    insertMessages(
      gateway.database,
      rows.map((row) => ({ environmentId: gateway.environmentId, subscriberId: ada._id!, ...row })),
    );
  const insertOne = async (row: GivenMessage = {}) => (await insert(row))[0]!;
  const pathOf = (rest: string, of = 'ada') => `/v2/subscribers/${encodeURIComponent(of)}/notifications${rest}`;
  const call = <T = InboxItemDto>(method: string, rest: string, body?: unknown, of?: string) =>
    gateway.call<T>(method, pathOf(rest, of), body);
  const list = async (query = '', of?: string) => (await call<InboxListDto>('GET', `?${query}`, undefined, of)).body;
  const bodies = ({ data }: InboxListDto) => data.map(({ body }) => body);
  const listed = async (query = '') => bodies(await list(query));
  const stored = async (id: string) =>
    (await gateway.database.rows<Message>(`SELECT * FROM message WHERE id = $1`, [id]))[0];
  const at = (minute: number) => new Date(Date.now() - 60 * MINUTE + minute * MINUTE);
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
  const isRecent = (text: string | undefined) => Math.abs(Date.parse(text!) - Date.now()) < MINUTE;

  /** The state of each message, in order of creation, as letters: S seen, R read, A archived, Z snoozed. */
  const states = async () =>
    (await gateway.database.rows<Message>(`SELECT * FROM message ORDER BY id`)).map(
      ({ seen, read, archived, snoozedUntil }) =>
        [seen && 'S', read && 'R', archived && 'A', snoozedUntil && 'Z'].filter(Boolean).join('') || '-',
    );

  describe('GET /v2/subscribers/{subscriberId}/notifications', () => {
    it('shows every field of a notification', async () => {
      const { database, environmentId } = gateway;
      const workflow = await insertWorkflow(database, {
        environmentId,
        workflowId: 'welcome',
        name: 'Welcome',
        severity: 'low',
      });
      const [first, second] = [new Date('2030-01-01T00:00:00.000Z'), new Date('2030-01-02T00:00:00.000Z')];
      const row = await insertOne({
        workflowId: workflow.id,
        transactionId: 'tx-1',
        subject: 'Subject',
        content: 'Hello',
        avatar: 'https://example.com/a.png',
        cta: {
          type: 'redirect',
          data: { url: '/all', target: '_blank' },
          action: {
            status: 'done',
            result: { type: 'secondary' },
            buttons: [
              { type: 'primary', content: 'Go', url: '/go', target: '_no-such' },
              { type: 'secondary', content: 'No' },
            ],
          },
        },
        data: { plan: 'gold' },
        tags: ['billing'],
        severity: 'high',
        critical: true,
        read: true,
        seen: true,
        archived: true,
        lastReadAt: second,
        firstSeenAt: first,
        archivedAt: second,
        snoozedUntil: second,
        deliveredAt: [first, second],
      });

      const { status, body } = await call<InboxListDto>('GET', '');

      expect(status).toBe(200);
      expect(body).toEqual({
        data: [
          {
            id: row.id,
            transactionId: 'tx-1',
            subject: 'Subject',
            body: 'Hello',
            to: { id: ada._id, subscriberId: 'ada', firstName: 'Ada', avatar: 'https://example.com/ada.png' },
            isRead: true,
            isSeen: true,
            isArchived: true,
            isSnoozed: true,
            snoozedUntil: second.toISOString(),
            deliveredAt: [first.toISOString(), second.toISOString()],
            createdAt: row.createdAt.toISOString(),
            readAt: second.toISOString(),
            firstSeenAt: first.toISOString(),
            archivedAt: second.toISOString(),
            avatar: 'https://example.com/a.png',
            primaryAction: { label: 'Go', isCompleted: false, redirect: { url: '/go' } },
            secondaryAction: { label: 'No', isCompleted: true },
            channelType: 'in_app',
            tags: ['billing'],
            data: { plan: 'gold' },
            redirect: { url: '/all', target: '_blank' },
            workflow: {
              id: workflow.id,
              identifier: 'welcome',
              name: 'Welcome',
              critical: true,
              tags: ['billing'],
              severity: 'low',
            },
            severity: 'high',
          },
        ],
        hasMore: false,
        filter: {},
      });
    });

    it('leaves out the fields that a notification does not have', async () => {
      const row = await insertOne({
        subscriberId: bob._id! as SubscriberRowId,
        transactionId: 'tx-2',
        workflowId: newId(),
      });

      expect((await list('', bob.subscriberId)).data).toEqual([
        {
          id: row.id,
          transactionId: 'tx-2',
          body: '',
          to: { id: bob._id, subscriberId: bob.subscriberId },
          isRead: false,
          isSeen: false,
          isArchived: false,
          isSnoozed: false,
          createdAt: row.createdAt.toISOString(),
          channelType: 'in_app',
          severity: 'none',
        },
      ]);
    });

    it('pages by offset and by the last id over several weeks, also after that notification was deleted', async () => {
      const old = Array.from({ length: 4 }, (_, index) => new Date(LAST_WEEKS.getTime() + index * 1000));
      const times = [...old, ...Array.from({ length: 4 }, (_, index) => at(index))];
      await insert(...times.map((createdAt, index) => ({ createdAt, content: String(index) })));
      // An old message that was delivered again.
      await gateway.database.execute(`UPDATE message SET created_at = $1 WHERE content = '"1"'`, [at(2.5)]);
      const order = ['7', '1', '6', '5', '4', '3', '2', '0'];

      for (const query of [(page: number) => `&offset=${page * 2}`, (_: number, last?: string) => `&after=${last}`]) {
        const walked: string[] = [];
        let page = await list('limit=2');
        for (let number = 1; page.hasMore; number += 1) {
          walked.push(...bodies(page));
          page = await list(`limit=2${query(number, page.data.at(-1)!.id)}`);
        }
        expect([...walked, ...bodies(page)]).toEqual(order);
      }

      const [, , third] = (await list('limit=3')).data;
      await gateway.database.execute(`DELETE FROM message WHERE id = $1`, [third!.id]);
      expect(await listed(`limit=2&after=${third!.id}`)).toEqual(['5', '4']);
      expect(await listed('limit=100')).toHaveLength(7);
    });

    it('filters notifications by state, tags, data, severity, time and contexts', async () => {
      await insert(
        { content: 'fresh', createdAt: at(1), tags: ['a', 'b'], data: { plan: 'gold', deep: { x: [1] } } },
        { content: 'read', createdAt: at(2), seen: true, read: true, tags: ['b'], severity: 'high' },
        { content: 'archived', createdAt: at(3), seen: true, read: true, archived: true, severity: 'low' },
        { content: 'snoozed', createdAt: at(4), seen: true, snoozedUntil: at(600), contextKeys: ['t:1', 'u:2'] },
        { content: 'mail', createdAt: at(5), channel: 'email' },
        { content: "Bob's", createdAt: at(6), subscriberId: bob._id! as SubscriberRowId },
      );

      for (const [query, expected] of [
        ['', ['snoozed', 'archived', 'read', 'fresh']],
        ['read=false', ['snoozed', 'fresh']],
        ['read=true&archived=false', ['read']],
        ['archived=true', ['archived']],
        ['seen=false', ['fresh']],
        ['snoozed=true', ['snoozed']],
        ['snoozed=false&archived=false', ['read', 'fresh']],
        ['tags=b', ['read', 'fresh']],
        ['tags[]=a&tags[]=c', ['fresh']],
        [`data=${json({ plan: 'gold' })}`, ['fresh']],
        [`data=${json({ deep: { x: [1] } })}`, ['fresh']],
        [`data=${json({ plan: 'silver' })}`, []],
        [`data=${json({ plan: ['silver', 'gold'] })}`, ['fresh']],
        [`data=${json({ plan: { or: ['silver', 'gold'] } })}`, ['fresh']],
        [`data=${json({ plan: { and: [{ or: ['gold'] }, { or: ['silver'] }] } })}`, []],
        [`data=${json({ plan: ['gold'], deep: { x: [2, 1] } })}`, []],
        [`data=${json({ plan: [] })}`, []],
        [`data=${json({})}`, ['snoozed', 'archived', 'read', 'fresh']],
        ['severity[]=high&severity[]=low', ['archived', 'read']],
        ['severity=none', ['snoozed', 'fresh']],
        [`createdGte=${at(2).getTime() - 5000}&createdLte=${at(3).getTime() + 5000}`, ['archived', 'read']],
        ['contextKeys=u:2&contextKeys=t:1', ['snoozed']],
        ['contextKeys=t:1', []],
        ['contextKeys=', ['archived', 'read', 'fresh']],
      ] as const) {
        expect({ query, items: await listed(query) }).toEqual({ query, items: expected });
      }
      expect((await list('read=false&tags=a')).filter).toEqual({ read: false, tags: ['a'] });
    });

    it('rejects a list of unread and archived notifications', async () => {
      const answer = await call('GET', '?read=false&archived=true');
      expectFieldErrors(answer, ['read', 'archived'], 400);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['offset=-1', 'offset'],
      ['after=nothing', 'after'],
      ['read=maybe', 'read'],
      ['severity=worst', 'severity'],
      ['createdGte=yesterday', 'createdGte'],
      ['data=[1]', 'data'],
      [`data=${json(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, [1]])))}`, 'data'],
      [`data=${json('x'.repeat(5000))}`, 'data'],
    ])('answers 422 that names the field for bad list query %#', async (query, field) => {
      expectFieldErrors(await call('GET', `?${query}`), [field]);
    });
  });

  describe('GET /v2/subscribers/{subscriberId}/notifications/count', () => {
    const count = (filters: unknown, of?: string) =>
      call<InboxCountDto[]>('GET', `/count?filters=${json(filters)}`, undefined, of);

    it('counts for several filters in one statement, up to 100 each', async () => {
      await insert(
        ...Array.from({ length: 103 }, () => ({ tags: ['many'] })),
        { seen: true, read: true, tags: ['many', 'few'], data: { n: 1 } },
        { seen: true, read: true, archived: true, severity: 'high' as const, tags: ['few'] },
        { seen: true, snoozedUntil: at(600), contextKeys: ['t:1'] },
      );

      const watched = gateway.watchStatements();
      const { status, body } = await count([
        {},
        { read: true },
        { read: true, archived: true },
        { snoozed: true },
        { severity: 'high' },
        { tags: ['few'] },
        { tags: { and: [{ or: ['few', 'other'] }, { or: ['many'] }] } },
        { tags: {}, data: { n: 1 } },
        { data: '{"n":1}' },
        { contextKeys: ['t:1'], seen: true },
      ]);
      const statements = watched().filter((text) => text.includes('message'));

      expect(status).toBe(200);
      expect(body.map((each) => each.count)).toEqual([100, 2, 1, 1, 1, 2, 1, 1, 1, 1]);
      expect(body[4]!.filter).toEqual({ severity: ['high'] });
      expect(statements).toHaveLength(1);
      expect((await count([{}], bob.subscriberId)).body).toEqual([{ count: 0, filter: {} }]);
    });

    it('rejects a count of unread and archived notifications', async () => {
      expect(await count([{ read: false, archived: true }])).toMatchObject({ status: 400 });
    });

    it.each([
      ['', 'filters'],
      ['?filters=', 'filters'],
      ['?filters=nothing', 'filters'],
      ['?filters={}', 'filters'],
      ['?filters=[]', 'filters'],
      [`?filters=${json(Array(31).fill({}))}`, 'filters'],
      ['?filters=[{},5]', 'filters.1'],
      [`?filters=${json([{ read: 'maybe' }])}`, 'filters.0'],
      [`?filters=${json([{ tags: { or: [5] } }])}`, 'filters.0'],
      [`?filters=${json([{ tags: { and: [{ or: [] }] } }])}`, 'filters.0'],
      [`?filters=${json([{ data: '[]' }])}`, 'data'],
    ])('answers 422 that names the field for bad count filters %#', async (query, field) => {
      expectFieldErrors(await call('GET', `/count${query}`), [field]);
    });
  });

  describe('changes of one notification', () => {
    const ALL = { seen: true, read: true, archived: true, lastReadAt: at(1), archivedAt: at(1), firstSeenAt: at(0) };

    it.each([
      ['read', {}, { isSeen: true, isRead: true, isArchived: false }],
      ['unread', ALL, { isSeen: true, isRead: false, isArchived: false }],
      ['unread', {}, { isSeen: true, isRead: false, isArchived: false }],
      ['archive', {}, { isSeen: true, isRead: true, isArchived: true }],
      ['unarchive', ALL, { isSeen: true, isRead: true, isArchived: false }],
      ['unarchive', {}, { isSeen: true, isRead: true, isArchived: false }],
    ])('PATCH %s changes %j to %j', async (mark, before, after) => {
      const { id } = await insertOne(before);
      const answer = await call('PATCH', `/${id}/${mark}`);

      expect(answer).toMatchObject({ status: 200, body: { id, ...after, isSnoozed: false } });
      const { isRead, isArchived, readAt, archivedAt, firstSeenAt } = answer.body;
      expect([readAt !== undefined, archivedAt !== undefined]).toEqual([isRead, isArchived]);
      // firstSeenAt is set once and does not change.
      if (before === ALL) expect(firstSeenAt).toBe(ALL.firstSeenAt.toISOString());
      else expect(isRecent(firstSeenAt)).toBe(true);
      expect((await list()).data).toEqual([answer.body]);
    });

    it('keeps the read and archive times when the state does not change', async () => {
      const { id } = await insertOne(ALL);
      for (const mark of ['read', 'archive']) {
        const { body } = await call('PATCH', `/${id}/${mark}`);
        expect(body).toMatchObject({ readAt: ALL.lastReadAt.toISOString(), archivedAt: ALL.archivedAt.toISOString() });
      }
    });

    it('deletes a notification once and answers 404 afterwards', async () => {
      const [first, second] = await insert({}, {});
      const answer = await call('DELETE', `/${first!.id}`);
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect((await list()).data.map(({ id }) => id)).toEqual([second!.id]);
      expect((await call('DELETE', `/${first!.id}`)).status).toBe(404);
    });

    it('finds a notification only with its exact context keys when context keys are given', async () => {
      const { id } = await insertOne({ contextKeys: ['t:1'] });
      expect((await call('PATCH', `/${id}/read?contextKeys=t:2`)).status).toBe(404);
      expect((await call('DELETE', `/${id}?contextKeys=`)).status).toBe(404);
      expect((await call('PATCH', `/${id}/read?contextKeys=t:1`)).status).toBe(200);
    });
  });

  describe('snooze', () => {
    const snoozable = async (row: GivenMessage = {}) => {
      const { database, environmentId } = gateway;
      const workflow = await insertWorkflow(database, { environmentId, steps: [{ type: 'in_app' }] });
      const [notification] = await insertNotifications(database, [
        { environmentId, subscriberId: ada._id! as SubscriberRowId, workflowId: workflow.id },
      ]);
      const [step] = await insertSteps(database, notification!, [{ type: 'in_app' }]);
      const names = { notificationId: notification!.id, stepId: step!.id, providerId: 'platform' as const };
      return insertOne({ ...names, ...row });
    };
    const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    const snooze = (id: string, snoozeUntil: unknown) => call('PATCH', `/${id}/snooze`, { snoozeUntil });
    /** The execution details of its step, as the activity shows them. */
    const detailsOf = async ({ notificationId }: FullMessage) => {
      const { body } = await gateway.call<{ jobs: { executionDetails: Record<string, unknown>[] }[] }>(
        'GET',
        `/v1/notifications/${notificationId}`,
      );
      return body.jobs[0]!.executionDetails;
    };

    it('snoozes a message until the given time and records it in the execution details of its step', async () => {
      const row = await snoozable({ read: true, archived: true, archivedAt: at(1) });
      const until = inDays(179);

      const answer = await snooze(row.id, until);

      expect(answer).toMatchObject({
        status: 200,
        body: { isSnoozed: true, snoozedUntil: until, isSeen: true, isRead: true, isArchived: false },
      });
      expect(answer.body.archivedAt).toBeUndefined();
      expect(await detailsOf(row)).toEqual([
        expect.objectContaining({
          detail: 'Message snoozed',
          status: 'Pending',
          source: 'Internal',
          providerId: 'platform',
          raw: JSON.stringify({ snoozedUntil: until }),
        }),
      ]);
      const { body } = await gateway.call<MessageListDto>('GET', '/v1/messages');
      expect(body.data[0]).toMatchObject({ snoozedUntil: until });
    });

    it('restores a message to its earlier state when it is unsnoozed by request', async () => {
      const row = await snoozable({ read: true, seen: true, createdAt: at(1), deliveredAt: [at(1)] });
      await snooze(row.id, inDays(1));

      const answer = await call('PATCH', `/${row.id}/unsnooze`);

      expect(answer).toMatchObject({
        status: 200,
        body: {
          isSnoozed: false,
          isRead: true,
          createdAt: row.createdAt.toISOString(),
        },
      });
      expect(answer.body.deliveredAt).toHaveLength(1);
      expect(answer.body.snoozedUntil).toBeUndefined();
      const again = await call('PATCH', `/${row.id}/unsnooze`);
      expect(again).toMatchObject({ status: 200, body: answer.body });
      const details = (await detailsOf(row)).map(({ detail, status }) => [detail, status]);
      expect(details).toEqual([
        ['Message snoozed', 'Pending'],
        ['Message unsnoozed', 'Success'],
      ]);
    });

    it('ends a snooze when the message is archived', async () => {
      const { id } = await snoozable();
      await snooze(id, inDays(1));
      expect((await call('PATCH', `/${id}/archive`)).body).toMatchObject({ isSnoozed: false, isArchived: true });
    });

    it.each([[new Date(Date.now() - 1000).toISOString()], [inDays(180.1)], ['2030-02-30'], ['soon'], [5], [undefined]])(
      'rejects snoozeUntil %j with a 422',
      async (until) => {
        const { id } = await insertOne();
        const answer = await gateway.call('PATCH', pathOf(`/${id}/snooze`), {
          snoozeUntil: until,
        });
        expectFieldErrors(answer, ['snoozeUntil']);
        expect((await stored(id))!.snoozedUntil).toBeNull();
      },
    );

    it('returns a snoozed message as unread and newest when its snooze ends', async () => {
      const inbox = new InboxRepository(gateway.database);
      const row = await snoozable({ seen: true, read: true, createdAt: LAST_WEEKS, deliveredAt: [LAST_WEEKS] });
      const early = await insertOne({ content: 'early', seen: true, snoozedUntil: new Date(Date.now() + MINUTE) });
      await insert({ content: 'newer', createdAt: at(1) });
      await gateway.database.execute(`UPDATE message SET snoozed_until = now() WHERE id = $1`, [row.id]);

      expect(await inbox.unsnoozeDue(10)).toEqual([
        {
          id: row.id,
          environmentId: gateway.environmentId,
          subscriberId: ada._id,
          notificationId: row.notificationId,
          stepId: row.stepId,
        },
      ]);
      expect(await inbox.unsnoozeDue(10)).toEqual([]);

      const { data } = await list('snoozed=false');
      expect(data[0]).toMatchObject({ id: row.id, isSnoozed: false, isRead: false, isSeen: true, isArchived: false });
      expect(data[0]!.deliveredAt).toEqual([LAST_WEEKS.toISOString(), data[0]!.createdAt]);
      expect(isRecent(data[0]!.createdAt)).toBe(true);
      expect((await stored(early.id))!.snoozedUntil).not.toBeNull();
      expect(await detailsOf(row)).toEqual([
        expect.objectContaining({ detail: 'Message unsnoozed', status: 'Success', source: 'Internal' }),
      ]);
    });

    it('unsnoozes each due message once under concurrent callers, the most overdue first', async () => {
      const rows = await insert(
        ...Array.from({ length: 60 }, (_, index) => ({ seen: true, snoozedUntil: new Date(at(0).getTime() + index) })),
      );
      const inbox = new InboxRepository(gateway.database);
      expect((await inbox.unsnoozeDue(2)).map(({ id }) => id).sort()).toEqual([rows[0]!.id, rows[1]!.id].sort());

      const asked = await Promise.all(Array.from({ length: 8 }, () => inbox.unsnoozeDue(10)));
      const left = await inbox.unsnoozeDue(100);
      const ids = [...asked, left].flat().map(({ id }) => id);
      expect(ids).toHaveLength(58);
      expect(new Set(ids).size).toBe(58);
      const [{ delivered } = { delivered: 0 }] = await gateway.database.query<{ delivered: number }>(
        `SELECT sum(cardinality(delivered_at))::int AS delivered FROM message`,
      );
      expect(delivered).toBe(60);
    });
  });

  describe('actions of a notification', () => {
    const withButton = () =>
      insertOne({
        cta: {
          type: 'redirect',
          data: { url: '/x' },
          action: { status: 'pending', result: {}, buttons: [{ type: 'primary', content: 'Go' }] },
        },
      });

    it('completes and reverts an action', async () => {
      const { id } = await withButton();
      const done = await call('PATCH', `/${id}/actions/primary/complete`);
      expect(done).toMatchObject({ status: 200, body: { primaryAction: { label: 'Go', isCompleted: true } } });
      expect((await stored(id))!.cta).toEqual({
        type: 'redirect',
        data: { url: '/x' },
        action: { status: 'done', result: { type: 'primary' }, buttons: [{ type: 'primary', content: 'Go' }] },
      });
      const reverted = await call('PATCH', `/${id}/actions/primary/revert`);
      expect(reverted).toMatchObject({ status: 200, body: { primaryAction: { isCompleted: false } } });
      expect((await stored(id))!.cta!['action']).toMatchObject({ status: 'pending', result: { type: 'primary' } });
    });

    it('rejects an action of a button that the message does not have', async () => {
      const [{ id: withOne }, { id: without }] = [await withButton(), await insertOne()];
      for (const path of [`/${withOne}/actions/secondary/complete`, `/${without}/actions/primary/revert`]) {
        expect(await call('PATCH', path)).toMatchObject({
          status: 400,
          body: { message: expect.stringMatching(/ary/) },
        });
      }
      expectFieldErrors(await gateway.call('PATCH', pathOf(`/${withOne}/actions/third/complete`)), ['actionType']);
    });
  });

  describe('changes of all notifications', () => {
    const kinds = (row: GivenMessage = {}) =>
      insert(
        { ...row },
        { ...row, seen: true },
        { ...row, seen: true, read: true },
        { ...row, seen: true, read: true, archived: true },
        { ...row, seen: true, snoozedUntil: at(600) },
      );

    it.each([
      ['read', ['SR', 'SR', 'SR', 'SRA', 'SZ']],
      ['archive', ['SRA', 'SRA', 'SRA', 'SRA', 'SZ']],
      ['read-archive', ['-', 'S', 'SRA', 'SRA', 'SZ']],
      ['seen', ['S', 'S', 'SR', 'SRA', 'SZ']],
      ['delete', []],
    ])('POST %s changes the visible notifications of this subscriber only', async (operation, expected) => {
      await kinds();
      const answer = await call('POST', `/${operation}`, {});
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(await states()).toEqual(expected);

      await gateway.database.execute(`DELETE FROM message`);
      await kinds({ subscriberId: bob._id! as SubscriberRowId });
      await insert({ channel: 'email' });
      await call('POST', `/${operation}`);
      expect(await states()).toEqual(['-', 'S', 'SR', 'SRA', 'SZ', '-']);
    });

    it('does not touch a notification that is already in the requested state', async () => {
      const [, , done] = await kinds();
      await call('POST', '/read', {});
      expect((await stored(done!.id))!.updatedAt).toEqual(done!.updatedAt);
    });

    it.each([
      [{ tags: ['a'] }, ['SR', 'SR', '-', '-']],
      [{ tags: { and: [{ or: ['a', 'x'] }, { or: ['b'] }] } }, ['-', 'SR', '-', '-']],
      [{ tags: {} }, ['SR', 'SR', 'SR', 'SR']],
      [{ tags: [] }, ['SR', 'SR', 'SR', 'SR']],
      [{ data: '{"n":1}' }, ['-', '-', 'SR', '-']],
      [{ contextKeys: ['t:1'] }, ['-', '-', '-', 'SR']],
      [{ contextKeys: [] }, ['SR', 'SR', 'SR', '-']],
    ])('marks only the notifications that match %j as read', async (selection, expected) => {
      await insert({ tags: ['a'] }, { tags: ['a', 'b'] }, { tags: ['b'], data: { n: 1 } }, { contextKeys: ['t:1'] });
      expect((await call('POST', '/read', selection)).status).toBe(204);
      expect(await states()).toEqual(expected);
    });

    it('marks only the given notifications of this subscriber as seen', async () => {
      const [first, , third] = await insert({}, {}, { subscriberId: bob._id! as SubscriberRowId });
      await call('POST', '/seen', { notificationIds: [first!.id, third!.id, newId()] });
      expect(await states()).toEqual(['S', '-', '-']);
      await call('POST', '/seen', { notificationIds: [] });
      expect(await states()).toEqual(['S', '-', '-']);
    });

    it('changes more notifications than one batch holds', async () => {
      await gateway.database.execute(
        `INSERT INTO message (id, environment_id, trigger_id, step_id, subscriber_id, channel)
         SELECT uuid_v7(), $1, gen_random_uuid(), gen_random_uuid(), $2, 'in_app'
           FROM generate_series(1, 5001)`,
        [gateway.environmentId, ada._id],
      );
      await call('POST', '/archive', {});
      expect(new Set(await states())).toEqual(new Set(['SRA']));
      await call('POST', '/delete', {});
      expect(await states()).toEqual([]);
    });

    it('archives all notifications when several bulk requests run concurrently', async () => {
      await insert(...Array.from({ length: 200 }, () => ({})));
      const paths = ['/read', '/seen', '/archive', '/read-archive', '/read', '/archive'];
      const answers = await Promise.all(paths.map((path) => call('POST', path, {})));
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 204));
      expect(new Set(await states())).toEqual(new Set(['SRA']));
    });

    it.each([
      [{ tags: 'a' }, 'tags'],
      [{ tags: { some: ['a'] } }, 'tags'],
      [{ tags: [5] }, 'tags'],
      [{ data: { n: 1 } }, 'data'],
      [{ data: 'n' }, 'data'],
      [{ contextKeys: 't:1' }, 'contextKeys'],
      [{ notificationIds: ['x'] }, 'notificationIds'],
      [{ notificationIds: Array(101).fill(newId()) }, 'notificationIds'],
    ])('answers 422 that names the field for bad body %# and changes nothing', async (body, field) => {
      await insert({});
      const answer = await gateway.call('POST', pathOf('/seen'), body);
      expectFieldErrors(answer, [field]);
      expect(await states()).toEqual(['-']);
    });
  });

  describe('messages of a subscriber in version 1', () => {
    const callV1 = <T>(method: string, rest: string, body?: unknown, of = 'ada') =>
      gateway.call<T>(method, `/v1/subscribers/${of}${rest}`, body);

    it('counts the unseen messages', async () => {
      await insert({}, {}, { seen: true }, { channel: 'email' }, { subscriberId: bob._id! as SubscriberRowId });
      for (const [query, count] of [
        ['', 2],
        ['?seen=false&limit=100', 2],
        ['?limit=1', 1],
        ['?seen=true', 1],
      ]) {
        expect(await callV1('GET', `/notifications/unseen${query}`)).toMatchObject({ status: 200, body: { count } });
      }
      expect((await callV1('GET', '/notifications/unseen?limit=1001')).status).toBe(422);
      expect((await callV1('GET', '/notifications/unseen', undefined, 'missing')).status).toBe(404);
    });

    it('marks one or several messages by id and returns them', async () => {
      const [first, second, third] = await insert({}, {}, { subscriberId: bob._id! as SubscriberRowId });
      const one = await callV1<MessageDto[]>('POST', '/messages/mark-as', { messageId: first!.id, markAs: 'read' });
      expect(one.status).toBe(201);
      expect(one.body).toEqual([
        expect.objectContaining({ _id: first!.id, seen: true, read: true, channel: 'in_app' }),
      ]);
      expect(isRecent(one.body[0]!.lastReadDate)).toBe(true);

      const messageId = [first!.id, second!.id, third!.id];
      for (const [markAs, expected] of [
        ['seen', ['SR', 'S', '-']],
        ['unread', ['S', 'S', '-']],
        ['unseen', ['-', '-', '-']],
      ] as const) {
        const several = await callV1<MessageDto[]>('POST', '/messages/mark-as', { messageId, markAs });
        expect(several.body.map(({ _id }) => _id).sort()).toEqual([first!.id, second!.id].sort());
        expect(await states()).toEqual(expected);
      }
    });

    it('marks all messages and returns how many changed', async () => {
      await insert({}, { seen: true }, { seen: true, read: true }, { seen: true, read: true, archived: true });
      const markAll = async (body: object) => {
        const answer = await callV1<number>('POST', '/messages/mark-all', body);
        expect(answer.status).toBe(201);
        return [answer.body, await states()];
      };
      expect(await markAll({ markAs: 'read', feedIdentifier: 'none' })).toEqual([0, ['-', 'S', 'SR', 'SRA']]);
      expect(await markAll({ markAs: 'seen', feedIdentifier: [] })).toEqual([1, ['S', 'S', 'SR', 'SRA']]);
      expect(await markAll({ markAs: 'read' })).toEqual([2, ['SR', 'SR', 'SR', 'SRA']]);
      expect(await markAll({ markAs: 'unread' })).toEqual([4, ['S', 'S', 'S', 'S']]);
      expect(await markAll({ markAs: 'unseen' })).toEqual([4, ['-', '-', '-', '-']]);
    });

    it('stores the status and payload of an action', async () => {
      const { id } = await insertOne({ cta: { action: { buttons: [{ type: 'secondary', content: 'No' }] } } });
      const path = `/messages/${id}/actions`;
      const done = await callV1<MessageDto>('POST', `${path}/secondary`, { status: 'done', payload: { why: 'no' } });
      expect(done).toMatchObject({
        status: 201,
        body: { _id: id, cta: { action: { status: 'done', result: { type: 'secondary', payload: { why: 'no' } } } } },
      });
      expect((await callV1('POST', `${path}/primary`, { status: 'done' })).status).toBe(400);
      expect((await callV1('POST', `${path}/third`, { status: 'done' })).status).toBe(422);
      expect((await callV1('POST', `${path}/secondary`, { status: 'over' })).status).toBe(422);
    });

    it.each([
      ['/messages/mark-as', { messageId: 'x', markAs: 'read' }, 'messageId'],
      ['/messages/mark-as', { messageId: [], markAs: 'read' }, 'messageId'],
      ['/messages/mark-as', { messageId: [newId(), null], markAs: 'read' }, 'messageId'],
      ['/messages/mark-as', { messageId: newId(), markAs: 'archived' }, 'markAs'],
      ['/messages/mark-all', { markAs: 'gone' }, 'markAs'],
      ['/messages/mark-all', { markAs: 'read', feedIdentifier: 5 }, 'feedIdentifier'],
    ])('answers POST %s with %j with a 422 that names %s', async (path, body, field) => {
      expectFieldErrors(await callV1('POST', path, body), [field]);
    });
  });

  describe('unknown messages and subscribers', () => {
    const single = (id: string): [string, string, unknown?][] => [
      ...['read', 'unread', 'archive', 'unarchive', 'unsnooze'].map((mark): [string, string] => [
        'PATCH',
        `/${id}/${mark}`,
      ]),
      ['PATCH', `/${id}/snooze`, { snoozeUntil: new Date(Date.now() + DAY).toISOString() }],
      ['PATCH', `/${id}/actions/primary/complete`],
      ['PATCH', `/${id}/actions/primary/revert`],
      ['DELETE', `/${id}`],
    ];
    const older = (id: string): [string, string, unknown][] => [
      ['POST', '/messages/mark-as', { messageId: id, markAs: 'read' }],
      ['POST', `/messages/${id}/actions/primary`, { status: 'done' }],
    ];
    const others: [string, string, unknown?][] = [
      ['GET', ''],
      ['GET', '/count?filters=[{}]'],
      ...['read', 'archive', 'read-archive', 'seen', 'delete'].map((path): [string, string, unknown] => [
        'POST',
        `/${path}`,
        {},
      ]),
    ];

    it('answers 404 for an unknown message or one of another subscriber, channel or environment', async () => {
      const cta = { action: { buttons: [{ type: 'primary', content: 'Go' }] } };
      const rows = await insert(
        { cta, subscriberId: bob._id! as SubscriberRowId },
        { cta, channel: 'email' },
        { cta, environmentId: newId() },
      );
      for (const id of [...rows.map((row) => row.id), newId()]) {
        for (const [method, path, body] of single(id)) {
          const answer = await gateway.call(method, pathOf(path), body);
          expect({ path, status: answer.status }).toEqual({ path, status: 404 });
          expect(answer.body['message']).toBe(`Notification ${id} was not found`);
        }
        for (const [method, path, body] of older(id)) {
          expect((await gateway.call(method, `/v1/subscribers/ada${path}`, body)).status).toBe(404);
        }
      }
      expect(await states()).toEqual(['-', '-', '-']);
    });

    it('answers 404 for an unknown subscriber', async () => {
      const { id } = await insertOne();
      for (const [method, path, body] of [...single(id), ...others]) {
        const answer = await gateway.call(method, pathOf(path, 'missing'), body);
        expect(answer).toMatchObject({ status: 404, body: { message: 'Subscriber missing was not found' } });
      }
      for (const [method, path, body] of older(id)) {
        expect((await gateway.call(method, `/v1/subscribers/missing${path}`, body)).status).toBe(404);
      }
      expect(await states()).toEqual(['-']);
    });
  });

  it('publishes a realtime event for each change after it is committed', async () => {
    const relay = new RealtimeRelay(gateway.queueBackend, { prefix: gateway.queuePrefix, onError: () => undefined });
    const received: RealtimeEvent[] = [];
    let wake = (): void => undefined;
    await relay.subscribe((events) => {
      received.push(...events);
      wake();
    });
    const next = async () => {
      while (received.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift();
    };
    try {
      const rows = await insert({ cta: { action: { buttons: [{ type: 'primary', content: 'Go' }] } } }, {});
      const [first, second] = rows.map(({ id }) => id);
      const event = (kind: string, ...messageIds: string[]) => ({
        v: 1,
        kind: `message.${kind}`,
        environmentId: gateway.environmentId,
        subscriberId: ada._id,
        messageIds,
      });
      await gateway.call('PATCH', pathOf(`/${first}/read`), undefined, { 'idempotency-key': newId() });
      expect(await next()).toEqual(event('updated', first!));
      await call('PATCH', `/${first}/actions/primary/complete`);
      expect(await next()).toEqual(event('updated', first!));
      await call('POST', '/read', {});
      expect(await next()).toEqual(event('updated', second!));
      // This call changes nothing, so it publishes nothing.
      await call('POST', '/read', {});
      await call('POST', '/delete', {});
      const deleted = (await next())!;
      expect({ ...deleted, messageIds: deleted.messageIds.toSorted() }).toEqual(event('deleted', first!, second!));
    } finally {
      await relay.close();
    }
  });
});
