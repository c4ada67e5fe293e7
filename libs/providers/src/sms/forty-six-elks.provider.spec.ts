import { basic } from '../call';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { fortySixElks } from './forty-six-elks.provider';

describe('46elks', () => {
  const rig = testProviderContract(fortySixElks, {
    credentials: { from: 'Clarion' },
    success: {
      json: { id: 's70df', status: 'created', created: '2026-01-01T11:59:58.314100', to: '+15551234567', cost: 3500 },
    },
    id: 's70df',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a message as a form with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 's70df', date: new Date('2026-01-01T11:59:58.314Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/a1/sms' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('api', 'canary-password'),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({ from: 'Clarion', to: '+15551234567', message: 'hi' });
  });

  it('uses the sender of the message, sends any text and applies overrides', async () => {
    const result = await rig.send({ from: '+46700000000', content: 'Grüße 👋+&' }, { flashsms: 'yes', dryrun: 'yes' });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('dryrun')] });
    expect(form()).toEqual({ from: '+46700000000', to: '+15551234567', message: 'Grüße 👋+&', flashsms: 'yes' });
  });

  it('requests delivery reports for a message', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    const context = { ...rig.stage.context('forty-six-elks'), callbackUrl };
    await fortySixElks.send(SMS, { ...CREDENTIALS, from: 'Clarion' }, context);
    expect(form()).toMatchObject({ whendelivered: callbackUrl });
  });

  it.each([
    [403, 'Not enough credits', 'quota'],
    [403, 'Forbidden', 'credentials'],
    [401, 'API access requires Basic HTTP authentication', 'credentials'],
    [400, 'Invalid to number', 'permanent'],
  ])('classifies a %d with the text %p as %s', async (status, text, kind) => {
    expect(await rig.answering({ status, text })).toMatchObject({ ok: false, kind, message: text });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/a1/me' });
    expect(rig.calls[0]!.headers.authorization).toBe(basic('api', 'canary-password'));
  });

  describe('delivery events', () => {
    testSharedKeyVerification(fortySixElks);
    const parse = (text: string) => eventsOf(fortySixElks, inbound(text));

    it('maps the states of a message', () => {
      expect(parse('id=s70df&status=delivered&delivered=2026-01-01T12%3A00%3A05.000000')).toEqual([
        { id: 's70df:delivered', kind: 'delivered', providerMessageId: 's70df', at: new Date('2026-01-01T12:00:05Z') },
      ]);
      expect(parse('id=s70df&status=sent')).toEqual([{ id: 's70df:sent', kind: 'sent', providerMessageId: 's70df' }]);
      expect(parse('id=s70df&status=failed')).toMatchObject([{ id: 's70df:failed', kind: 'failed' }]);
    });

    it.each(['', '{}', 'null', 'id=s70df', 'status=sent', 'id=s70df&status=created', 'id=s70df&status=constructor'])(
      'returns no event for the body %p',
      (text) => expect(parse(text)).toEqual([]),
    );
  });
});
