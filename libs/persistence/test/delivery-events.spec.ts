import { type EnvironmentId, newId, type SubscriberRowId } from '@clarion/contracts';
import {
  DeliveryEventRepository,
  EnvironmentRepository,
  type EventSource,
  type ExecutionDetail,
  type FullMessage,
  Maintenance,
  type Message,
  type NewDeliveryEvent,
  type Suppression,
  SuppressionRepository,
} from '@clarion/persistence';
import { createTestDatabase, insertMessages, type TestDatabase, watchStatements } from '@clarion/testing';

describe('delivery events', () => {
  let test: TestDatabase;
  let events: DeliveryEventRepository;
  let source: EventSource;

  beforeAll(async () => {
    test = await createTestDatabase();
    events = new DeliveryEventRepository(test.database);
  });
  afterAll(() => test.drop());

  beforeEach(async () => {
    const repository = new EnvironmentRepository(test.database);
    const organization = await repository.insertOrganization('O');
    const input = { organizationId: organization.id, name: 'E', identifier: newId(), type: 'dev' as const };
    const environment = (await repository.insert(input))!;
    source = { environmentId: environment.id, id: newId(), channel: 'email', providerId: 'resend' };
  });

  const insertMessage = async (more: Partial<Message> = {}): Promise<FullMessage> => {
    const { environmentId, id: integrationId } = source;
    const row = { environmentId, integrationId, subscriberId: newId<SubscriberRowId>(), channel: 'email' as const };
    const [message] = await insertMessages(test.database, [{ ...row, providerMessageId: newId(), ...more }]);
    return message!;
  };
  const messageOf = async (id: string): Promise<Message> =>
    (await test.database.rows<Message>(`SELECT * FROM message WHERE id = $1`, [id]))[0]!;
  const detailsOf = (messageId: string): Promise<ExecutionDetail[]> =>
    test.database.rows<ExecutionDetail>(`SELECT * FROM execution_detail WHERE message_id = $1 ORDER BY id`, [
      messageId,
    ]);
  const suppressions = (): Promise<Suppression[]> =>
    test.database.rows<Suppression>(`SELECT * FROM suppression WHERE environment_id = $1 ORDER BY address`, [
      source.environmentId,
    ]);
  const event = (more: Partial<NewDeliveryEvent>): NewDeliveryEvent => ({
    eventId: newId(),
    detailId: newId(),
    status: 'Success',
    detail: 'Message delivered',
    raw: '{}',
    ...more,
  });

  it('finds the message of an event by our id or by the id of the provider, and writes an execution detail', async () => {
    const ours = await insertMessage();
    const theirs = await insertMessage();
    const taken = await events.take(source, [
      event({ eventId: 'a', messageId: ours.id, providerMessageId: 'another' }),
      event({ eventId: 'b', providerMessageId: theirs.providerMessageId! }),
    ]);
    expect(taken.toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1))).toEqual([
      { eventId: 'a', messageId: ours.id },
      { eventId: 'b', messageId: theirs.id },
    ]);
    expect(await detailsOf(ours.id)).toEqual([
      expect.objectContaining({
        notificationId: ours.notificationId,
        stepId: ours.stepId,
        status: 'Success',
        detail: 'Message delivered',
        source: 'Webhook',
        providerId: 'resend',
        raw: '{}',
      }),
    ]);
    expect(await detailsOf(theirs.id)).toHaveLength(1);
  });

  it('changes no message of another environment or integration', async () => {
    const foreign = await insertMessage({ environmentId: newId() });
    const neighbour = await insertMessage({ integrationId: newId() });
    const taken = await events.take(
      source,
      [foreign, neighbour].flatMap(({ id, providerMessageId }) => [
        event({ messageId: id, effect: 'error', errorId: 'e', errorText: 't' }),
        event({ providerMessageId: providerMessageId!, effect: 'error', errorId: 'e', errorText: 't' }),
      ]),
    );
    expect(taken.map(({ messageId }) => messageId)).toEqual([null, null, null, null]);
    for (const { id } of [foreign, neighbour]) {
      expect((await messageOf(id)).status).toBe('sent');
      expect(await detailsOf(id)).toEqual([]);
    }
  });

  it('applies an event once when many calls deliver it at the same time', async () => {
    const { id } = await insertMessage();
    const batch = Array.from({ length: 20 }, (_, at) => event({ eventId: `event-${at}`, messageId: id }));
    const shuffled = [batch, batch.toReversed(), batch.toSpliced(0, 10), batch.toReversed().toSpliced(0, 5)];
    const answers = await Promise.all(
      [...shuffled, ...shuffled].map((one) =>
        events.take(
          source,
          one.map((item) => ({ ...item, detailId: newId() })),
        ),
      ),
    );
    expect(answers.flat()).toHaveLength(20);
    expect(await detailsOf(id)).toHaveLength(20);
    expect(await events.take(source, [event({ eventId: 'event-3', messageId: id })])).toEqual([]);
  });

  it('applies events with the same id of two integrations separately', async () => {
    const first = await insertMessage();
    await events.take(source, [event({ eventId: 'same', messageId: first.id })]);
    source = { ...source, id: newId() };
    const second = await insertMessage();
    expect(await events.take(source, [event({ eventId: 'same', messageId: second.id })])).toHaveLength(1);
  });

  it('stores an event without a message and applies it when the message is known', async () => {
    const early = event({ eventId: 'early', providerMessageId: 'p-1', effect: 'delivered' });
    expect(await events.take(source, [early])).toEqual([{ eventId: 'early', messageId: null }]);
    expect(await events.take(source, [early])).toEqual([]);
    const { id } = await insertMessage({ providerMessageId: 'p-1' });
    expect(await events.take(source, [early])).toEqual([{ eventId: 'early', messageId: id }]);
    expect(await events.take(source, [{ ...early, detailId: newId() }])).toEqual([]);
    expect(await detailsOf(id)).toHaveLength(1);
    expect((await messageOf(id)).deliveredAt).toHaveLength(1);
  });

  it('records when a message was delivered, read and bounced, in any order of the events', async () => {
    const at = (minute: number): string => `2026-01-01T10:0${minute}:00.000Z`;
    const opened = event({ effect: 'read', at: at(3) });
    const delivered = event({ effect: 'delivered', at: at(2) });
    const openedBefore = event({ effect: 'read', at: at(1) });
    for (const order of [
      [opened, delivered, openedBefore],
      [openedBefore, delivered, opened],
    ]) {
      const { id } = await insertMessage();
      for (const one of order)
        await events.take(source, [{ ...one, eventId: newId(), detailId: newId(), messageId: id }]);
      expect(await messageOf(id)).toMatchObject({
        status: 'sent',
        seen: true,
        read: true,
        lastReadAt: new Date(at(3)),
        lastSeenAt: new Date(at(3)),
        deliveredAt: [new Date(at(2))],
      });
    }
    const { id } = await insertMessage();
    await events.take(source, [
      event({ messageId: id, effect: 'delivered', at: at(2) }),
      event({ messageId: id, effect: 'delivered', at: at(1) }),
      event({ messageId: id, effect: 'error', at: at(3), errorId: 'message_bounced', errorText: 'later' }),
      event({ messageId: id, effect: 'error', at: at(2), errorId: 'message_failed', errorText: 'before' }),
      event({ messageId: id, effect: 'read', at: '2999-01-01T00:00:00Z' }),
      event({ messageId: id }),
    ]);
    const message = await messageOf(id);
    expect(message).toMatchObject({
      status: 'error',
      errorId: 'message_bounced',
      errorText: 'later',
      deliveredAt: [new Date(at(1))],
    });
    // A clock that runs ahead of ours does not reach into the future.
    expect(message.lastReadAt!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
    await events.take(source, [event({ messageId: id, effect: 'delivered', at: at(5) })]);
    expect(await messageOf(id)).toMatchObject({ status: 'error', deliveredAt: [new Date(at(1))] });
  });

  const bounceOf = (address: string, more: Partial<NewDeliveryEvent>): NewDeliveryEvent =>
    event({ suppressedId: newId(), address, reason: 'bounce', ...more });
  const suppressedAddresses = async (): Promise<string[]> => (await suppressions()).map(({ address }) => address);

  it('suppresses an address with its first reason, and not again after the suppression was removed', async () => {
    const { id } = await insertMessage({ recipients: ['a@x.test', 'b@x.test'] });
    const gone = bounceOf('a@x.test', { messageId: id });
    await events.take(source, [
      { ...gone, at: '2026-01-01T10:00:00Z' },
      bounceOf('a@x.test', { messageId: id, reason: 'complaint' }),
      bounceOf('b@x.test', { messageId: id, reason: 'complaint' }),
    ]);
    expect(await suppressions()).toEqual([
      expect.objectContaining({
        channel: 'email',
        address: 'a@x.test',
        reason: 'bounce',
        providerId: 'resend',
        integrationId: source.id,
        messageId: id,
      }),
      expect.objectContaining({ address: 'b@x.test', reason: 'complaint', messageId: id }),
    ]);
    const list = new SuppressionRepository(test.database);
    const lifted = await list.delete(source.environmentId, { channel: 'email', address: 'a@x.test' });
    expect(lifted).toMatchObject({ address: 'a@x.test' });
    await events.take(source, [gone]);
    expect(await suppressedAddresses()).toEqual(['b@x.test']);
  });

  it('suppresses an address only when the message of the event is known', async () => {
    const early = bounceOf('c@x.test', { providerMessageId: 'p-2' });
    await events.take(source, [early, bounceOf('d@x.test', {}), bounceOf('e@x.test', { messageId: newId() })]);
    expect(await suppressedAddresses()).toEqual([]);
    await insertMessage({ providerMessageId: 'p-2', recipients: ['c@x.test'] });
    expect(await events.take(source, [early])).toHaveLength(1);
    expect(await suppressedAddresses()).toEqual(['c@x.test']);
  });

  it('suppresses no address that the message was not sent to, and none for a message of another integration', async () => {
    const { id } = await insertMessage({ recipients: ['a@x.test'] });
    const { id: unaddressed } = await insertMessage({ recipients: null });
    const { id: foreign } = await insertMessage({ recipients: ['b@x.test'], integrationId: newId() });
    await events.take(source, [
      bounceOf('victim@x.test', { messageId: id }),
      bounceOf('victim@x.test', { messageId: unaddressed }),
      bounceOf('b@x.test', { messageId: foreign }),
    ]);
    expect(await suppressedAddresses()).toEqual([]);
  });

  it('recognises a signature that came with another report of the same integration', async () => {
    const [signature, report] = [newId(), newId()];
    const attempts = await Promise.all(
      Array.from({ length: 5 }, () => events.isFirstReport(source, signature, report)),
    );
    expect(attempts).toEqual(Array(5).fill(true));
    expect(await events.isFirstReport(source, signature, newId())).toBe(false);
    expect(await events.isFirstReport(source, signature, report)).toBe(true);
    expect(await events.isFirstReport({ ...source, id: newId() }, signature, newId())).toBe(true);
  });

  it('writes many events with any characters in one statement', async () => {
    const messages = await Promise.all(Array.from({ length: 5 }, () => insertMessage()));
    const many = Array.from({ length: 500 }, (_, at) =>
      event({ messageId: messages[at % 5]!.id, effect: 'read', raw: 'a\u0000b\ud800', detail: 'Message read' }),
    );
    const statements = watchStatements(test.dataSource);
    expect(await events.take(source, many)).toHaveLength(500);
    expect(await events.take(source, [])).toEqual([]);
    expect(statements()).toHaveLength(1);
    expect(await detailsOf(messages[0]!.id)).toHaveLength(100);
  });

  it('deletes events after a month', async () => {
    await events.take(source, [event({ eventId: 'old' }), event({ eventId: 'young' })]);
    await test.database.query(
      `UPDATE delivery_event SET created_at = now() - interval '31 days' WHERE event_id = 'old' AND integration_id = $1`,
      [source.id],
    );
    expect(await new Maintenance(test.database, undefined).run()).toMatchObject({ deliveryEventsDeleted: 1 });
    const left = await test.database.query<{ event_id: string }>(
      `SELECT event_id FROM delivery_event WHERE integration_id = $1`,
      [source.id],
    );
    expect(left).toEqual([{ event_id: 'young' }]);
  });
});

describe('suppressions', () => {
  let test: TestDatabase;
  let list: SuppressionRepository;
  const environments: EnvironmentId[] = [];

  beforeAll(async () => {
    test = await createTestDatabase();
    list = new SuppressionRepository(test.database);
    const repository = new EnvironmentRepository(test.database);
    const organization = await repository.insertOrganization('O');
    for (const name of ['one', 'two']) {
      const input = { organizationId: organization.id, name, identifier: name, type: 'dev' as const };
      environments.push((await repository.insert(input))!.id);
    }
  });
  afterAll(() => test.drop());

  it('finds suppressions of many environments in one statement, each in its own environment', async () => {
    const [one, two] = environments as [EnvironmentId, EnvironmentId];
    await list.add(one, { channel: 'email', address: 'a@x.test' });
    await list.add(two, { channel: 'email', address: 'b@x.test' });
    await list.add(two, { channel: 'sms', address: '+1' });
    const statements = watchStatements(test.dataSource);
    const found = await list.find(
      'email',
      [one, two].flatMap((environmentId) =>
        ['a@x.test', 'b@x.test', '+1', 'c@x.test'].map((address) => ({ environmentId, address })),
      ),
    );
    expect(statements()).toHaveLength(1);
    expect(found.map(({ environmentId, address }) => [environmentId, address]).toSorted()).toEqual(
      [
        [one, 'a@x.test'],
        [two, 'b@x.test'],
      ].toSorted(),
    );
  });
});
