import { createHash } from 'node:crypto';
import type { FakeCall } from '@clarion/testing/providers';
import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { bulkSms } from './bulk-sms.provider';

describe('BulkSMS', () => {
  const messageOf = ({ body }: Pick<FakeCall, 'body'>, more: object = {}) => ({
    id: '4023457654',
    type: 'SENT',
    to: '15551234567',
    status: { id: 'ACCEPTED.null', type: 'ACCEPTED', subtype: null },
    submission: { id: '2-00000000000522347562', date: '2026-01-01T11:59:59Z' },
    userSuppliedId: (JSON.parse(body || '{}') as { userSuppliedId?: string }).userSuppliedId,
    ...more,
  });

  const rig = testProviderContract(bulkSms, {
    credentials: { apiToken: 'canary-id:canary-secret', from: '' },
    success: (call) => ({ status: 201, json: [messageOf(call)] }),
    id: '4023457654',
    // BulkSMS documents 403 as the response for missing credits.
    kinds: { 403: 'quota' },
    check: { json: { id: '1', username: 'ann', credits: { balance: 4.5 } } },
  });
  const body = (at = 0) => JSON.parse(rig.calls[at]!.body) as Record<string, unknown>;
  const query = (at = 0) => Object.fromEntries(new URL(rig.calls[at]!.path, rig.stage.fake.url).searchParams);

  const HASH = createHash('sha256').update('message-1').digest();
  const KEYS = [HASH.readUInt32BE(0) >>> 1, HASH.readUInt32BE(4) >>> 1].map(String);

  it('posts JSON with a deduplication id', async () => {
    const result = await rig.send({ content: 'Grüße 🙂' });
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST' });
    expect(rig.calls[0]!.path).toMatch(/^\/v1\/messages\?/);
    expect(query()).toEqual({ 'deduplication-id': KEYS[0], 'auto-unicode': 'true' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('canary-id:canary-secret').toString('base64')}`,
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      to: '+15551234567',
      body: 'Grüße 🙂',
      userSuppliedId: HASH.toString('base64url').slice(0, 20),
    });
  });

  it('sends a deduplication id per message that fits into the field', async () => {
    await rig.send({ id: 'a' });
    await rig.send({ id: 'b' });
    const keys = [query(0), query(1)].map((one) => Number(one['deduplication-id']));
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toBeLessThan(2 ** 31);
  });

  describe('a collision of deduplication ids', () => {
    it('sends with another deduplication id when the response names another message', async () => {
      const other = { userSuppliedId: 'somebody-elses', id: 'theirs' };
      rig.stage.fake.next('/', { status: 201, json: [messageOf({ body: '' }, other)] });
      expect(await rig.send()).toMatchObject({ ok: true, id: '4023457654' });
      expect(rig.calls).toHaveLength(2);
      expect([query(0)['deduplication-id'], query(1)['deduplication-id']]).toEqual(KEYS);
      expect(body(1)).toEqual(body(0));
    });

    it('accepts any response to the second deduplication id', async () => {
      rig.stage.fake.always('/', { status: 201, json: [messageOf({ body: '' }, { userSuppliedId: 'always' })] });
      expect(await rig.send()).toMatchObject({ ok: true, id: '4023457654' });
      expect(rig.calls).toHaveLength(2);
    });

    it('does not send again when the response does not name the message', async () => {
      rig.stage.fake.always('/', { status: 201, json: [messageOf({ body: '' })] });
      expect(await rig.send()).toMatchObject({ ok: true, id: '4023457654' });
      expect(rig.calls).toHaveLength(1);
    });
  });

  it('uses the sender of the message, applies overrides and ignores those of the recipient', async () => {
    const overrides = { routingGroup: 'PREMIUM', long_message_max_parts: 5, to: ['1'], userSuppliedId: 'x' };
    const result = await rig.send({ from: 'Own' }, overrides);
    expect(body()).toMatchObject({ to: '+15551234567', from: 'Own', routingGroup: 'PREMIUM', longMessageMaxParts: 5 });
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('to'), expect.stringContaining('userSuppliedId')],
    });
  });

  it.each([
    [400, 'bad-request', 'permanent'],
    [401, 'unauthorized', 'credentials'],
    [403, 'insufficient-credits', 'quota'],
  ])('classifies a %d with the error %s as %s', async (status, type, kind) => {
    const json = {
      type: `https://developer.bulksms.com/json/v1/errors#${type}`,
      title: 'No',
      status,
      detail: 'Not so',
    };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'Not so' });
  });

  it.each([
    ['BLOCKED', 'recipient'],
    ['NOT_SENT', 'recipient'],
    ['EXPIRED', 'permanent'],
  ])('classifies the failure %s in a 201 as %s', async (subtype, kind) => {
    const status = { id: `FAILED.${subtype}`, type: 'FAILED', subtype };
    const json = [messageOf({ body: '' }, { status })];
    expect(await rig.answering({ status: 201, json })).toMatchObject({ ok: false, kind, message: subtype });
  });

  it('reads the profile to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v1/profile' });
  });

  describe('delivery events', () => {
    const REPORT = { id: '4023457654', type: 'SENT', to: '15551234567', body: 'hi', userSuppliedId: 'x' };
    const statusOf = (type: string, subtype: string | null = null) => ({ id: `${type}.${subtype}`, type, subtype });

    testSharedKeyVerification(bulkSms);

    it.each([
      ['SENT', null, 'sent'],
      ['DELIVERED', null, 'delivered'],
      ['FAILED', 'EXPIRED', 'failed'],
      ['FAILED', 'HANDSET_ERROR', 'bounced'],
      ['FAILED', 'BLOCKED', 'rejected'],
      ['FAILED', 'NOT_SENT', 'failed'],
    ])('maps the status %s, %s to the event %s', (type, subtype, kind) => {
      expect(eventsOf(bulkSms, inbound([{ ...REPORT, status: statusOf(type, subtype) }]))).toEqual([
        {
          id: `4023457654:${type}.${subtype}`,
          kind,
          providerMessageId: '4023457654',
          recipient: '15551234567',
          ...(subtype && { reason: subtype }),
        },
      ]);
    });

    it('reads several reports of one call and skips replies of recipients', () => {
      const status = statusOf('DELIVERED');
      const reports = [
        { ...REPORT, status },
        { ...REPORT, id: 'b', status },
        { ...REPORT, id: 'c', type: 'RECEIVED', status },
      ];
      const events = eventsOf(bulkSms, inbound(reports));
      expect(events.map(({ providerMessageId }) => providerMessageId)).toEqual(['4023457654', 'b']);
    });

    it('skips an unknown status and returns no event for the test call', () => {
      expect(eventsOf(bulkSms, inbound([{ ...REPORT, status: statusOf('UNKNOWN') }]))).toEqual([]);
      expect(eventsOf(bulkSms, inbound('[]'))).toEqual([]);
    });

    testUnreadableEvents(bulkSms);
  });
});
