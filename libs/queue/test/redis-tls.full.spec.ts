/**
 * `rediss://` with a private certificate authority, as docs/kubernetes.md describes it: the certificate and its host
 * name are verified.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@clarion/testing';
import { selfSigned } from '@clarion/testing/providers';

const UNTRUSTED = /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\): .*NODE_EXTRA_CA_CERTS/;
const PASSWORD = 'a-password-of-redis';
/** Connects as every process of Clarion does, in a process with the given settings. */
const ASK = `
  const { backendFault } = require('./dist/index.js');
  backendFault({ kind: 'redis', url: process.env.REDIS_URL }, { onError: console.log })
    .then((fault) => console.log(fault ?? 'usable'));
`;

describe('Redis over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-redis-tls-'));
  const servers: ChildProcess[] = [];
  const fileOf = (name: string, kind: string): string => join(folder, `${name}.${kind}`);

  /** A server whose certificate is for this name and self-signed. */
  async function start(name: string): Promise<number> {
    const port = await freePort();
    const { key, cert } = selfSigned(name);
    writeFileSync(fileOf(name, 'key'), key);
    writeFileSync(fileOf(name, 'crt'), cert);
    const files = ['--tls-cert-file', fileOf(name, 'crt'), '--tls-key-file', fileOf(name, 'key')];
    const options = ['--tls-ca-cert-file', fileOf(name, 'crt'), '--tls-auth-clients', 'no', '--requirepass', PASSWORD];
    const place = ['--port', '0', '--tls-port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    servers.push(spawn('redis-server', [...place, ...files, ...options], { stdio: 'ignore' }));
    return port;
  }

  const ask = async (port: number, authority: string | undefined, password = PASSWORD): Promise<string> => {
    const env = {
      PATH: process.env['PATH'],
      REDIS_URL: `rediss://:${password}@localhost:${port}`,
      ...(authority && { NODE_EXTRA_CA_CERTS: fileOf(authority, 'crt') }),
    };
    for (;;) {
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', ASK], { cwd: join(__dirname, '..'), env });
      // The server has not started yet.
      if (!stdout.includes('ECONNREFUSED')) return stdout.trim();
    }
  };

  let ours: number;
  let other: number;
  beforeAll(async () => {
    ours = await start('localhost');
    other = await start('another.example');
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.once('exit', resolve) && server.kill())));
    rmSync(folder, { recursive: true, force: true });
  });

  it('accepts a connection with the authority in NODE_EXTRA_CA_CERTS and the password', async () => {
    expect(await ask(ours, 'localhost')).toBe('usable');
    expect(await ask(ours, 'localhost', 'another-password')).toMatch(
      /^Redis rejects the user or the password of REDIS_URL: WRONGPASS/,
    );
  });

  it('rejects a server whose certificate has an unknown authority', async () => {
    expect(await ask(ours, undefined)).toMatch(UNTRUSTED);
    expect(await ask(ours, 'another.example')).toMatch(UNTRUSTED);
  });

  it('rejects a server whose certificate is for another name', async () => {
    expect(await ask(other, 'another.example')).toMatch(/not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  });
});
