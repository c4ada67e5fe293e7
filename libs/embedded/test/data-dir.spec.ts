import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from '../src/data-dir';
import { EmbeddedServerError } from '../src/embedded-server-error';
import { identify } from '../src/process-identity';
import { Owners } from './owner';

describe('lockDataDir', () => {
  const owners = new Owners();
  let dataDir: string;
  beforeEach(() => void (dataDir = owners.newDataDir()));
  afterAll(() => owners.dispose());

  it('creates the folder and leaves it empty after the release', () => {
    const lock = lockDataDir(join(dataDir, 'deeper'));
    expect(readdirSync(join(dataDir, 'deeper'))).toHaveLength(1);
    lock.release();
    lock.release();
    expect(readdirSync(join(dataDir, 'deeper'))).toEqual([]);
  });

  it('names the process that holds the folder', async () => {
    const first = await owners.start({ what: 'lock', dataDir });
    expect(() => lockDataDir(dataDir)).toThrow(
      `Clarion already runs on the data folder ${dataDir} (process ${first.process.pid})`,
    );
    expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError);
    await first.kill();
  });

  it('rejects a second lock in one process until the first is released', () => {
    const lock = lockDataDir(dataDir);
    expect(() => lockDataDir(dataDir)).toThrow(`(process ${process.pid})`);
    lock.release();
    lockDataDir(dataDir).release();
  });

  it('takes over the lock of a killed process', async () => {
    const first = await owners.start({ what: 'lock', dataDir });
    await first.kill('SIGKILL');
    expect(readdirSync(dataDir)).toHaveLength(1);
    const lock = lockDataDir(dataDir);
    expect(readdirSync(dataDir)).toHaveLength(1);
    lock.release();
  });

  it('ignores the lock of a process whose pid was reused', () => {
    mkdirSync(dataDir);
    const claim = { pid: process.pid, born: 'an earlier boot/42', held: true };
    writeFileSync(join(dataDir, `lock.${process.pid}.0a1b`), JSON.stringify(claim));
    lockDataDir(dataDir).release();
  });

  it('does not pass a process that is still acquiring the lock', () => {
    mkdirSync(dataDir);
    const claim = { ...identify(process.ppid), held: false };
    writeFileSync(join(dataDir, `lock.${process.ppid}.0a1b`), JSON.stringify(claim));
    expect(() => lockDataDir(dataDir)).toThrow(`(process ${process.ppid})`);
    rmSync(join(dataDir, `lock.${process.ppid}.0a1b`));
    lockDataDir(dataDir).release();
  });

  it('gives the lock to exactly one of many processes', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => owners.start({ what: 'lock', dataDir })));
    const refusals = all.filter((owner) => owner.answer.error !== undefined);
    const holder = all.find((owner) => owner.answer.error === undefined);
    expect(refusals).toHaveLength(5);
    for (const { answer } of refusals) expect(answer.error).toContain(`process ${holder?.process.pid}`);
    await holder?.kill();
  });

  it('explains what to do when a file has the name of the folder', () => {
    writeFileSync(dataDir, '');
    for (const folder of [dataDir, join(dataDir, 'below')]) {
      expect(() => lockDataDir(folder)).toThrow(EmbeddedServerError);
      expect(() => lockDataDir(folder)).toThrow(/is a file and not a folder.*CLARION_DATA_DIR/);
    }
  });

  it('explains what to do when the folder cannot be written', async () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o555);
    // Root may write anywhere, so the attempt runs as another user.
    const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const folder of [dataDir, join(dataDir, 'below')]) {
      const { answer } = await owners.start({ what: 'lock', dataDir: folder }, unprivileged);
      expect(answer.error).toBe(
        `The data folder ${folder} cannot be written by this user: change its owner or its permissions, ` +
          'or set CLARION_DATA_DIR to another folder.',
      );
    }
    expect(existsSync(join(dataDir, 'below'))).toBe(false);
  });
});
