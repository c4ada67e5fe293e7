import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { installDashboard, installMissingPage } from '../src/edge/dashboard/dashboard';
import { Site } from '../src/edge/dashboard/site';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`;

describe('the served dashboard', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-site-'));
  const server: FastifyInstance = fastify();
  let url: string;

  beforeAll(async () => {
    const site = new Site(join(folder, 'site'));
    installMissingPage(server, site);
    installDashboard(server, site);
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says what to run while there is no build', async () => {
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
  });

  describe('after a build', () => {
    beforeAll(() => {
      mkdirSync(join(folder, 'site/assets'), { recursive: true });
      writeFileSync(join(folder, 'site/index.html'), '<!doctype html><html><head><title>Clarion</title></head></html>');
      writeFileSync(join(folder, 'site/assets/index-abc.js'), SCRIPT);
      writeFileSync(join(folder, 'site/secret.js'), 'hidden');
      writeFileSync(join(folder, 'site/assets/notes.txt'), 'hidden');
    });

    it.each(['/', '/overview', '/activity', '/activity/0190c0de', '/subscribers/a%2Fb', '/settings', '/sign-in'])(
      'serves the document at %s, never from a cache, with a policy against foreign code',
      async (path) => {
        const answer = await fetch(url + path);
        const policy = answer.headers.get('content-security-policy')!;
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
        expect(policy).toContain(
          "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:",
        );
        expect(policy).toContain("font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy.replace("style-src-attr 'unsafe-inline'", '')).not.toContain('unsafe');
        expect(await answer.text()).toContain('<title>Clarion</title>');
        const etag = answer.headers.get('etag')!;
        expect((await fetch(url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      },
    );

    it('shows a person the document at an unknown address, and a program the fault', async () => {
      const answer = await fetch(`${url}/no/such/page`, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('<title>Clarion</title>')]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const program = await fetch(`${url}/no/such/page`);
      expect([program.status, program.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')]);
    });

    it.each([
      ['br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ])('serves an asset for ever, compressed for %s', async (accepted, encoding, decode) => {
      const { status, headers, body } = await get('/assets/index-abc.js', { 'accept-encoding': accepted });
      expect([status, headers['content-encoding'], decode(body).toString()]).toEqual([200, encoding, SCRIPT]);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      const again = await get('/assets/index-abc.js', { 'if-none-match': headers['etag'] as string });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    });

    it.each(['/assets/missing.js', '/assets/..%2Fsecret.js', '/assets/notes.txt', '/assets/%00.js', '/secret.js'])(
      'serves nothing else, such as %s',
      async (path) => {
        const answer = await fetch(url + path);
        expect(await answer.text()).not.toContain('hidden');
        expect(answer.ok).toBe(false);
      },
    );

    const get = (path: string, headers: Record<string, string>) =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
        request(url + path, { headers }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        })
          .on('error', reject)
          .end();
      });
  });
});
