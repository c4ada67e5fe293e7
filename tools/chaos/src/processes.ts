import { setTimeout as delay } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { withTimeout } from '@clarion/contracts';
import { type App, type AppProcess, freePort, startApp } from '@clarion/testing';

/** One place of a deployment: a process of an app, which a new one replaces when it ends, as Kubernetes does. */
export type Place = {
  readonly name: string;
  readonly app: App;
  /** The address of the gateway in this place, or the address for health and metrics of another app. */
  readonly url: string;
  readonly isReady: boolean;
  readonly pid: number | undefined;
  /** Ends of processes that were not asked to end, other than by our SIGKILL. */
  readonly crashes: number;
  /** Resident memory in MiB. */
  memory(): number;
  /** SIGKILL; a new process starts at once. */
  kill(): void;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  resume(): void;
  /**
   * As in a rolling deploy: starts a new process, waits until it is ready, then asks the old one to stop. Resolves with
   * the exit code of the old one and the time that it took to stop. With a folder, this place runs that checkout from
   * then on.
   */
  roll(folder?: string): Promise<{ code: number | NodeJS.Signals; tookMs: number }>;
  /** Starts a process with additional variables in place of the current one. */
  restartWith(variables: Record<string, string>): Promise<void>;
  /** Asks the process to stop and starts no other one until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Waits until the process of this place is ready. */
  ready(): Promise<void>;
  /** Ends it for good. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** The last output of its processes. */
  output(): string;
};

const RESTART_DELAY_MS = 200;
const READY_TIMEOUT_MS = 120_000;

export async function openPlace(
  name: string,
  app: App,
  variables: () => Record<string, string>,
  folder: string | undefined,
): Promise<Place> {
  const place = new SupervisedPlace(name, app, variables, folder);
  await place.begin();
  return place;
}

class SupervisedPlace implements Place {
  url = '';
  isReady = false;
  crashes = 0;
  private current!: AppProcess;
  private more: Record<string, string> = {};
  private isStopped = false;
  private wasKilled = false;
  private earlierOutput = '';

  constructor(
    readonly name: string,
    readonly app: App,
    private readonly variables: () => Record<string, string>,
    private folder: string | undefined,
  ) {}

  get pid(): number | undefined {
    return this.current.child.pid;
  }

  async begin(): Promise<void> {
    const { process, url } = await this.launch();
    this.take(process, url);
    await this.ready();
  }

  memory(): number {
    const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 1024 / 1024;
  }

  kill(): void {
    this.wasKilled = true;
    this.isReady = false;
    this.current.child.kill('SIGKILL');
  }

  freeze(): void {
    this.current.child.kill('SIGSTOP');
  }

  resume(): void {
    this.current.child.kill('SIGCONT');
  }

  async roll(folder = this.folder): Promise<{ code: number | NodeJS.Signals; tookMs: number }> {
    this.folder = folder;
    const before = this.current;
    const { process, url } = await this.launch();
    try {
      await withTimeout(process.ready, READY_TIMEOUT_MS, `the start of ${this.name} in ${folder ?? 'this checkout'}`);
    } catch (error) {
      await process.stop('SIGKILL');
      throw new Error(`${(error as Error).message}\n${process.output().slice(-2_000)}`, { cause: error });
    }
    this.take(process, url);
    this.isReady = true;
    const begin = Date.now();
    const code = await before.stop();
    this.earlierOutput = before.output();
    return { code, tookMs: Date.now() - begin };
  }

  async restartWith(variables: Record<string, string>): Promise<void> {
    this.more = variables;
    this.kill();
    await this.ready();
  }

  async down(): Promise<void> {
    await this.stop('SIGTERM');
  }

  async up(): Promise<void> {
    this.isStopped = false;
    const { process, url } = await this.launch();
    this.take(process, url);
    await this.ready();
  }

  async ready(): Promise<void> {
    if (this.isStopped) return this.up();
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!this.isReady) {
      if (Date.now() > deadline) throw new Error(`${this.name} did not become ready:\n${this.output().slice(-2_000)}`);
      await delay(20);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.isStopped = true;
    this.isReady = false;
    // A frozen process does not react to SIGTERM.
    this.current.child.kill('SIGCONT');
    await this.current.stop(signal);
  }

  output(): string {
    return this.earlierOutput + this.current.output();
  }

  private async launch(): Promise<{ process: AppProcess; url: string }> {
    const port = String(await freePort());
    const own = { [this.app === 'gateway' ? 'PORT' : 'CLARION_OBSERVE_PORT']: port };
    const variables = { ...this.variables(), ...own, ...this.more };
    return { process: startApp(this.app, variables, { folder: this.folder }), url: `http://127.0.0.1:${port}` };
  }

  private take(process: AppProcess, url: string): void {
    this.current = process;
    this.url = url;
    process.ready.then(
      () => (this.isReady ||= this.current === process),
      () => undefined,
    );
    void process.exited.then(async () => {
      if (this.current === process) await this.replace(process);
    });
  }

  private async replace(ended: AppProcess): Promise<void> {
    this.isReady = false;
    this.earlierOutput = ended.output().slice(-4_000);
    if (!this.wasKilled && !this.isStopped) this.crashes += 1;
    this.wasKilled = false;
    await delay(RESTART_DELAY_MS);
    if (this.isStopped || this.current !== ended) return;
    const { process, url } = await this.launch();
    this.take(process, url);
  }
}
