import type { EnvironmentDto, SubscriberPreferencesDto, WorkflowDto } from '@clarion/contracts';
import { newId } from '@clarion/contracts';
import { type EmailLink, LinkTokens } from '@clarion/platform';
import { insertMessages } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';

const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' };

describe('links of emails', () => {
  let gateway: TestGateway;
  let tokens: LinkTokens;
  let subscriber: { _id: string };
  let news: WorkflowDto;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_PUBLIC_URL: 'https://mail.example.com' });
    tokens = new LinkTokens(gateway.secrets);
    subscriber = (await gateway.call<{ _id: string }>('POST', '/v2/subscribers', { subscriberId: 'ada' })).body;
    news = await createWorkflow('news', 'News & <offers>');
    await createWorkflow('orders', 'Orders');
    await createWorkflow('security', 'Security', { preferences: { workflow: { all: { readOnly: true } } } });
  });
  afterAll(() => gateway.close());

  const createWorkflow = async (workflowId: string, name: string, more: object = {}): Promise<WorkflowDto> => {
    const steps = [
      { name: 'Mail', type: 'email', controlValues: { subject: 'x', body: 'y' } },
      { name: 'Text', type: 'sms', controlValues: { body: 'y' } },
    ];
    const answer = await gateway.call<WorkflowDto>('POST', '/v2/workflows', { workflowId, name, steps, ...more });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const visit = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, { redirect: 'manual', ...init });
  const preferencesOf = async (workflowId: string) => {
    const { body } = await gateway.call<SubscriberPreferencesDto>('GET', '/v2/subscribers/ada/preferences');
    return body.workflows.find(({ workflow }) => workflow.identifier === workflowId)!.channels;
  };
  const linkTo = (more: Partial<EmailLink> = {}): string =>
    `/u/${tokens.issue({
      kind: 'preferences',
      environmentId: gateway.environmentId,
      subscriberId: subscriber._id,
      workflowId: news._id,
      ...more,
    } as EmailLink)}`;

  describe('settings of the environment', () => {
    it('tracks nothing by default, offers to unsubscribe, and changes one setting at a time', async () => {
      const path = `/v1/environments/${gateway.environmentId}`;
      const { body } = await gateway.call<EnvironmentDto>('GET', '/v1/environments/me');
      expect(body).toMatchObject({ tracking: { opens: false, clicks: false }, oneClickUnsubscribe: true });
      const opens = await gateway.call<EnvironmentDto>('PUT', path, { tracking: { opens: true } });
      expect(opens.body.tracking).toEqual({ opens: true, clicks: false });
      const both = await gateway.call<EnvironmentDto>('PUT', path, {
        tracking: { clicks: true },
        oneClickUnsubscribe: false,
      });
      expect(both.body).toMatchObject({ tracking: { opens: true, clicks: true }, oneClickUnsubscribe: false });
      const wrong = await gateway.call('PUT', path, { tracking: { opens: 'yes' } });
      expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([422, expect.stringContaining('tracking.opens')]);
    });
  });

  describe('tracked opens and clicks', () => {
    const sent = async (more: object = {}) => {
      const [message] = await insertMessages(gateway.database, [
        {
          environmentId: gateway.environmentId,
          subscriberId: subscriber._id,
          channel: 'email',
          providerId: 'sendgrid',
          integrationId: newId(),
          ...more,
        },
      ]);
      return message!;
    };
    const stateOf = async (id: string) => {
      const [row] = await gateway.database.rows<{ read: boolean; clicked: boolean; details: string[] }>(
        `SELECT read, clicked_at IS NOT NULL AS clicked,
                ARRAY(SELECT detail FROM execution_detail d WHERE d.message_id = m.id ORDER BY d.id) AS details
           FROM message m WHERE id = $1`,
        [id],
      );
      return row;
    };
    const tracked = (kind: 'open' | 'click', messageId: string, more: object = {}): string => {
      const url = 'https://shop.example.com/ä?a=1&b=2#c';
      const link = { kind, environmentId: gateway.environmentId, messageId, ...(kind === 'click' && { url }), ...more };
      return `/t/${kind === 'open' ? 'o' : 'c'}/${tokens.issue(link as EmailLink)}`;
    };

    it('records the first open and answers with a picture', async () => {
      const { id } = await sent();
      const head = await visit(tracked('open', id), { method: 'HEAD' });
      const prefetch = await visit(tracked('open', id), { headers: { 'sec-purpose': 'prefetch' } });
      expect([head.status, prefetch.status, await stateOf(id)]).toEqual([
        200,
        200,
        { read: false, clicked: false, details: [] },
      ]);
      for (let visits = 0; visits < 3; visits += 1) {
        const response = await visit(tracked('open', id));
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('image/gif');
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect((await response.arrayBuffer()).byteLength).toBe(42);
      }
      expect(await stateOf(id)).toEqual({ read: true, clicked: false, details: ['Message read'] });
    });

    it('records the first click, which is also a read, and leads to the signed address', async () => {
      const { id } = await sent();
      for (let visits = 0; visits < 2; visits += 1) {
        const response = await visit(tracked('click', id));
        expect(response.status).toBe(302);
        expect(response.headers.get('location')).toBe('https://shop.example.com/%C3%A4?a=1&b=2#c');
        expect(response.headers.get('referrer-policy')).toBe('no-referrer');
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
      expect(await stateOf(id)).toEqual({ read: true, clicked: true, details: ['Message clicked'] });
    });

    it('leads to the address when nothing is recorded: unknown messages, other tenants, tracking switched off', async () => {
      const { id } = await sent();
      const foreign = await visit(tracked('click', id, { environmentId: newId() }));
      const unknown = await visit(tracked('click', newId()));
      await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { tracking: { clicks: false } });
      const off = await visit(tracked('click', id));
      expect([foreign.status, unknown.status, off.status]).toEqual([302, 302, 302]);
      expect(await stateOf(id)).toEqual({ read: false, clicked: false, details: [] });
    });

    it('answers 404 to tokens that it did not issue for this route, without any redirect', async () => {
      const { id } = await sent();
      const [open, click] = [tracked('open', id), tracked('click', id)];
      const flipped = click.slice(0, -2) + (click.endsWith('AA') ? 'BB' : 'AA');
      const others = [
        open.replace('/t/o/', '/t/c/'),
        click.replace('/t/c/', '/t/o/'),
        open.replace('/t/o/', '/u/'),
        flipped,
        '/t/c/x',
        '/t/c/%00',
        `/t/c/${'A'.repeat(7_000)}`,
        '/t/o/https%3A%2F%2Fevil.example.com',
      ];
      for (const path of others) {
        const response = await visit(path);
        expect([path.slice(0, 40), response.status, response.headers.get('location')]).toEqual([
          path.slice(0, 40),
          404,
          null,
        ]);
      }
      expect(await stateOf(id)).toEqual({ read: false, clicked: false, details: [] });
    });
  });

  describe('unsubscribing', () => {
    const post = (path: string, body: string, headers: Record<string, string> = ONE_CLICK) =>
      visit(path, { method: 'POST', body, headers });

    it('shows a page without scripts and changes nothing', async () => {
      const response = await visit(linkTo());
      const page = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page).toContain('News &amp; &lt;offers&gt;');
      expect(page).toContain('Orders');
      // Subscribers cannot switch a critical workflow off.
      expect(page).not.toContain('Security');
      expect(page).not.toContain('<script');
      expect(await preferencesOf('news')).toEqual({ email: true, sms: true });
    });

    it('unsubscribes with one click, as often as it is asked', async () => {
      const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
      const first = await post(linkTo(), 'List-Unsubscribe=One-Click');
      const second = await post(linkTo(), multipart, { 'content-type': 'multipart/form-data; boundary=b' });
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(await first.text()).toContain('You are unsubscribed from the emails of News &amp; &lt;offers&gt;.');
      expect(await preferencesOf('news')).toEqual({ email: false, sms: true });
      expect(await preferencesOf('orders')).toEqual({ email: true, sms: true });
    });

    it('saves the choices of the page', async () => {
      const page = await (await visit(linkTo())).text();
      const values = (name: string) => [...page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))];
      const form = new URLSearchParams({ form: 'preferences' });
      for (const [, workflowId] of values('workflow')) form.append('workflow', workflowId!);
      form.append('on', `${news._id} email`);
      const response = await post(linkTo(), form.toString());
      expect(await response.text()).toContain('Your preferences are saved.');
      expect(await preferencesOf('news')).toEqual({ email: true, sms: false });
      expect(await preferencesOf('orders')).toEqual({ email: false, sms: false });
    });

    it.each([
      ['an empty body', '', 400],
      ['another form', 'a=b', 400],
      ['JSON', '{}', 400],
      ['a body that is too long', `x=${'y'.repeat(70_000)}`, 413],
    ])('changes nothing for %s', async (_name, body, status) => {
      const before = await preferencesOf('orders');
      expect((await post(linkTo({ workflowId: newId() } as Partial<EmailLink>), body)).status).toBe(status);
      expect(await preferencesOf('orders')).toEqual(before);
    });

    it('says the same about forged tokens, other environments and deleted subscribers', async () => {
      const paths = [
        '/u/x',
        linkTo().slice(0, -3) + 'AAA',
        linkTo({ environmentId: newId() }),
        linkTo({ subscriberId: newId() } as Partial<EmailLink>),
      ];
      const pages = await Promise.all(
        paths.map(async (path) => {
          const [shown, changed] = [await visit(path), await post(path, 'List-Unsubscribe=One-Click')];
          expect([shown.status, changed.status]).toEqual([404, 404]);
          return (await shown.text()) + (await changed.text());
        }),
      );
      expect(new Set(pages).size).toBe(1);
    });

    it('limits how often one link changes something', async () => {
      const path = linkTo({ workflowId: newId() } as Partial<EmailLink>);
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, 'List-Unsubscribe=One-Click')));
      expect(answers.map(({ status }) => status)).toContain(429);
      expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    });
  });
});
