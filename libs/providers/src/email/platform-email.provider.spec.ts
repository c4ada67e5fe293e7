import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import { EMAIL, FULL_EMAIL } from '../../test/samples';
import { checkCredentials } from '../credentials';
import { platformEmail } from './platform-email.provider';

describe('Clarion Email', () => {
  let stage: ProviderStage;
  const now = new Date('2026-01-01T12:00:00Z');

  beforeAll(async () => {
    stage = await startProviderStage(() => now);
  });
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  it('needs no credentials and makes no network call', async () => {
    expect(checkCredentials('platform-email', {})).toEqual({ missing: [], invalid: [] });
    expect(await stage.send(platformEmail, EMAIL, {})).toEqual({ ok: true, id: 'message-1', date: now });
    expect(stage.fake.calls).toEqual([]);
    expect(stage.outbox).toEqual([
      {
        messageId: 'message-1',
        providerId: 'platform-email',
        channel: 'email',
        to: ['bob@example.com'],
        subject: 'Hello',
        html: '<p>hi</p>',
        more: { from: 'demo@clarion.invalid', senderName: 'Clarion' },
      },
    ]);
  });

  it('shows all parts of a message, and attachments with name and size', async () => {
    const customData = { campaign: 7 };
    const overrides = { templateId: 't1' };
    expect(await stage.send(platformEmail, { ...FULL_EMAIL, customData }, {}, overrides)).toEqual({
      ok: true,
      id: 'message-2',
      date: now,
    });
    expect(stage.outbox).toEqual([
      {
        messageId: 'message-2',
        providerId: 'platform-email',
        channel: 'email',
        to: ['bob@example.com'],
        subject: 'Grüße',
        html: '<p>hi</p>',
        text: 'hi',
        more: {
          from: 'ann@example.com',
          senderName: 'Ann "Boss" Ü',
          replyTo: 'reply@example.com',
          cc: ['cc@example.com'],
          bcc: ['bcc@example.com'],
          headers: { 'X-Campaign': 'spring' },
          attachments: [
            { name: 'a.txt', mime: 'text/plain', bytes: 7 },
            { name: 'b.png', mime: 'image/png', bytes: 3 },
          ],
          customData,
          overrides,
        },
      },
    ]);
  });

  it('stores several messages at once and returns one result per message', async () => {
    const puts: number[] = [];
    const outbox = { put: async (entries: readonly unknown[]) => void puts.push(entries.length) };
    const items = ['a', '', 'c'].map((id) => ({
      message: { ...EMAIL, id, to: id === '' ? [] : EMAIL.to },
      overrides: {},
    }));
    const results = await platformEmail.batch!.send(items, {}, { ...stage.context('platform-email'), outbox });
    expect(results).toMatchObject([
      { ok: true, id: 'a' },
      { ok: false, kind: 'recipient' },
      { ok: true, id: 'c' },
    ]);
    expect(puts).toEqual([2]);
    expect(platformEmail.batch!.size).toBe(100);
    expect(platformEmail.batch!.groupOf(items[0]!, {})).toBe(platformEmail.batch!.groupOf(items[2]!, {}));
  });

  it('fails as transient when the outbox cannot be reached', async () => {
    const outbox = { put: () => Promise.reject(new Error('no database')) };
    const context = { ...stage.context('platform-email'), outbox };
    const failure = {
      ok: false,
      kind: 'transient',
      message: 'The outbox could not be reached: no database',
    };
    expect(await platformEmail.send(EMAIL, {}, context)).toEqual(failure);
    const items = [EMAIL, FULL_EMAIL].map((message) => ({ message, overrides: {} }));
    expect(await platformEmail.batch!.send(items, {}, context)).toEqual([failure, failure]);
  });

  it('rejects a message that no email provider accepts', async () => {
    expect(await stage.send(platformEmail, { ...EMAIL, subject: 'a\r\nBcc: x@y.z' }, {})).toMatchObject({
      ok: false,
      kind: 'content',
    });
    expect(stage.outbox).toEqual([]);
  });
});
