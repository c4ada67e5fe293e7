import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EventSummaryDto,
  type IntegrationDto,
  type NotificationDto,
  type ReplayResultDto,
} from '@clarion/contracts';
import { allEnded, type Clarion, detailsOf, startClarion } from './harness';

const SENDGRID = '/v3/mail/send';

/** Sends the calls of docs/recipes as they are written, and checks what each recipe promises. */
describe('recipes', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion();
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  // A recipe starts with the integrations that it needs. The in-app integration is part of every environment.
  afterEach(async () => {
    for (const { _id, channel } of await clarion.callOk<IntegrationDto[]>('GET', '/v1/integrations')) {
      if (channel !== 'in_app') await clarion.callOk('DELETE', `/v1/integrations/${_id}`);
    }
  });

  const ended = async (transactionId: string, count = 1): Promise<NotificationDto[]> =>
    clarion.activity(transactionId, allEnded(count));
  const statuses = async (transactionId: string): Promise<string[]> =>
    (await ended(transactionId))[0]!.jobs!.map(({ type, status }) => `${type} ${status}`);
  const mails = (): Mail[] =>
    clarion.provider.calls.filter(({ path }) => path === SENDGRID).map(({ body }) => JSON.parse(body) as Mail);

  // First, because a broadcast reaches every subscriber of the environment.
  it('sends a broadcast again to those whose email failed, and to no subscriber twice', async () => {
    const recipe = new Recipe(clarion, 'incident-broadcast-and-replay');
    clarion.provider.always(SENDGRID, ({ body }) =>
      /p0[1-7]@/.test(body) ? { status: 400, json: {} } : { status: 202 },
    );
    await recipe.send(4);
    await ended('incident-7', 20);
    const [summary] = await recipe.send<EventSummaryDto>(1);
    expect(JSON.stringify(summary)).toContain('failed');
    expect((await recipe.send<ReplayResultDto>(1))[0]).toMatchObject({ dryRun: true, matched: 7, replayed: 0 });
    const first = mails().map(recipientOf);
    clarion.provider.reset();
    expect((await recipe.sendRest<ReplayResultDto>())[0]).toMatchObject({ matched: 7, replayed: 7 });
    const all = await clarion.activity(
      'incident-7',
      (found) => found.length === 20 && found.every(({ jobs }) => jobs![0]!.status === 'completed'),
    );
    expect(all).toHaveLength(20);
    const again = mails().map(recipientOf).sort();
    expect(again).toEqual(['1', '2', '3', '4', '5', '6', '7'].map((n) => `p0${n}@example.com`));
    expect(new Set(first).size).toBe(20);
    expect(first).toHaveLength(20);
  });

  it('confirms an order by SMS when the email is refused or there is no address', async () => {
    const recipe = new Recipe(clarion, 'order-confirmed-with-fallback');
    clarion.provider.always(SENDGRID, ({ body }) =>
      body.includes('Order 42') ? { status: 400, json: {} } : { status: 202 },
    );
    await recipe.send(6);
    expect(await statuses('order-41')).toEqual(['email completed', 'sms skipped']);
    expect(await statuses('order-42')).toEqual(['email failed', 'sms completed']);
    expect(await statuses('order-43')).toEqual(['email canceled', 'sms completed']);
    const [{ data }] = (await recipe.sendRest<{ data: NotificationDto[] }>()) as [{ data: NotificationDto[] }];
    expect(data).toHaveLength(1);
  });

  it('collects three comments in one email and waits for the end of the quiet hours', async () => {
    const recipe = new Recipe(clarion, 'comment-digest-with-quiet-hours', (text) =>
      text.replace('Europe/London', zoneWhereItIs(12)),
    );
    await recipe.send(5);
    await clarion.activity('comment-1', ([one]) => one?.jobs?.[1]?.status === 'delayed');
    await recipe.send(2);
    for (const follower of ['comment-2', 'comment-3']) {
      expect(await statuses(follower)).toEqual(['in_app completed', 'digest merged', 'email merged']);
    }
    await clarion.makeDue('comment-1');
    expect(await statuses('comment-1')).toEqual(['in_app completed', 'digest completed', 'email completed']);
    expect(mails().map(({ subject }) => subject)).toEqual(['3 new comments']);
    expect(htmlOf(mails()[0]!)).toMatch(/First[\s\S]*Second[\s\S]*Third/);
    const [feed] = await recipe.sendRest<{ data: unknown[] }>();
    expect(feed!.data).toHaveLength(3);

    await clarion.callOk('PATCH', '/v2/subscribers/carol', { timezone: zoneWhereItIs(2) });
    const night = await clarion.trigger('comments', 'carol', { payload: { post: 'p2', author: 'Bob', text: 'Late' } });
    await clarion.activity(night, ([one]) => one?.jobs?.[1]?.status === 'delayed');
    await clarion.makeDue(night);
    const [waiting] = await clarion.activity(night, ([one]) => one?.jobs?.[1]?.scheduleExtensionsCount === 1);
    expect(detailsOf(waiting!.jobs![1]!).at(-1)).toContain('extended to the next available time');
    expect(mails()).toHaveLength(1);
  });

  it('sends a code through the second provider after two errors, and refuses the fourth code', async () => {
    const recipe = new Recipe(clarion, 'one-time-code-with-failover-and-throttle');
    clarion.provider.next(/Messages\.json/, { status: 500, text: '' }, { status: 500, text: '' });
    await recipe.send(4);
    await clarion.activity('code-1', ([one]) =>
      detailsOf(one?.jobs?.[1] ?? NO_STEP).some((line) => line.startsWith('Warning')),
    );
    await clarion.makeDue('code-1');
    expect(await statuses('code-1')).toEqual(['throttle completed', 'sms completed']);
    expect((await clarion.messages('code-1'))[0]).toMatchObject({ providerId: 'nexmo', status: 'sent' });
    for (const transactionId of ['code-2', 'code-3']) {
      await recipe.send(1);
      expect(await statuses(transactionId)).toEqual(['throttle completed', 'sms completed']);
    }
    await recipe.send(1);
    expect(await statuses('code-4')).toEqual(['throttle skipped', 'sms skipped']);
    const [summary] = await recipe.sendRest();
    expect(JSON.stringify(summary)).toContain('skipped');
  });

  it('sends the emails of two tenants with two brandings', async () => {
    const recipe = new Recipe(clarion, 'tenants-with-branding');
    await recipe.send(8);
    for (const transactionId of ['invoice-acme', 'invoice-globex']) {
      expect(await statuses(transactionId)).toEqual(['email completed']);
    }
    const sent = Object.fromEntries(mails().map((mail) => [mail.subject, htmlOf(mail)]));
    expect(sent['Invoice of Acme']).toMatch(/#0b6e4f[\s\S]*Acme[\s\S]*12 EUR[\s\S]*help@acme\.example\.com/);
    expect(sent['Invoice of Globex']).toMatch(/#8c1c13[\s\S]*Globex[\s\S]*30 EUR[\s\S]*help@globex\.example\.com/);
    const [{ data }] = (await recipe.sendRest<{ data: unknown[] }>()) as [{ data: unknown[] }];
    expect(data).toHaveLength(2);
  });
});

type Mail = {
  subject: string;
  content: { type: string; value: string }[];
  personalizations: { to: { email: string }[] }[];
};

const NO_STEP = { executionDetails: [] } as never;

const recipientOf = ({ personalizations }: Mail): string => personalizations[0]!.to[0]!.email;

const htmlOf = ({ content }: Mail): string => content.find(({ type }) => type === 'text/html')!.value;

/** A time zone in which it is about this hour now. The sign in the names of these zones is reversed. */
function zoneWhereItIs(hour: number): string {
  const ahead = hour - new Date().getUTCHours();
  const offset = ahead > 12 ? ahead - 24 : ahead < -11 ? ahead + 24 : ahead;
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** The calls of one recipe, in order. A block has a request line, headers, an empty line and a JSON body. */
class Recipe {
  private readonly blocks: string[];

  constructor(
    private readonly clarion: Clarion,
    name: string,
    prepare: (text: string) => string = (text) => text,
  ) {
    const text = readFileSync(join(__dirname, `../../../docs/recipes/${name}.md`), 'utf8');
    this.blocks = [...prepare(text).matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
    expect(this.blocks.length).toBeGreaterThan(3);
  }

  /** Sends the next calls and returns the responses. Every call of a recipe succeeds. */
  async send<T = unknown>(count: number): Promise<T[]> {
    const answers: T[] = [];
    for (const block of this.blocks.splice(0, count)) {
      const [head = '', body] = block.split(/\n\n([\s\S]*)/);
      const [method = '', path = ''] = head.trim().split(' ');
      answers.push(await this.clarion.callOk<T>(method, path, body === undefined ? undefined : JSON.parse(body)));
    }
    return answers;
  }

  sendRest<T = unknown>(): Promise<T[]> {
    return this.send(this.blocks.length);
  }
}
