import { testProviderContract } from '../../test/contract';
import { isendSms } from './isend-sms.provider';

describe('iSend SMS', () => {
  const rig = testProviderContract(isendSms, {
    credentials: { apiToken: '51|canary-token', from: '', contentType: '' },
    success: {
      json: {
        status: 'success',
        message: 'Your message was successfully delivered',
        data: { uid: '606812e63f78b', status: 'Delivered', sms_count: 1, created_at: '2026-01-01T11:59:59.000000Z' },
      },
    },
    id: '606812e63f78b',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    const result = await rig.send();
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v3/sms/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer 51|canary-token',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({ recipient: '15551234567', type: 'unicode', message: 'hi' });
  });

  it('calls the endpoint that third-party clients use', async () => {
    const asked: string[] = [];
    const http = {
      request: ({ url }: { url: string }) => {
        asked.push(url);
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
      },
      addressOf: (url: string) => url,
    };
    const message = { id: 'message-1', to: '218929000835', content: 'hi' };
    await isendSms.send(message, { apiToken: 'canary' }, { ...rig.stage.context('isend-sms'), http });
    expect(asked).toEqual(['https://isend.com.ly/api/v3/sms/send']);
  });

  it.each([
    ['+218 92 9000835', '218929000835'],
    ['00218929000835', '218929000835'],
    ['218929000835', '218929000835'],
  ])('sends to %s as %s', async (to, recipient) => {
    await rig.send({ to });
    expect(body()).toMatchObject({ recipient });
  });

  it.each([
    ['hi', '', 'unicode'],
    ['مرحبا', '', 'unicode'],
    ['hi', 'plain', 'plain'],
    ['مرحبا', 'plain', 'plain'],
  ])('sends %p with the content type setting %p as %s', async (content, contentType, type) => {
    await rig.send({ content }, {}, { contentType });
    expect(body()).toMatchObject({ message: content, type });
  });

  it('uses the sender of the message, applies overrides and ignores an override of the recipient', async () => {
    const result = await rig.send({ from: 'Own' }, { scheduleTime: '2026-12-20 07:00', recipient: '1,2' });
    expect(body()).toEqual({
      recipient: '15551234567',
      sender_id: 'Own',
      type: 'unicode',
      message: 'hi',
      schedule_time: '2026-12-20 07:00',
    });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('recipient')] });
  });

  it.each([
    [200, { status: 'error', message: 'A human-readable description of the error.' }, 'permanent'],
    [401, { message: 'Unauthenticated.' }, 'credentials'],
    [200, { status: 'success', data: {} }, 'unknown-outcome'],
    [200, { data: { uid: 'a' } }, 'unknown-outcome'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    const message = (json as { message?: string }).message;
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, ...(message && { message }) });
  });
});
