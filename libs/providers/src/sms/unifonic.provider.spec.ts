import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { unifonic } from './unifonic.provider';

describe('Unifonic', () => {
  const SUCCESS = {
    success: true,
    message: '',
    errorCode: 'ER-00',
    data: { MessageID: 3200017889310, Status: 'Queued' },
  };

  const rig = testProviderContract(unifonic, {
    credentials: { appSid: 'canary-app-sid', senderId: 'Clarion', from: 'ignored' },
    success: { json: SUCCESS },
    id: '3200017889310',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a form with the key in the body', async () => {
    expect(await rig.send({ content: 'مرحبا' })).toMatchObject({ ok: true, id: '3200017889310' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/rest/SMS/messages' });
    expect(rig.calls[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(form()).toEqual({
      AppSid: 'canary-app-sid',
      SenderID: 'Clarion',
      Recipient: '15551234567',
      Body: 'مرحبا',
      responseType: 'JSON',
      CorrelationID: 'message-1',
    });
  });

  it('removes the leading zeros of a number', async () => {
    await rig.send({ to: '00966 50 598 0169' });
    expect(form()).toMatchObject({ Recipient: '966505980169' });
  });

  it('applies overrides and ignores those of the key and the recipient', async () => {
    const result = await rig.send({}, { async: true, MessageType: 6, AppSid: 'x', Recipient: '1' });
    expect(form()).toMatchObject({
      async: 'true',
      MessageType: '6',
      AppSid: 'canary-app-sid',
      Recipient: '15551234567',
    });
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('AppSid'), expect.stringContaining('Recipient')],
    });
  });

  it.each([
    { success: 'true', errorCode: 'ER-00', data: { messageID: '7' } },
    { success: true, data: { messageID: '7' } },
  ])('accepts the success response %j', async (json) => {
    expect(await rig.answering({ json })).toMatchObject({ ok: true, id: '7' });
  });

  it.each([
    ['ER-01', 'quota'],
    ['ER-02', 'recipient'],
    ['ER-05', 'recipient'],
    ['ER-07', 'content'],
    ['ER-08', 'credentials'],
    ['ER-401', 'credentials'],
    ['ER-429', 'rate-limited'],
    ['ER-480', 'credentials'],
    ['ER-482', 'recipient'],
    ['ER-77', 'permanent'],
    ['constructor', 'permanent'],
  ])('classifies %s in a 200 as %s', async (errorCode, kind) => {
    const json = { success: false, message: 'no', errorCode };
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([
    [{ success: true, errorCode: 'ER-77', data: { MessageID: 1 } }, 'ER-77'],
    [{ success: false, message: '', errorCode: 'ER-456' }, 'ER-456'],
    [{ success: false }, 'success is false'],
  ])('classifies a rejection without a text as permanent: %j', async (json, message) => {
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'permanent', message });
  });

  it('reports an unknown outcome for a 200 without an id', async () => {
    const json = { success: true, errorCode: 'ER-00', data: {} };
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it.each([
    [402, 'credentials'],
    [410, 'recipient'],
    [412, 'content'],
    [440, 'credentials'],
    [449, 'content'],
    [459, 'credentials'],
    [460, 'content'],
    [480, 'credentials'],
    [482, 'recipient'],
    [499, 'permanent'],
    [546, 'credentials'],
    [548, 'credentials'],
    [599, 'transient'],
  ])('classifies the status %d of Unifonic as %s', async (status, kind) => {
    const result = await rig.answering({ status, json: { success: false, message: 'no' } });
    expect(result).toMatchObject({ ok: false, kind, message: 'no', status });
  });

  it.each([
    [409, { success: false, message: 'Duplicate' }],
    [200, { success: false, errorCode: 'ER-09' }],
  ])('counts a duplicate, reported with status %d, as sent and adds a warning', async (status, json) => {
    expect(await rig.answering({ status, json })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('did not send it again')],
    });
  });

  describe('delivery events', () => {
    testSharedKeyVerification(unifonic);

    const report = {
      MessageID: '3200017889310',
      DLR: 'Delivered',
      Recipient: '15551234567',
      SCTS: '2026-01-01 15:00:00',
    };

    it('reads reports from a form or JSON', () => {
      const delivered = {
        id: expect.stringContaining('3200017889310') as string,
        kind: 'delivered',
        providerMessageId: '3200017889310',
        recipient: '15551234567',
      };
      expect(eventsOf(unifonic, inbound(new URLSearchParams(report).toString()))).toEqual([delivered]);
      expect(eventsOf(unifonic, inbound({ ...report, MessageID: 3200017889310 }))).toEqual([delivered]);
      const back = { ...report, DLR: 'Undeliverable', CorrelationID: '01234567-89ab-7def-8123-456789abcdef' };
      expect(eventsOf(unifonic, inbound([report, back]))).toEqual([
        delivered,
        { ...delivered, kind: 'bounced', messageId: '01234567-89ab-7def-8123-456789abcdef' },
      ]);
    });

    it.each([
      ['Rejected', 'rejected'],
      ['Failed', 'failed'],
    ])('maps the status %s of Unifonic when the network reports none', (Status, kind) => {
      expect(eventsOf(unifonic, inbound({ ...report, DLR: '', Status }))).toMatchObject([{ kind }]);
      expect(eventsOf(unifonic, inbound({ ...report, Status }))).toMatchObject([{ kind: 'delivered' }]);
    });

    it.each(['', 'nonsense', 'null', '[null]', '{}', { ...report, DLR: 'constructor' }, { DLR: 'Delivered' }])(
      'returns no event for %j',
      (body) => {
        expect(eventsOf(unifonic, inbound(body))).toEqual([]);
      },
    );
  });
});
