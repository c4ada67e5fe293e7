import { bearer } from '../call';
import { testProviderContract } from '../../test/contract';
import { eazySms } from './eazy-sms.provider';

describe('Eazy SMS', () => {
  const rig = testProviderContract(eazySms, {
    credentials: { from: '', channelId: '31600000000@sms.eazy.im' },
    success: { status: 201, json: { id: 'ez1' } },
    id: 'ez1',
  });

  it('posts JSON to the channel and the number', async () => {
    expect(await rig.send()).toEqual({ ok: true, id: 'ez1', raw: '{"id":"ez1"}' });
    expect(rig.calls[0]).toMatchObject({
      method: 'POST',
      path: '/v3/channels/31600000000%40sms.eazy.im/messages/15551234567%40sms.eazy.im',
    });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'content-type': 'application/json',
    });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({ message: { type: 'text', text: 'hi' } });
  });

  it('encodes the channel id as one path segment', async () => {
    await rig.send({}, {}, { channelId: '../a/b?c#d' });
    expect(rig.calls[0]!.path).toBe('/v3/channels/..%2Fa%2Fb%3Fc%23d/messages/15551234567%40sms.eazy.im');
  });

  it('sends any text and warns that it does not support another sender', async () => {
    expect(await rig.send({ from: 'Other', content: 'Grüße 👋' })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('channel')],
    });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({ message: { type: 'text', text: 'Grüße 👋' } });
  });

  it('warns about every override', async () => {
    expect(await rig.send({}, { colour: 'red' })).toMatchObject({ warnings: [expect.stringContaining('colour')] });
  });

  it.each([
    [401, 1001, 'no', 'credentials'],
    [400, 1002, 'no', 'credentials'],
    [500, 1003, 'no', 'transient'],
    [400, 1004, 'no', 'transient'],
    [400, 1005, 'Jid is invalid', 'recipient'],
    [400, 1005, 'Text is too long', 'content'],
    [400, 1006, 'no', 'permanent'],
    [500, 1006, 'no', 'permanent'],
    [400, 1007, 'no', 'permanent'],
  ])('classifies a %d with code %d and the text %p as %s', async (status, code, message, kind) => {
    const json = { error: { code, message }, traceId: '7e6459' };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message });
  });
});
