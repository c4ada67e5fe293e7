import { bearer } from '../call';
import { testProviderContract } from '../../test/contract';
import { sendchamp } from './sendchamp.provider';

describe('Sendchamp', () => {
  const DATA = { id: 'sms-1', reference: 'MN-SMS-1', uid: 'u', business_uid: 'b', created_at: '2026-01-01T11:59:59Z' };
  const rig = testProviderContract(sendchamp, {
    credentials: { from: 'Clarion' },
    success: { json: { code: 200, status: 'success', message: 'sent', data: DATA } },
    id: 'sms-1',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v1/sms/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      to: '+15551234567',
      message: 'hi',
      sender_name: 'Clarion',
      route: 'international',
    });
  });

  it('calls the former path when the current one answers 404', async () => {
    rig.stage.fake.always('/api/v1/', { status: 404, text: 'not found' });
    const passed = { query: { extra: 'yes' } };
    expect(await rig.send({}, { _passthrough: passed })).toMatchObject({ ok: true, id: 'sms-1' });
    const [first, second, ...others] = rig.calls;
    expect([first!.path, second!.path]).toEqual(['/api/v1/sms/send?extra=yes', '/v1/sms/send?extra=yes']);
    expect(second).toMatchObject({ method: 'POST', body: first!.body });
    expect(second!.headers.authorization).toBe(bearer('canary-api-key'));
    expect(others).toEqual([]);
  });

  it('uses another route within Nigeria', async () => {
    await rig.send({ to: '+234 801 234 5678' });
    expect(body()).toMatchObject({ to: '+2348012345678', route: 'non_dnd' });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const overrides = { route: 'dnd', countryCode: 'NG', to: '1' };
    expect(await rig.send({ from: 'Other', content: 'Ẹ káàbọ̀ 👋' }, overrides)).toMatchObject({
      warnings: [expect.stringContaining('override to')],
    });
    expect(body()).toEqual({
      to: '+15551234567',
      message: 'Ẹ káàbọ̀ 👋',
      sender_name: 'Other',
      route: 'dnd',
      country_code: 'NG',
    });
  });

  it.each<[object, string | undefined]>([
    [{ status_code: 200, message: 'ok', data: { id: 7 } }, '7'],
    [{ status: 'success', data: { uid: 'u', reference: 'r' } }, 'r'],
    [{ status: 'success', data: { uid: 'u' } }, 'u'],
    // `business_id` is the id of the account, not of the message.
    [{ code: 200, status: 'success', data: { business_id: 'b', total_contacts: 1 } }, undefined],
  ])('reads the message id from %j', async (json, id) => {
    const result = await rig.answering({ json });
    expect(result).toMatchObject({ ok: true });
    expect((result as { id?: string }).id).toBe(id);
  });

  it.each([
    [400, { status: 'error', message: 'Low balance, fund your wallet' }, 'quota'],
    [400, { status_code: 400, message: 'insufficient fund' }, 'quota'],
    [400, { status: 'error', message: 'Invalid sender' }, 'credentials'],
    [400, { status: 'error', message: 'Message failed to send' }, 'permanent'],
    [401, { status_code: 401, message: 'Unauthorized' }, 'credentials'],
    [200, { status: 'error', message: 'insufficient fund' }, 'quota'],
    [200, { status: 'error', code: 400, message: 'Message failed to send' }, 'permanent'],
    [200, { status: 'error', code: 200, message: 'Message failed to send' }, 'permanent'],
    [200, { status: 'success', message: 'Message failed', data: { status: 'failed' } }, 'permanent'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: json.message });
  });

  it.each([[{ status: 'error' }], [{ status: 'success', data: { status: 'failed' } }]])(
    'classifies an error without a text as permanent: %j',
    async (json) => expect(await rig.answering({ json })).toMatchObject({ ok: false, kind: 'permanent' }),
  );

  it('reads the wallet balance to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/v1/wallet-balance' });
    expect(rig.calls[0]!.headers.authorization).toBe(bearer('canary-api-key'));
  });
});
