import { basic } from '../call';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { clicksend } from './clicksend.provider';

describe('ClickSend', () => {
  const answer = (...messages: unknown[]) => ({
    json: {
      http_code: 200,
      response_code: 'SUCCESS',
      response_msg: 'Messages queued for delivery.',
      data: { messages },
    },
  });
  const rig = testProviderContract(clicksend, {
    credentials: { from: 'Clarion' },
    success: answer({ message_id: 'CS1', status: 'SUCCESS', date: 1767268800, custom_string: 'message-1' }),
    id: 'CS1',
  });
  const messages = () => (JSON.parse(rig.calls[0]!.body) as { messages: unknown[] }).messages;

  it('posts a message as JSON with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'CS1', date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3/sms/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('api', 'canary-api-key'),
      'content-type': 'application/json',
    });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({
      messages: [{ to: '+15551234567', from: 'Clarion', body: 'hi', custom_string: 'message-1' }],
    });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const overrides = { schedule: 1767268999, fromEmail: 'ann@example.com', listId: 5 };
    expect(await rig.send({ from: 'Other', content: 'Grüße 👋' }, overrides)).toMatchObject({
      warnings: [expect.stringContaining('listId')],
    });
    expect(messages()).toEqual([
      {
        to: '+15551234567',
        from: 'Other',
        body: 'Grüße 👋',
        custom_string: 'message-1',
        schedule: 1767268999,
        from_email: 'ann@example.com',
      },
    ]);
  });

  it.each([
    ['INVALID_RECIPIENT', 'recipient'],
    ['INSUFFICIENT_CREDIT', 'quota'],
    ['INVALID_SENDER_ID', 'credentials'],
    ['COUNTRY_NOT_ENABLED', 'permanent'],
    ['EMPTY_MESSAGE', 'content'],
    ['THROTTLED', 'content'],
    ['constructor', 'permanent'],
  ])('classifies a 200 with the message status %s as %s', async (status, kind) => {
    expect(await rig.answering(answer({ message_id: 'CS1', status }))).toMatchObject({
      ok: false,
      kind,
      message: status,
    });
  });

  it.each([
    [400, 'BAD_REQUEST', 'permanent'],
    [401, 'UNAUTHORIZED', 'credentials'],
    [403, 'FORBIDDEN', 'credentials'],
    [400, 'ACCOUNT_NOT_ACTIVATED', 'credentials'],
    [429, 'TOO_MANY_REQUESTS', 'rate-limited'],
    [500, 'INTERNAL_SERVER_ERROR', 'transient'],
    [200, 'INSUFFICIENT_CREDIT', 'quota'],
    [200, 'SOMETHING_ELSE', 'permanent'],
  ])('classifies a %d with the response code %s as %s', async (status, response_code, kind) => {
    const json = { http_code: status, response_code, response_msg: 'no', data: {} };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([answer(), answer(null), answer({ status: 'SUCCESS' }), { json: { response_code: 'SUCCESS', data: 'x' } }])(
    'reports an unknown outcome for %j',
    async (odd) => expect(await rig.answering(odd)).toMatchObject({ ok: false, kind: 'unknown-outcome' }),
  );

  describe('batch', () => {
    const three = [{ id: 'a' }, { id: 'b', to: '+2 222 222', content: 'other' }, { id: 'c' }];

    it('sends one call and returns one result per message', async () => {
      rig.stage.fake.always(
        '/',
        // In another order than the messages.
        answer(
          { message_id: '3', status: 'SUCCESS', custom_string: 'c' },
          { message_id: '2', status: 'INVALID_RECIPIENT', custom_string: 'b' },
          { message_id: '1', status: 'SUCCESS', custom_string: 'a' },
        ),
      );
      expect(await rig.sendBatch(three)).toMatchObject([
        { ok: true, id: '1' },
        { ok: false, kind: 'recipient' },
        { ok: true, id: '3' },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(messages()).toMatchObject([
        { to: '+15551234567', body: 'hi', custom_string: 'a' },
        { to: '+2222222', body: 'other', custom_string: 'b' },
        { to: '+15551234567', body: 'hi', custom_string: 'c' },
      ]);
    });

    it('assigns results without ids by their position', async () => {
      rig.stage.fake.always('/', answer({ message_id: '1', status: 'SUCCESS' }, { status: 'THROTTLED' }, null));
      expect(await rig.sendBatch(three)).toMatchObject([
        { ok: true, id: '1' },
        { ok: false, kind: 'content' },
        { ok: false, kind: 'unknown-outcome' },
      ]);
    });

    it('reports an unknown outcome for messages that the response lacks', async () => {
      rig.stage.fake.always('/', answer({ message_id: '2', status: 'SUCCESS', custom_string: 'b' }));
      expect(await rig.sendBatch(three)).toMatchObject([
        { ok: false, kind: 'unknown-outcome' },
        { ok: true, id: '2' },
        { ok: false, kind: 'unknown-outcome' },
      ]);
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 401, json: { response_code: 'UNAUTHORIZED', response_msg: 'no' } });
      expect(await rig.sendBatch(three)).toMatchObject(
        three.map(() => ({ ok: false, kind: 'credentials', message: 'no' })),
      );
    });

    it('leaves out a message that cannot be sent', async () => {
      rig.stage.fake.always('/', answer({ message_id: '1', status: 'SUCCESS', custom_string: 'a' }));
      expect(await rig.sendBatch([{ id: 'a' }, { id: 'b', to: 'bob' }])).toMatchObject([
        { ok: true, id: '1' },
        { ok: false, kind: 'recipient' },
      ]);
      expect(messages()).toHaveLength(1);
    });

    it.each([
      ['a'.repeat(600), ''],
      ['a'.repeat(601), undefined],
      ['ش'.repeat(100), ''],
      ['ش'.repeat(101), undefined],
    ])('groups only texts that fit into a batch response (case %#)', (content, group) => {
      expect(clicksend.batch!.size).toBe(50);
      const message = { id: 'a', to: '+15551234567', content };
      expect(clicksend.batch!.groupOf({ message, overrides: {} }, {})).toBe(group);
    });

    it('reads a batch response of the maximum size', async () => {
      const many = Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, content: 'ش'.repeat(100) }));
      const entries = many.map(({ id }) => ({
        direction: 'out',
        date: 1767268800,
        to: '+15551234567',
        body: '\\u0634'.repeat(100),
        from: 'Clarion',
        schedule: 1767268800,
        message_id: `01234567-89AB-7DEF-8123-4567${id.padStart(8, '0')}`,
        message_parts: 2,
        message_price: '0.1540',
        from_email: null,
        list_id: null,
        custom_string: id,
        contact_id: null,
        user_id: 1234567,
        subaccount_id: 1234567,
        country: 'US',
        carrier: 'A carrier with a rather long name',
        is_shared_system_number: false,
        status: 'SUCCESS',
        status_code: '200',
        status_text: 'Message queued',
        error_code: null,
        error_text: null,
      }));
      rig.stage.fake.always('/', answer(...entries));
      const results = await rig.sendBatch(many);
      expect(results).toHaveLength(50);
      expect(results.every(({ ok }) => ok)).toBe(true);
    });
  });

  it('reads the account to check the credentials and keeps nothing of the response', async () => {
    rig.stage.fake.always('/', {
      json: { response_code: 'SUCCESS', data: { _subaccount: { api_key: 'canary-other' } } },
    });
    expect(await rig.check()).toEqual({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/account' });
    expect(rig.calls[0]!.headers.authorization).toBe(basic('api', 'canary-api-key'));
    rig.stage.fake.always('/', { status: 404 });
    expect(await rig.check()).toEqual({ ok: true });
  });

  describe('delivery events', () => {
    testSharedKeyVerification(clicksend);
    const REPORT = {
      message_id: 'CS1',
      status_code: '301',
      status_text: 'Delivery failed',
      error_code: '302',
      error_text: 'Absent subscriber',
      custom_string: 'message-1',
      timestamp: '1767268800',
    };
    const EVENT = {
      id: 'CS1:301',
      kind: 'failed',
      providerMessageId: 'CS1',
      messageId: 'message-1',
      at: new Date('2026-01-01T12:00:00Z'),
      reason: 'Absent subscriber',
    };

    it('reads a report from a form or JSON', () => {
      expect(eventsOf(clicksend, inbound(new URLSearchParams(REPORT).toString()))).toEqual([EVENT]);
      expect(eventsOf(clicksend, inbound({ ...REPORT, status_code: 301, timestamp: 1767268800 }))).toEqual([EVENT]);
      expect(eventsOf(clicksend, inbound([REPORT, REPORT]))).toEqual([EVENT, EVENT]);
    });

    it.each([
      ['200', 'sent'],
      ['201', 'delivered'],
      ['300', 'deferred'],
      ['301', 'failed'],
    ])('maps the status code %s to the event %s', (status_code, kind) =>
      expect(
        eventsOf(clicksend, inbound(`message_id=CS1&status_code=${status_code}&error_text=&custom_string=`)),
      ).toEqual([{ id: `CS1:${status_code}`, kind, providerMessageId: 'CS1' }]),
    );

    it.each([
      '',
      'null',
      '[]',
      '[null]',
      '{}',
      '<html>',
      'message_id=1',
      'status_code=201',
      'message_id=1&status_code=9',
    ])('returns no event for the body %p', (text) => expect(eventsOf(clicksend, inbound(text))).toEqual([]));
  });
});
