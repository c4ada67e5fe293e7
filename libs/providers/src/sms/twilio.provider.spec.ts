import { createHash } from 'node:crypto';
import { basic } from '../call';
import { hmac, type InboundCall } from '../events';
import { eventsOf, inbound, inboundContext, testProviderContract, verdictOf } from '../../test/contract';
import { twilio } from './twilio.provider';

describe('Twilio', () => {
  const rig = testProviderContract(twilio, {
    credentials: { from: '+15550000000' },
    success: { status: 201, json: { sid: 'SM1', date_created: 'Thu, 01 Jan 2026 12:00:00 +0000', status: 'queued' } },
    id: 'SM1',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a form with overrides', async () => {
    const result = await rig.send({}, { statusCallback: 'https://x.example', SmartEncoded: true });
    expect(result).toMatchObject({ ok: true, id: 'SM1', date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC1/Messages.json' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('AC1', 'canary-token'),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({
      To: '+15551234567',
      From: '+15550000000',
      Body: 'hi',
      StatusCallback: 'https://x.example',
      SmartEncoded: 'true',
    });
  });

  it('sends by a messaging service', async () => {
    await rig.send({ from: 'MG123' });
    expect(form()).toEqual({ To: '+15551234567', MessagingServiceSid: 'MG123', Body: 'hi' });
  });

  it('applies custom data as overrides and warns about an unknown override', async () => {
    expect(await rig.send({ customData: { ValidityPeriod: 5 } }, { colour: 'red' })).toMatchObject({
      warnings: [expect.stringContaining('colour')],
    });
    expect(form()).toMatchObject({ ValidityPeriod: '5' });
    expect(form()).not.toHaveProperty('Colour');
  });

  it.each([
    [400, 21211, 'recipient'],
    [400, 21610, 'recipient'],
    [400, 21611, 'rate-limited'],
    [429, 20429, 'rate-limited'],
    [400, 20003, 'credentials'],
    [401, 20003, 'credentials'],
    [400, 99999, 'permanent'],
  ])('classifies a %d with code %d as %s', async (status, code, kind) => {
    expect(await rig.answering({ status, json: { code, message: 'no', status } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/2010-04-01/Accounts/AC1.json' });
  });

  describe('region', () => {
    const asked: string[] = [];
    const http = {
      request: ({ url }: { url: string }) => {
        asked.push(new URL(url).origin);
        return Promise.resolve({ status: 201, headers: {}, body: Buffer.from('{"sid":"SM1"}') });
      },
      addressOf: (url: string) => url,
    };
    const callsWith = async (region: string): Promise<string[]> => {
      asked.length = 0;
      const context = { ...rig.stage.context('twilio'), http };
      const credentials = { accountSid: 'AC1', token: 'canary', from: '+1', region };
      await twilio.send({ id: 'message-1', to: '+15551234567', content: 'hi' }, credentials, context);
      await twilio.check!(credentials, context);
      return asked;
    };

    it.each([
      ['', 'https://api.twilio.com'],
      ['ie1', 'https://api.dublin.ie1.twilio.com'],
      ['AU1', 'https://api.sydney.au1.twilio.com'],
      ['evil.example/', 'https://api.twilio.com'],
      ['constructor', 'https://api.twilio.com'],
    ])('maps the region %p to the host %s', async (region, origin) =>
      expect(await callsWith(region)).toEqual([origin, origin]),
    );
  });

  describe('delivery events', () => {
    const URL_ = 'https://clarion.example:8443/hook?a=1';
    const FORM = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+15551234567', From: '+1', AccountSid: 'AC1' };
    const call = (form: Record<string, string> | [string, string][], more: Partial<InboundCall> = {}): InboundCall =>
      inbound(new URLSearchParams(form).toString(), { url: URL_, ...more });
    const context = inboundContext(undefined, { token: 'canary-token' });
    const sign = (text: string): Record<string, string> => ({
      'x-twilio-signature': hmac('sha1', 'canary-token', text, 'base64'),
    });
    const FIELDS = 'AccountSidAC1From+1MessageSidSM1MessageStatusdeliveredTo+15551234567';
    const parse = (form: Record<string, string>) => eventsOf(twilio, call(form));

    it('accepts a signature by the auth token over the URL with or without its port', async () => {
      const verdict = (headers: Record<string, string>) => verdictOf(twilio, call(FORM, { headers }), context);
      expect(await verdict(sign(`${URL_}${FIELDS}`))).toBe(true);
      expect(await verdict(sign(`https://clarion.example/hook?a=1${FIELDS}`))).toBe(true);
      expect(await verdict(sign(`https://other.example/hook?a=1${FIELDS}`))).toBe(false);
      expect(await verdict(sign(`${URL_}${FIELDS}x`))).toBe(false);
      expect(await verdict({})).toBe(false);
      const headers = sign(`${URL_}${FIELDS}`);
      expect(await verdictOf(twilio, call(FORM, { headers }), inboundContext('canary-token'))).toBe(false);
      expect(await twilio.events!.verify(call(FORM), context)).toEqual({
        ok: false,
        reason: expect.stringContaining('https://clarion.example:8443/hook') as string,
      });
    });

    it('accepts a signature over the URL with the default port', async () => {
      const verdict = (url: string, signed: string) =>
        verdictOf(twilio, call(FORM, { url, headers: sign(signed + FIELDS) }), context);
      expect(await verdict('https://clarion.example/hook', 'https://clarion.example:443/hook')).toBe(true);
      expect(await verdict('http://clarion.example/hook', 'http://clarion.example:80/hook')).toBe(true);
      expect(await verdict('http://[::1]:3000/hook', 'http://[::1]:3000/hook')).toBe(true);
      expect(await verdict('https://clarion.example/hook', 'https://clarion.example:80/hook')).toBe(false);
    });

    it('accepts a JSON body whose digest is part of the signed URL', async () => {
      const text = JSON.stringify(FORM);
      const digest = createHash('sha256').update(text).digest('hex');
      const url = `https://clarion.example/hook?bodySHA256=${digest}`;
      const headers = sign(url);
      expect(await verdictOf(twilio, inbound(text, { url, headers }), context)).toBe(true);
      expect(await verdictOf(twilio, inbound(`${text} `, { url, headers }), context)).toBe(false);
      expect(await verdictOf(twilio, inbound(text, { url, headers: sign(`${url}x`) }), context)).toBe(false);
      expect(eventsOf(twilio, inbound(text))).toMatchObject([{ kind: 'delivered', providerMessageId: 'SM1' }]);
    });

    it('counts a repeated form field once for each value', async () => {
      const form: [string, string][] = [
        ['b', '2'],
        ['a', 'z'],
        ['b', '1'],
        ['b', '2'],
      ];
      const headers = sign(`${URL_}azb1b2`);
      expect(await verdictOf(twilio, call(form, { headers }), context)).toBe(true);
    });

    it.each([
      ['sent', '', 'sent', undefined],
      ['delivered', '', 'delivered', undefined],
      ['read', '', 'read', undefined],
      ['undelivered', '30005', 'bounced', true],
      ['undelivered', '30006', 'bounced', true],
      ['undelivered', '30003', 'bounced', false],
      ['failed', '30007', 'failed', undefined],
      ['canceled', '', 'failed', undefined],
    ])('maps the status %s with error code "%s" to the event %s', (status, code, kind, isPermanent) => {
      const [one, ...others] = parse({ ...FORM, MessageStatus: status, ...(code && { ErrorCode: code }) });
      expect(others).toEqual([]);
      expect(one).toMatchObject({ id: `SM1 ${status}`, kind, providerMessageId: 'SM1', recipient: '+15551234567' });
      expect(one!.isPermanent).toBe(isPermanent);
      expect(one!.reason).toBe(code ? `Error ${code}` : undefined);
    });

    it.each([
      {},
      { MessageStatus: 'delivered' },
      { MessageSid: 'SM1', MessageStatus: 'queued' },
      { MessageSid: 'SM1', MessageStatus: 'constructor' },
    ])('returns no event for %j', (form) => expect(parse(form as unknown as Record<string, string>)).toEqual([]));
  });
});
