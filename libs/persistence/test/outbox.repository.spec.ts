import { type EnvironmentId, LIMITS, newId, type OrderDirection, type SubscriberRowId } from '@clarion/contracts';
import {
  EnvironmentRepository,
  Maintenance,
  type NewOutboxMessage,
  OutboxRepository,
  SubscriberRepository,
} from '@clarion/persistence';
import { createTestDatabase, insertMessages, type TestDatabase, watchStatements } from '@clarion/testing';

describe('the outbox', () => {
  let test: TestDatabase;
  let outbox: OutboxRepository;
  let one: EnvironmentId;
  let two: EnvironmentId;

  beforeEach(async () => {
    test = await createTestDatabase();
    outbox = new OutboxRepository(test.database);
    const environments = new EnvironmentRepository(test.database);
    const { id: organizationId } = await environments.insertOrganization('O');
    const make = async (name: string) =>
      (await environments.insert({ organizationId, name, identifier: name, type: 'dev' }))!.id;
    one = await make('one');
    two = await make('two');
  });
  afterEach(() => test.drop());

  const mail = (more: Partial<NewOutboxMessage> = {}): NewOutboxMessage => ({
    messageId: newId(),
    channel: 'email',
    providerId: 'platform-email',
    to: ['ada@example.com'],
    more: {},
    ...more,
  });
  const page = {
    limit: 100,
    orderDirection: 'DESC' as OrderDirection,
    includeCursor: false,
    orderBy: 'createdAt' as const,
  };
  const list = async (environmentId: EnvironmentId, filter = {}) =>
    (await outbox.list(environmentId, filter, page)).rows.map(({ id }) => id);

  it('stores many messages in one statement and keeps the first version of each', async () => {
    const messages = [
      mail({ subject: 'Hello', html: '<p>Hi</p>', text: 'Hi', more: { cc: ['bob@example.com'] } }),
      mail({ channel: 'sms', providerId: 'platform-sms', to: ['+1'], text: 'Hi there' }),
    ];
    const statements = watchStatements(test.dataSource);
    await outbox.put(one, [...messages, messages[0]!]);
    expect(statements()).toHaveLength(1);
    await outbox.put(one, [{ ...messages[0]!, subject: 'Changed' }]);

    const [first, second] = messages.map(({ messageId }) => messageId) as [string, string];
    expect(await outbox.find(one, first)).toEqual({
      environmentId: one,
      id: first,
      notificationId: null,
      channel: 'email',
      providerId: 'platform-email',
      to: ['ada@example.com'],
      subject: 'Hello',
      html: '<p>Hi</p>',
      text: 'Hi',
      more: { cc: ['bob@example.com'] },
      createdAt: expect.any(Date),
    });
    const { rows, totalCount } = await outbox.list(one, {}, page);
    expect(totalCount).toBe(2);
    expect(rows.find(({ id }) => id === second)).toMatchObject({ html: null, text: 'Hi there' });
  });

  it('stores messages with characters that Postgres does not store', async () => {
    const message = mail({ subject: 'a\0b', html: '\ud800', to: ['c\0'], more: { 'd\0': 'e\0' } });
    await outbox.put(one, [message]);
    expect(await outbox.find(one, message.messageId)).toMatchObject({ subject: 'a\ufffdb', to: ['c\ufffd'] });
  });

  it('keeps the outboxes of environments apart', async () => {
    const message = mail();
    await outbox.put(one, [message]);
    expect(await outbox.find(two, message.messageId)).toBeUndefined();
    expect(await list(two)).toEqual([]);
    await outbox.put(two, [{ ...message, subject: 'Theirs' }]);
    await outbox.empty(two);
    expect([await list(one), await list(two)]).toEqual([[message.messageId], []]);
  });

  it('lists messages newest first, by channel, address and transaction', async () => {
    const subscriberId = newId<SubscriberRowId>();
    const old = mail();
    const text = mail({ channel: 'sms', providerId: 'platform-sms', to: ['+1', '+2'] });
    await outbox.put(one, [old]);
    await test.database.query(`UPDATE outbox SET created_at = created_at - interval '1 hour'`);
    await outbox.put(one, [text]);
    await insertMessages(test.database, [
      { environmentId: one, subscriberId, id: text.messageId, transactionId: 'tx' },
      { environmentId: two, subscriberId, id: old.messageId, transactionId: 'tx' },
    ]);
    expect(await list(one)).toEqual([text.messageId, old.messageId]);
    expect(await list(one, { channel: 'email' })).toEqual([old.messageId]);
    expect(await list(one, { to: '+2' })).toEqual([text.messageId]);
    expect(await list(one, { to: '+' })).toEqual([]);
    expect(await list(one, { transactionId: 'tx' })).toEqual([text.messageId]);
  });

  it('deletes the messages of a subscriber with the subscriber', async () => {
    const subscribers = new SubscriberRepository(test.database);
    const { id: subscriberId } = (await subscribers.insert(one, { subscriberId: 'ada' }))!;
    const [theirs, other] = [mail(), mail()];
    await outbox.put(one, [theirs, other]);
    await insertMessages(test.database, [{ environmentId: one, subscriberId, id: theirs.messageId }]);
    await subscribers.delete(one, 'ada');
    expect(await list(one)).toEqual([other.messageId]);
  });

  it(`keeps the newest ${LIMITS.outboxMessages} messages of ${LIMITS.outboxDays} days`, async () => {
    const fill = (environmentId: EnvironmentId, count: number, ageDays: number) =>
      test.database.query(
        `INSERT INTO outbox (environment_id, id, channel, provider_id, "to", subject, created_at)
         SELECT $1, gen_random_uuid(), 'email', 'platform-email', '{}', $3, now() - $3::text::float * interval '1 day'
           FROM generate_series(1, $2) n`,
        [environmentId, count, ageDays],
      );
    // All of the same moment, as those of a batch are.
    await fill(one, LIMITS.outboxMessages - 1, 1);
    await fill(one, 6_000, 2);
    await fill(two, 2, LIMITS.outboxDays - 0.01);
    await fill(two, 3, LIMITS.outboxDays + 0.01);
    const maintenance = new Maintenance(test.database, undefined);
    expect(await maintenance.run()).toMatchObject({ outboxMessagesDeleted: 5_999 + 3 });
    const left = await test.database.query<{ count: number; subject: string }>(
      `SELECT environment_id = $1 AS mine, subject, count(*)::int AS count FROM outbox GROUP BY 1, 2 ORDER BY 1, 3`,
      [one],
    );
    expect(left.map(({ subject, count }) => [Number(subject), count])).toEqual([
      [LIMITS.outboxDays - 0.01, 2],
      [2, 1],
      [1, LIMITS.outboxMessages - 1],
    ]);
    expect(await maintenance.run()).toMatchObject({ outboxMessagesDeleted: 0 });
  });
});
