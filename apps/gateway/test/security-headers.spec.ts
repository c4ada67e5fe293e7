import { corpus } from '@clarion/testing';
import { DASHBOARD_PAGES } from '../src/edge/dashboard/dashboard';
import { startGateway, type TestGateway } from './harness';
import { exchange } from './raw-http';

const ID = '0190c0de-0000-7000-8000-000000000000';

/** The headers of every response. */
const ALWAYS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};
/** The headers of every response that is not a page. */
const DATA: Record<string, string> = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Pages that a person opens by a link: a form and styles, no script. */
const PAGE: Record<string, unknown> = {
  ...DATA,
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; (?!.*script).*frame-ancestors 'none'/,
  ) as unknown,
};

describe('security headers', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const headersOf = ({ headers }: { headers: Headers }): Record<string, string> =>
    Object.fromEntries(Object.keys(DATA).map((name) => [name, headers.get(name) ?? 'missing']));

  it('sets the security headers in the response of every route, with and without a key', async () => {
    const pages = [...DASHBOARD_PAGES, '/icon.svg', '/message-frame'];
    const isPage = (url: string): boolean => url.startsWith('/docs') || pages.includes(url);
    const isSmallPage = (url: string): boolean => /^\/(setup|t|u)\/|\/chat\/oauth\/(callback|start\/:code)$/.test(url);
    const routes = gateway.routes.filter((route) => !isPage(route.url));
    // Small pages have other headers. The other routes are alike: few of them in the first tier.
    const [small, others] = [true, false].map((is) => routes.filter(({ url }) => isSmallPage(url) === is));
    for (const [index, { method, url }] of [...small!, ...corpus(others!, 60)].entries()) {
      // Responses to wrong keys are delayed after a few, and the same for every route.
      const wrong = index < 5 ? ['ApiKey wrong'] : [];
      for (const authorization of [`ApiKey ${gateway.key}`, ...wrong, '']) {
        const answer = await fetch(gateway.url + url.replace(/:\w+/g, ID), {
          method,
          redirect: 'manual',
          headers: { authorization },
        });
        // The same document for every caller, which a client may keep and ask about.
        const kept = url === '/openapi.json' && { 'cache-control': 'no-cache' };
        const expected = { method, url, ...(isSmallPage(url) ? PAGE : DATA), ...kept };
        expect({ method, url, ...headersOf(answer) }).toEqual(expected);
        await answer.body?.cancel();
      }
    }
  });

  it.each([
    ['an unknown route', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a URL that cannot be read', 'GET /v2/subscribers/% HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an absolute target', 'GET http://x/v2/subscribers HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['another method', 'PUT /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', 405],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(60_000)}`, 431],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ])('sets the security headers in the error response for %s', async (_, text, status) => {
    const answer = await exchange(gateway.url, text);
    expect(answer).toMatchObject({ status, headers: DATA });
  });

  it('leaves unknown paths and missing files of the dashboard to the JSON errors', async () => {
    for (const path of ['/nothing', '/overview/more', '/activity/a/b', '/assets/missing.js']) {
      const answer = await fetch(gateway.url + path);
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ statusCode: 404 })]);
    }
  });

  it('shows messages in a frame that runs no script of theirs and has no origin', async () => {
    for (const [query, images] of [
      ['', 'img-src data:;'],
      ['?images=remote', 'img-src data: http: https:;'],
    ]) {
      const { headers } = await fetch(`${gateway.url}/message-frame${query}`);
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+'; style-src /);
      expect(policy).toContain(images);
      expect(policy).toContain("frame-ancestors 'self'");
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    }
  });

  it('allows the documentation page to run only scripts of the gateway', async () => {
    const page = await fetch(`${gateway.url}/docs/events_trigger`);
    const { 'content-security-policy': policy, ...others } = headersOf(page);
    expect(others).toMatchObject({ ...ALWAYS, 'cache-control': 'no-store' });
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';");
    expect(policy).toContain("connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^<>]* src=)|<style|<[^<>]+\s(on\w+|style)=/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+\.\w+)"/g)) {
      const file = await fetch(gateway.url + path);
      expect([path, file.status, headersOf(file)]).toEqual([path, 200, expect.objectContaining(ALWAYS)]);
    }
  });
});
