import { interceptStatements, until } from '@clarion/testing';
import { type Clarion, startOwnClarion } from './harness';

type Mail = {
  from: { email: string; name?: string };
  subject: string;
  content: { type: string; value: string }[];
};

const TEXTS = {
  en_US: {
    title: 'Order {{ payload.id }}',
    body: 'Hello {{ subscriber.firstName }}, see {{ env.SITE }}/{{ payload.id }}',
    only: { english: 'Thanks' },
    sender: 'The shop',
  },
  de: { title: 'Bestellung {{ payload.id }}', body: 'Hallo {{ subscriber.firstName }}, siehe {{ env.SITE }}' },
  de_AT: { title: 'Bestellung {{ payload.id }}, bitte' },
};
const FOOTERS = { en_US: { bye: 'Bye' }, de: { bye: 'Bis bald' }, de_AT: { bye: 'Servus' } };

const PEOPLE = {
  en: { locale: 'en_GB', title: 'Order 7', body: 'Hello Ann, see https://shop.test/7', bye: 'Bye' },
  de: { locale: 'de_DE', title: 'Bestellung 7', body: 'Hallo Ann, siehe https://shop.test', bye: 'Bis bald' },
  at: { locale: 'de-AT', title: 'Bestellung 7, bitte', body: 'Hallo Ann, siehe https://shop.test', bye: 'Servus' },
};

const EMAILS = 6;
const QUIET_MS = 150;
/** The connection of the specs has another name. */
const OF_A_ROLE = /^clarion-(?!test$)/;

const SECRET = 'hush-hush-4711/"ü';

describe('translations and environment variables', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startOwnClarion();
    await clarion.integration('sendgrid', 'email');
    await clarion.integration('twilio', 'sms');
    await clarion.integration('slack', 'chat');
    await clarion.integration('expo', 'push');
    await clarion.callOk('POST', '/v2/layouts', { layoutId: 'frame', name: 'Frame' });
    await clarion.callOk('PUT', '/v2/layouts/frame', {
      name: 'Frame',
      controlValues: { email: { body: '<html><body>{{content}}<i>{{ t.bye }}</i></body></html>', editorType: 'html' } },
    });
    await variable('SITE', 'https://shop.test');
    for (const [locale, content] of Object.entries(FOOTERS)) await translate('layout', 'frame', locale, content);
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());

  const variable = (key: string, value: string, isSecret = false) =>
    clarion.callOk('POST', '/v1/environment-variables', {
      key,
      isSecret,
      values: [{ _environmentId: clarion.environmentId, value }],
    });
  const translate = (resourceType: string, resourceId: string, locale: string, content: object) =>
    clarion.callOk('POST', '/v2/translations', { resourceType, resourceId, locale, content });
  const sent = (path: string): string[] =>
    clarion.provider.calls.filter((call) => call.path.startsWith(path)).map(({ body }) => body);
  const mails = (): Mail[] => sent('/v3/mail/send').map((body) => JSON.parse(body) as Mail);
  const html = ({ content }: Mail): string => content.find(({ type }) => type === 'text/html')!.value;

  it('gives a German, an Austrian and an English subscriber their texts on every channel', async () => {
    await clarion.workflow('order', [
      {
        type: 'email',
        controlValues: {
          subject: '{{t.title}}',
          body: '<p>{{ t.body }} {{ t.only.english }}</p>',
          layoutId: 'frame',
          from: { email: 'shop@x.test', name: '{{ t.sender }}' },
        },
      },
      { type: 'sms', controlValues: { body: '{{ t.body }}' } },
      { type: 'chat', controlValues: { body: '{{ t.body }}' } },
      { type: 'push', controlValues: { subject: '{{ t.title | upcase }}', body: '{{ t.body }}' } },
      { type: 'in_app', controlValues: { subject: '{{ t.title }}', body: '{{ t.body }}' } },
    ]);
    for (const [locale, content] of Object.entries(TEXTS)) await translate('workflow', 'order', locale, content);
    for (const [id, { locale, title, body, bye }] of Object.entries(PEOPLE)) {
      clarion.provider.reset();
      const to = { subscriberId: id, firstName: 'Ann', locale, email: `${id}@x.test`, phone: '+15550001111' };
      await clarion.callOk('POST', '/v2/subscribers', to);
      for (const [providerId, credentials] of [
        ['slack', { webhookUrl: `${clarion.provider.url}/hook` }],
        ['expo', { deviceTokens: [`token-${id}`] }],
      ] as const) {
        await clarion.callOk('PUT', `/v1/subscribers/${id}/credentials`, { providerId, credentials });
      }
      // Twice: the second message is filled from the outline of the first.
      for (let run = 0; run < 3; run += 1) {
        const { transactionId } = await clarion.run('order', id, { payload: { id: 7 } });
        const messages = await clarion.messages(transactionId);
        expect(messages.map(({ channel }) => channel).toSorted()).toEqual(['chat', 'email', 'in_app', 'push', 'sms']);
        const inApp = messages.find(({ channel }) => channel === 'in_app')!;
        expect(inApp).toMatchObject({ subject: title, content: body });
      }
      for (const mail of mails()) {
        expect(mail).toMatchObject({ subject: title, from: { email: 'shop@x.test', name: 'The shop' } });
        expect(html(mail)).toContain(`<p>${body} Thanks</p><i>${bye}</i>`);
      }
      expect(mails()).toHaveLength(3);
      expect(new URLSearchParams(sent('/2010-04-01')[0]).get('Body')).toBe(body);
      expect(JSON.parse(sent('/hook')[0]!)).toMatchObject({ text: body });
      expect(sent('/--/api/v2/push/send')[0]).toContain(JSON.stringify(title.toUpperCase()));
    }
  });

  it('uses an edited text and an edited variable from the next message on', async () => {
    await clarion.workflow('edited', [{ type: 'sms', controlValues: { body: '{{ t.text }} {{ env.PLACE }}' } }]);
    const text = async (): Promise<string> => {
      clarion.provider.reset();
      await clarion.run('edited', { subscriberId: 'eve', phone: '+15550002222' });
      return new URLSearchParams(sent('/2010-04-01')[0]).get('Body')!;
    };
    expect(await text()).toBe('text ');
    await variable('PLACE', 'here');
    await translate('workflow', 'edited', 'en_US', { text: 'first' });
    expect(await text()).toBe('first here');
    await translate('workflow', 'edited', 'en_US', { text: 'second' });
    await clarion.callOk('PATCH', '/v1/environment-variables/PLACE', {
      values: [{ _environmentId: clarion.environmentId, value: 'there' }],
    });
    expect(await text()).toBe('second there');
    await clarion.callOk('DELETE', '/v1/environment-variables/PLACE');
    expect(await text()).toBe('second ');
  });

  it('writes a secret into what is sent and into no record, also when the provider repeats what it got', async () => {
    await variable('COUPON', SECRET, true);
    await clarion.workflow('coupon', [
      { type: 'email', controlValues: { subject: 'Code {{ env.COUPON }}', body: '<p>{{ env.COUPON | upcase }}</p>' } },
      { type: 'sms', controlValues: { body: 'Code {{ "user:" | append: env.COUPON | base64_encode }}' } },
      { type: 'chat', controlValues: { body: 'Code {{ env.COUPON | url_encode }}' } },
      { type: 'in_app', controlValues: { body: 'Code {{ env.COUPON }}' } },
    ]);
    const repeat = (status: number) => (call: { body: string }) => ({
      status,
      headers: { 'x-message-id': encodeURIComponent(SECRET) },
      json: {
        message: `Rejected: ${call.body}`,
        text: new URLSearchParams(call.body).get('Body'),
        base64: Buffer.from(`the body: ${call.body}`).toString('base64'),
        // Cut off where the answer is, in the middle of the secret.
        long: `${'.'.repeat(1_000)}${SECRET}`.repeat(4),
      },
    });
    clarion.provider.always(/mail\/send/, repeat(202));
    clarion.provider.always(/2010-04-01/, repeat(400));
    clarion.provider.always(/hooks/, repeat(400));
    const to = { subscriberId: 'sam', email: 'sam@x.test', phone: '+15550003333' };
    await clarion.callOk('POST', '/v2/subscribers', to);
    await clarion.callOk('PATCH', '/v1/subscribers/sam/credentials', {
      providerId: 'slack',
      credentials: { webhookUrl: `${clarion.provider.url}/hooks/1` },
    });
    const { transactionId } = await clarion.run('coupon', to);
    const [mail] = mails();
    expect(mail!.subject).toBe(`Code ${SECRET}`);
    expect(html(mail!)).toContain('<p>HUSH-HUSH-4711/');
    expect(new URLSearchParams(sent('/2010-04-01')[0]).get('Body')).toBe(
      `Code ${Buffer.from(`user:${SECRET}`).toString('base64')}`,
    );
    const messages = await clarion.messages(transactionId);
    expect(messages).toHaveLength(4);
    expect(messages.map(({ content }) => content).join()).toContain('••••••••');

    const tables = await clarion.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const inBase64 = ['', '.', '..'].map((before) =>
      Buffer.from(`${before}hush-hush-4711`).toString('base64').slice(4, 16),
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await clarion.database.query<{ row: string }>(
        `SELECT t::text AS row FROM "${name}" t WHERE t::text ILIKE '%hush%' OR t::text LIKE ANY ($1)`,
        [inBase64.map((text) => `%${text}%`)],
      );
      found.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    expect(found).toEqual([]);
    expect(clarion.logged.join('')).not.toContain('hush');
  });

  it('reads a variable in conditions, and never a secret', async () => {
    const runIf = (key: string, value: string) => ({ '==': [{ var: `env.${key}` }, value] });
    await clarion.workflow('ruled', [
      { type: 'in_app', stepId: 'yes', controlValues: { body: 'yes', runIf: runIf('SITE', 'https://shop.test') } },
      { type: 'in_app', stepId: 'no', controlValues: { body: 'no', runIf: runIf('COUPON', SECRET) } },
    ]);
    const { transactionId } = await clarion.run('ruled', 'rae');
    expect((await clarion.messages(transactionId)).map(({ content }) => content)).toEqual(['yes']);
  });

  it('takes no statement more for a translated email', async () => {
    let sent: string[] = [];
    let sentAt = 0;
    const end = interceptStatements(({ application, text }, send) => {
      if (OF_A_ROLE.test(application)) {
        sent.push(text);
        sentAt = performance.now();
      }
      return send();
    });
    try {
      const mail = (workflowId: string, controlValues: object) =>
        clarion.workflow(workflowId, [{ type: 'email', controlValues }]);
      await mail('plain', { subject: 'Order', body: '<p>Hello {{ payload.name }}</p>', layoutId: 'frame' });
      await mail('translated', { subject: '{{ t.subject }}', body: '<p>{{ t.hello }}</p>', layoutId: 'frame' });
      await translate('workflow', 'translated', 'en_US', { subject: 'Order', hello: 'Hello {{ payload.name }}' });
      const deliver = async (name: string): Promise<string[]> => {
        const before = clarion.provider.count;
        sent = [];
        await clarion.trigger(name, { subscriberId: 'tom', email: 'tom@x.test' }, { payload: { name: 'Tom' } });
        await until(() => clarion.provider.count === before + 1);
        await until(() => performance.now() > sentAt + QUIET_MS);
        return sent;
      };
      const statements = async (name: string): Promise<string[][]> => {
        // The first emails fill the caches.
        for (let run = 0; run < 3; run += 1) await deliver(name);
        const emails: string[][] = [];
        for (let run = 0; run < EMAILS; run += 1) emails.push(await deliver(name));
        return emails;
      };
      const plain = await statements('plain');
      const translated = await statements('translated');
      // The sweeper adds statements to some emails; what a translation needed would be added to each of them.
      const counts = (emails: string[][], text: string): number[] =>
        emails.map((email) => email.filter((statement) => statement === text).length);
      const more = [...new Set(translated.flat())].filter(
        (text) => Math.min(...counts(translated, text)) > Math.max(...counts(plain, text)),
      );
      expect(more).toEqual([]);
    } finally {
      end();
    }
  });
});
