import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, type ProcessIdentity } from './process-identity';

/** The process that started the server of a data folder: a server without a running owner is about to be stopped. */
export interface ServerRecord {
  readonly server: ProcessIdentity;
  readonly owner: ProcessIdentity;
  /** Where a server listens whose port is not in its data folder. */
  readonly port?: number;
}

export function writeServerRecord(file: string, serverPid: number, port?: number): void {
  const server = identify(serverPid);
  const owner = identify(process.pid);
  if (!server || !owner) return;
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ server, owner, port } satisfies ServerRecord), {
    mode: 0o600,
  });
  renameSync(`${file}.${process.pid}`, file);
}

export function readServerRecord(file: string): ServerRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ServerRecord;
  } catch {
    return undefined;
  }
}

export function removeServerRecord(file: string, serverPid: number): void {
  if (readServerRecord(file)?.server.pid === serverPid) rmSync(file, { force: true });
}
