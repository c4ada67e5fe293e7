/** Every provider id of the API has an adapter, and no adapter opens a connection that bypasses the ports. */
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { type HttpRequest, type ProviderId, PROVIDERS_BY_CHANNEL, type SmtpServer } from '@clarion/contracts/core';
import {
  checkCredentials,
  type OutboundChannel,
  type OutboxEntry,
  type Provider,
  providerFor,
  PROVIDERS,
  type SendContext,
} from '@clarion/providers';
import { chatTo, completeCredentials, EMAIL, LONG_PUSH, SMS } from './samples';

const CHANNELS = ['email', 'sms', 'chat', 'push'] as const satisfies readonly OutboundChannel[];
const IDS = CHANNELS.flatMap((channel) =>
  PROVIDERS_BY_CHANNEL[channel].map((id): [OutboundChannel, ProviderId] => [channel, id]),
);

describe.each(IDS)('%s provider %s', (channel, id) => {
  const provider = providerFor(id) as Provider;
  const credentials = completeCredentials(id);

  it('has an adapter with its id on its channel', () => {
    expect(provider).toMatchObject({ id, channel });
    expect(PROVIDERS[channel]).toContain(provider);
  });

  it('has its own file and a spec that runs the provider contract', () => {
    const path = join(__dirname, '..', 'src', channel, `${id}.provider`);
    expect([`${path}.ts`, `${path}.spec.ts`].filter(existsSync)).toHaveLength(2);
    const isBuiltIn = id.startsWith('platform-');
    const isMailServer = ['nodemailer', 'emailjs', 'outlook365'].includes(id);
    if (!isBuiltIn && !isMailServer) expect(readFileSync(`${path}.spec.ts`, 'utf8')).toContain('testProviderContract(');
  });

  it('accepts complete credentials and reports each required one that is missing', () => {
    expect(checkCredentials(id, credentials)).toEqual({ missing: [], invalid: [] });
    expect(checkCredentials(id, {}).missing).toHaveLength(provider.required.length);
  });

  it('sends only through the ports and opens no connection', async () => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    const [requests, servers, entries]: [HttpRequest[], SmtpServer[], OutboxEntry[]] = [[], [], []];
    const context: SendContext = {
      http: {
        request: (request) => {
          requests.push(request);
          return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(ANSWER) });
        },
        addressOf: (url) => url,
      },
      smtp: {
        send: (server) => {
          servers.push(server);
          return Promise.resolve({ accepted: [], rejected: [], response: '250' });
        },
        verify: () => Promise.resolve(),
      },
      outbox: { put: (put) => Promise.resolve(void entries.push(...put)) },
      overrides: {},
      now: () => new Date(),
    };
    const chat = provider.id === 'telegram' ? TELEGRAM : CHAT;
    const message = { email: EMAIL, sms: SMS, chat, push: LONG_PUSH }[channel];
    await provider.send(message, credentials, context);
    expect(requests.length + servers.length + entries.length).toBeGreaterThan(0);
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });
});

/** Contains an access token, the result of a look-up and an id. */
const ANSWER = JSON.stringify({
  access_token: 'x',
  expires_in: 3600,
  sender_allowed: true,
  users: [{ external_id: 'u' }],
  id: '1',
});
const TELEGRAM = { id: 'message-1', content: 'hi', address: { type: 'telegram_chat', chatId: '1' } } as const;
const CHAT = { ...chatTo('https://chat.example.com/hook'), channel: 'room', phoneNumber: '+15551234567' };
