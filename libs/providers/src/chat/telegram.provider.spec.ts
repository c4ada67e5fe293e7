import { testProviderContract } from '../../test/contract';
import { telegram } from './telegram.provider';

describe('Telegram', () => {
  const rig = testProviderContract(telegram, {
    credentials: { apiToken: '1234:canary-token-of-a-bot' },
    message: () => ({ id: 'message-1', content: 'hi', address: { type: 'telegram_chat', chatId: '4711' } }),
    success: { json: { ok: true, result: { message_id: 7, date: 1_767_268_800 } } },
    id: '7',
    kinds: { 403: 'recipient', 404: 'credentials' },
    check: { json: { ok: true, result: { username: 'acme_bot' } } },
  });

  it('sends the text to the chat as the bot', async () => {
    const result = await rig.send({ content: 'Grüße 👋' }, { parseMode: 'HTML' });
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]!.path).toBe('/bot1234:canary-token-of-a-bot/sendMessage');
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({ chat_id: '4711', text: 'Grüße 👋', parse_mode: 'HTML' });
  });

  it.each([
    [400, 'Bad Request: chat not found', 'recipient'],
    [403, 'Forbidden: bot was blocked by the user', 'recipient'],
    [400, 'Bad Request: message is too long', 'content'],
    [401, 'Unauthorized', 'credentials'],
    [500, 'Internal Server Error', 'transient'],
  ])('reads the error %i %s as %s', async (status, description, kind) => {
    const result = await rig.answering({ status, json: { ok: false, error_code: status, description } });
    expect(result).toMatchObject({ ok: false, kind, message: description });
  });

  it('waits as long as Telegram asks', async () => {
    const json = { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 12 } };
    expect(await rig.answering({ status: 429, json })).toMatchObject({ kind: 'rate-limited', retryAfterMs: 12_000 });
  });

  it('rejects a message to a subscriber without a chat', async () => {
    expect(await rig.send({ address: undefined })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });
});
