import { createTransport } from 'nodemailer';
import { Pool as HttpPool } from 'undici';
import { type CredentialsDto, newId, type ProviderId } from '@clarion/contracts';
import { Egress } from '@clarion/platform';
import {
  type EmailMessage,
  type OutboundMessages,
  type Provider,
  providerFor,
  type PushMessage,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import { emailCall, sendEmail } from './email-call';
import { startProcess } from './processes';
import { type Figure, median, progress, rate } from './report';

export type ProvidersOptions = { rounds: number; seconds: number; goal: number };

/** Concurrent calls: as many as a worker makes to one account. */
const CALLERS = 32;
const PER_CALL = 100;
const SMTP_CONNECTIONS = 10;

/** One way to send, repeatedly; returns the number of sent messages. */
type Way = () => Promise<number>;
type Pair = { what: string; raw: Way; clarion: Way; close(): Promise<unknown> };

/**
 * The rate of adapters through the egress guard relative to the bare libraries with the same body and the same number
 * of callers, to a fake that answers at once; in alternating rounds of one run.
 */
export async function providers({ rounds, seconds, goal }: ProvidersOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const open of [openHttp, openBatch, openSmtp]) {
    const { what, raw, clarion, close } = await open();
    try {
      for (const way of [raw, clarion]) await forSeconds(Math.min(seconds, 1), way);
      const rates: { raw: number; clarion: number }[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const bare = await forSeconds(seconds, raw);
        const ours = await forSeconds(seconds, clarion);
        rates.push({ raw: bare, clarion: ours });
        progress(`providers: ${what}: round ${round} of ${rounds}: ${rate(ours)} to ${rate(bare)}`);
      }
      const ratio = median(rates.map((one) => one.clarion / one.raw));
      const last = rates.at(-1)!;
      figures.push({
        what,
        measured: `${ratio.toFixed(2)} x (${rate(last.clarion)} to ${rate(last.raw)})`,
        goal: `>= ${goal.toFixed(2)} x`,
        reached: ratio >= goal,
      });
    } finally {
      await close();
    }
  }
  return figures;
}

const EMAIL: EmailMessage = {
  id: '',
  to: ['user@example.com'],
  subject: 'Your order',
  html: '<p>Hello Customer 1, your order 1 is on its way.</p>',
  text: 'Hello Customer 1, your order 1 is on its way.',
};
const SENDER = { from: 'hello@example.com', senderName: 'Bench' };

async function openHttp(): Promise<Pair> {
  const { process: fake, word } = await startProcess<{ url: string }>('fake-process');
  const http = new HttpPool(word.url, { connections: CALLERS });
  const { provider, context, close } = openProvider<'email'>('sendgrid', word.url);
  const credentials: CredentialsDto = { apiKey: 'SG.bench', ...SENDER };
  return {
    what: 'SendGrid, a call for each email, to bare undici',
    raw: async () => {
      await sendEmail(http, emailCall(newId()));
      return 1;
    },
    clarion: async () => taken([await provider.send({ ...EMAIL, id: newId() }, credentials, context)]),
    close: () => Promise.all([http.close(), close(), fake.stop()]),
  };
}

async function openBatch(): Promise<Pair> {
  const { process: fake, word } = await startProcess<{ url: string }>('fake-process');
  const http = new HttpPool(word.url, { connections: CALLERS });
  const { provider, context, close } = openProvider<'push'>('expo', word.url);
  const messages: PushMessage[] = Array.from({ length: PER_CALL }, (_, index) => ({
    id: newId(),
    token: `ExponentPushToken[${String(index).padStart(22, '0')}]`,
    title: 'Your order',
    content: 'Hello Customer 1, your order 1 is on its way.',
    payload: { order: { id: 1, total: 12.5 }, link: 'https://example.com/orders' },
  }));
  const items = messages.map((message) => ({ message, overrides: {} }));
  const headers = { authorization: 'Bearer key', accept: 'application/json', 'content-type': 'application/json' };
  return {
    what: `Expo, ${PER_CALL} notifications a call, to bare undici`,
    raw: async () => {
      const body = JSON.stringify(
        messages.map(({ token, title, content, payload }) => ({ to: token, title, body: content, data: payload })),
      );
      const answer = await http.request({ method: 'POST', path: '/--/api/v2/push/send', headers, body });
      const { data } = (await answer.body.json()) as { data: { status: string }[] };
      if (data.filter(({ status }) => status === 'ok').length !== PER_CALL) throw new Error('a call was refused');
      return PER_CALL;
    },
    clarion: async () => taken(await provider.batch!.send(items, { apiKey: 'key' }, context)),
    close: () => Promise.all([http.close(), close(), fake.stop()]),
  };
}

async function openSmtp(): Promise<Pair> {
  const { process: fake, word } = await startProcess<{ host: string; port: number }>('fake-smtp-process');
  const { host, port } = word;
  const transport = createTransport({ host, port, pool: true, maxConnections: SMTP_CONNECTIONS, ignoreTLS: true });
  const { provider, context, close } = openProvider<'email'>('nodemailer', `smtp://${host}:${port}`);
  const credentials: CredentialsDto = { host, port: String(port), ...SENDER };
  const { to, subject, html, text } = EMAIL;
  const from = { name: SENDER.senderName, address: SENDER.from };
  return {
    what: `SMTP, ${SMTP_CONNECTIONS} connections kept open, to bare nodemailer`,
    raw: async () => {
      await transport.sendMail({ messageId: `<${newId()}@example.com>`, from, to: [...to], subject, html, text });
      return 1;
    },
    clarion: async () => taken([await provider.send({ ...EMAIL, id: newId() }, credentials, context)]),
    close: () => {
      transport.close();
      return Promise.all([close(), fake.stop()]);
    },
  };
}

function openProvider<C extends keyof OutboundMessages>(
  id: ProviderId,
  url: string,
): { provider: Provider<C>; context: SendContext; close(): Promise<void> } {
  const egress = new Egress({ providerUrls: { [id]: url } });
  const outbox = { put: () => Promise.reject(new Error('there is no outbox here')) };
  return {
    provider: providerFor(id) as unknown as Provider<C>,
    context: { ...egress.portsFor(id), outbox, overrides: {}, now: () => new Date() },
    close: () => egress.close(),
  };
}

function taken(results: SendResult[]): number {
  const refused = results.find(({ ok }) => !ok);
  if (refused) throw new Error(`a message was not taken: ${JSON.stringify(refused)}`);
  return results.length;
}

/** Messages per second of all callers. */
async function forSeconds(seconds: number, send: Way): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const done = await send();
      sent += done;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return sent / ((performance.now() - start) / 1000);
}
