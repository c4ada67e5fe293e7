import { CREDENTIALS, EMAIL, FULL_EMAIL } from '../../test/samples';
import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { infobipEmail } from './infobip-email.provider';

describe('Infobip Email', () => {
  const state = (groupName: string, name: string, over: object = {}) => ({
    to: 'bob@example.com',
    messageId: 'infobip-1',
    status: { groupId: 1, groupName, id: 1, name, description: `${name} described` },
    ...over,
  });
  const PENDING = state('PENDING', 'PENDING_ACCEPTED');

  const rig = testProviderContract(infobipEmail, {
    credentials: { baseUrl: 'https://xyz.api.infobip.com' },
    success: { json: { bulkId: 'bulk-1', messages: [PENDING] } },
    id: 'infobip-1',
    check: { json: { paging: { page: 0, size: 1, totalResults: 0 }, results: [] } },
  });

  const form = async (): Promise<FormData> => {
    const { body, headers } = rig.calls.at(-1)!;
    return new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData();
  };
  const fields = async (): Promise<[string, string][]> =>
    [...(await form())].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]);

  it('posts a multipart form', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/email/3/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'App canary-api-key',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as string,
    });
    expect(await fields()).toEqual([
      ['from', 'Sender <sender@example.com>'],
      ['to', 'bob@example.com'],
      ['subject', 'Hello'],
      ['html', '<p>hi</p>'],
      ['callbackData', 'message-1'],
    ]);
  });

  it('posts all parts of a message and warns about custom data', async () => {
    const result = await rig.send({
      ...FULL_EMAIL,
      to: ['bob@example.com', 'ann@example.com'],
      ipPoolName: 'pool',
      customData: { a: 1 },
    });
    expect(await fields()).toEqual([
      ['from', '"Ann \\"Boss\\" Ü" <ann@example.com>'],
      ['to', 'bob@example.com'],
      ['to', 'ann@example.com'],
      ['cc', 'cc@example.com'],
      ['bcc', 'bcc@example.com'],
      ['replyTo', 'reply@example.com'],
      ['subject', 'Grüße'],
      ['html', '<p>hi</p>'],
      ['text', 'hi'],
      ['preserveRecipients', 'true'],
      ['headers', '{"X-Campaign":"spring"}'],
      ['ipPoolId', 'pool'],
      ['callbackData', 'message-2'],
      ['attachment', 'a.txt'],
      ['inlineImage', 'logo'],
    ]);
    const file = (await form()).get('attachment') as File;
    expect([file.type, await file.text()]).toEqual(['text/plain', 'content']);
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('customData')],
    });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    const context = { ...rig.stage.context('infobip-email'), callbackUrl };
    await infobipEmail.send(EMAIL, { ...CREDENTIALS, baseUrl: 'https://xyz.api.infobip.com' }, context);
    expect(Object.fromEntries(await fields())).toMatchObject({
      notifyUrl: callbackUrl,
      notifyContentType: 'application/json',
      trackingUrl: callbackUrl,
    });
  });

  it.each(['xyz.api.infobip.com', 'https://xyz.api.infobip.com', 'https://xyz.api.infobip.com//'])(
    'derives the host of the account from %s',
    async (baseUrl) => {
      const asked: string[] = [];
      const context = rig.stage.context('infobip-email');
      const http = {
        ...context.http,
        request: (request: { url: string }) => {
          asked.push(request.url);
          return Promise.reject(Object.assign(new Error('seen'), { kind: 'unreachable' }));
        },
      };
      await infobipEmail.send(EMAIL, { ...CREDENTIALS, baseUrl }, { ...context, http });
      expect(asked).toEqual(['https://xyz.api.infobip.com/email/3/send']);
    },
  );

  it('makes no call when the base URL is not valid', async () => {
    expect(await rig.send({}, {}, { baseUrl: 'not a host' })).toMatchObject({ ok: false });
    expect(rig.stage.fake.count).toBe(0);
  });

  it('applies overrides and sends objects as JSON', async () => {
    const result = await rig.send(
      {},
      {
        trackOpens: true,
        templateId: 7,
        headers: { 'X-B': ['b'] },
        defaultPlaceholders: { a: 1 },
        notifyUrl: 'https://e.x',
        to: 'e@x',
      },
    );
    expect(Object.fromEntries(await fields())).toMatchObject({
      trackOpens: 'true',
      templateId: '7',
      headers: '{"X-B":["b"]}',
      defaultPlaceholders: '{"a":1}',
      to: 'bob@example.com',
    });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('notifyUrl'), expect.stringContaining('to')] });
  });

  it.each([
    ['REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS', 'quota'],
    ['REJECTED', 'REJECTED_DESTINATION', 'recipient'],
    ['REJECTED', 'REJECTED_SENDER', 'credentials'],
    ['UNDELIVERABLE', 'UNDELIVERABLE_REJECTED_OPERATOR', 'content'],
  ])('classifies a 200 with the status %s %s as %s', async (groupName, name, kind) => {
    expect(await rig.answering({ json: { messages: [state(groupName, name)] } })).toMatchObject({
      ok: false,
      kind,
      message: `${name} described`,
    });
  });

  it('warns about a rejected recipient of several', async () => {
    const refused = state('REJECTED', 'REJECTED_DESTINATION', { to: 'gone@example.com', messageId: 'infobip-0' });
    expect(await rig.answering({ json: { messages: [refused, PENDING] } })).toMatchObject({
      ok: true,
      id: 'infobip-1',
      warnings: [expect.stringContaining('gone@example.com')],
    });
  });

  it.each([
    [400, 'BAD_REQUEST', 'content'],
    [401, 'UNAUTHORIZED', 'credentials'],
    [403, 'FORBIDDEN', 'credentials'],
    [429, 'TOO_MANY_REQUESTS', 'rate-limited'],
    [500, 'GENERAL_ERROR', 'transient'],
  ])('classifies a %d %s as %s', async (status, messageId, kind) => {
    const json = { requestError: { serviceException: { messageId, text: 'no' } } };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the domains to check the credentials', async () => {
    rig.stage.fake.always('/email/1/domains', { json: { paging: { page: 0, size: 1 }, results: [] } });
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/email/1/domains?size=1' });
    rig.stage.fake.always('/email/1/domains', { status: 403, json: {} });
    expect(await rig.check()).toMatchObject({ ok: true });
    rig.stage.fake.always('/email/1/domains', { text: '<html></html>' });
    expect(await rig.check()).toMatchObject({ ok: false });
  });

  describe('delivery events', () => {
    const report = (groupName: string, error: object = {}) => ({
      bulkId: 'bulk-1',
      messageId: 'infobip-1',
      to: 'bob@example.com',
      sentAt: '2026-01-01T10:59:00.000+0000',
      doneAt: '2026-01-01T11:00:00.000+0000',
      callbackData: 'message-1',
      status: { groupName, name: `${groupName}_NAME`, description: 'described' },
      error: { groupName: 'OK', permanent: false, ...error },
    });
    const common = (group: string) => ({
      id: `infobip-1 ${group}_NAME 2026-01-01T11:00:00.000+0000 bob@example.com`,
      providerMessageId: 'infobip-1',
      messageId: 'message-1',
      recipient: 'bob@example.com',
      at: new Date('2026-01-01T11:00:00Z'),
    });
    const events = (body: object) => eventsOf(infobipEmail, inbound(body));

    testSharedKeyVerification(infobipEmail);

    it.each<[string, object, object]>([
      ['PENDING', {}, { kind: 'sent' }],
      ['DELIVERED', {}, { kind: 'delivered' }],
      [
        'UNDELIVERABLE',
        { permanent: true, description: 'no such user' },
        { kind: 'bounced', isPermanent: true, reason: 'no such user' },
      ],
      ['UNDELIVERABLE', {}, { kind: 'bounced', isPermanent: false, reason: 'described' }],
      ['EXPIRED', {}, { kind: 'failed', reason: 'described' }],
      ['REJECTED', { permanent: true }, { kind: 'rejected', reason: 'described' }],
    ])('maps a delivery report %s with the error %j to an event', (group, error, expected) => {
      expect(events({ results: [report(group, error)] })).toEqual([{ ...common(group), ...expected }]);
    });

    it('reads several reports of one call', () => {
      expect(events({ results: [report('DELIVERED'), report('PENDING')] }).map(({ kind }) => kind)).toEqual([
        'delivered',
        'sent',
      ]);
    });

    it.each([
      ['OPENED', 'opened'],
      ['CLICKED', 'clicked'],
      ['COMPLAINED', 'complained'],
      ['UNSUBSCRIBED', 'unsubscribed'],
    ])('maps the notification %s to the event %s', (notificationType, kind) => {
      const notice = {
        notificationType,
        recipient: 'bob@example.com',
        sendDateTime: 1767265200000,
        messageId: 'infobip-1',
      };
      expect(events(notice)).toEqual([
        {
          id: `infobip-1 ${notificationType} 1767265200000 bob@example.com `,
          kind,
          providerMessageId: 'infobip-1',
          recipient: 'bob@example.com',
          at: new Date('2026-01-01T11:00:00Z'),
        },
      ]);
    });

    it.each<object>([
      { results: [report('constructor')] },
      { results: [{ ...report('DELIVERED'), messageId: undefined }] },
      { notificationType: 'VISITED', messageId: 'infobip-1' },
      { notificationType: 'OPENED' },
    ])('skips the unknown event %j', (body) => expect(events(body)).toEqual([]));

    testUnreadableEvents(infobipEmail);
  });
});
