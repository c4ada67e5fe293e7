import { withoutTrailingSlashes, pick } from '@clarion/contracts/core';
import type { ImportKind, ImportReport, KindProgress } from '@clarion/gateway/command-line';
import type { Environment } from '@clarion/persistence';
import { command, CommandError, type ExitCode, UsageError } from '../command';
import { Interrupt } from '../interrupt';
import type { Output, Progress, Row } from '../output';
import { ENVIRONMENT, onlyEnvironment, ORGANIZATION } from '../selection';
import type { Tools } from '../tools';

/** The kinds as `--only` names them; the subscriptions belong to the topics. */
const KINDS = {
  integrations: ['integrations'],
  layouts: ['layouts'],
  workflows: ['workflows'],
  translations: ['translations'],
  subscribers: ['subscribers'],
  topics: ['topics', 'subscriptions'],
  preferences: ['preferences'],
} as const satisfies Record<string, readonly ImportKind[]>;

/** Calls a second: what the smallest plans of hosted services allow. */
const RATE = 20;
const FASTEST = 10_000;

/** Pages with the data of 100 subscribers are larger than what providers answer. */
const RESPONSE = { headersMs: 30_000, idleMs: 30_000, totalMs: 60_000, bodyBytes: 32 * 1024 * 1024 };

const GO_ON = 'Run the same command again to go on from here; --restart begins anew.';

export const IMPORT = [
  command({
    name: 'import',
    options: {
      from: { value: '<URL>' },
      key: { value: '<API key of the source>' },
      ...ENVIRONMENT,
      ...ORGANIZATION,
      only: { value: '<kind,...>' },
      rate: { value: '<calls a second>' },
      'dry-run': {},
      restart: {},
    },
    about:
      'copy subscribers, topics, workflows, layouts, translations, integrations and preferences of another system ' +
      'through its HTTP interface; again and again without changes. The key may be in CLARION_IMPORT_KEY',
    async run({ open, output, options, isJson }) {
      const source = readSource(options.from);
      const kinds = readKinds(options.only);
      const rate = readRate(options.rate);
      const tools = await open();
      const key = options.key ?? tools.config.CLARION_IMPORT_KEY;
      if (!key) throw new UsageError('--key is missing: the API key of the source; CLARION_IMPORT_KEY may have it too');
      const environment = await onlyEnvironment(tools, options);
      const isDryRun = options['dry-run'];
      const wanted = { environment, source, kinds, isDryRun, isRestart: options.restart };
      const report = await runImport(tools, output, { key, rate, ...wanted });
      if (isJson) output.json({ environment: environment.name, source, dryRun: isDryRun, ...report });
      else show(output, report, environment, isDryRun);
      return report.isComplete ? 0 : (1 satisfies ExitCode);
    },
  }),
];

type Wanted = {
  environment: Environment;
  source: string;
  kinds: ImportKind[];
  key: string;
  rate: number;
  isDryRun: boolean;
  isRestart: boolean;
};

async function runImport(tools: Tools, output: Output, { key, rate, ...wanted }: Wanted): Promise<ImportReport> {
  const gateway = await import('@clarion/gateway/command-line');
  const { waitAfter } = await import('@clarion/delivery');
  const { Egress } = await import('@clarion/platform');
  const egress = new Egress({ allow: tools.config.CLARION_EGRESS_ALLOW, limits: RESPONSE });
  const fault = egress.faultOf(wanted.source, 'https');
  if (fault !== undefined) {
    await egress.close();
    throw new CommandError(`The source cannot be called: ${fault}. CLARION_EGRESS_ALLOW lists private addresses.`);
  }
  const interrupt = new Interrupt();
  const bar = new Bar(output);
  const client = new gateway.SourceClient({
    url: wanted.source,
    key,
    rate,
    request: (request) => egress.request(request),
    waitAfter,
    signal: interrupt.signal,
    onWait: (reason, wait) => output.note(`${reason}; goes on in ${Math.ceil(wait / 1_000)} s`),
  });
  const { importer, close } = gateway.importOf(tools.database, tools.secrets, client, {
    ...wanted,
    onProgress: (kind, progress) => bar.show(kind, progress),
  });
  try {
    if (await importer.begin()) output.note('Goes on with an import that did not end; --restart begins anew.');
    return await importer.finish();
  } catch (error) {
    bar.end();
    if (error instanceof gateway.EnvironmentGoneError) throw new CommandError(error.message);
    if (!wanted.isDryRun) output.note(GO_ON);
    const isKnown = error instanceof gateway.SourceError || error instanceof gateway.InterruptedError;
    if (!isKnown && !(error instanceof gateway.ConcurrentImportError)) throw error;
    throw new CommandError(error.message);
  } finally {
    bar.end();
    interrupt.close();
    await close();
    await egress.close();
  }
}

class Bar {
  private current: { kind: ImportKind; progress: Progress } | undefined;

  constructor(private readonly output: Output) {}

  show(kind: ImportKind, { walked, total }: KindProgress): void {
    if (this.current?.kind !== kind) {
      this.end();
      this.current = { kind, progress: this.output.progress(kind) };
    }
    this.current.progress.update(walked, total ?? undefined);
  }

  end(): void {
    this.current?.progress.end();
    this.current = undefined;
  }
}

function show(output: Output, report: ImportReport, environment: Environment, isDryRun: boolean): void {
  output.table(report.lines.map(rowOf));
  for (const { kind, unavailable } of report.lines) {
    if (unavailable !== undefined) output.line(`\n${kind} cannot be read: ${unavailable}`);
  }
  if (report.problems.length > 0) {
    output.line('\nNot imported, or not in full:');
    for (const { kind, id, reason } of report.problems) output.line(`  ${kind} ${id}: ${reason}`);
    if (report.moreProblems > 0) output.line(`  and ${report.moreProblems} more`);
  }
  if (report.credentials.length > 0) {
    output.line('\nFill in these credentials, then switch the integration on:');
    for (const { integration, providerId, fields } of report.credentials) {
      output.line(`  ${integration} (${providerId}): ${fields.join(', ')}`);
    }
  }
  const what = isDryRun
    ? `A dry run: nothing was changed in ${environment.name}.`
    : `Imported into ${environment.name}.`;
  output.line(`\n${what} ${report.isComplete ? 'The counts match.' : 'Not everything could be imported.'}`);
}

const rowOf = (line: ImportReport['lines'][number]): Row => ({
  kind: line.kind,
  'in the source': line.read,
  ...pick(line, 'created', 'updated', 'unchanged', 'skipped'),
  'here now': line.inTarget,
  complete: line.isComplete ? 'yes' : 'NO',
});

function readSource(text: string | undefined): string {
  if (text === undefined) throw new UsageError('--from is missing: the URL of the other system');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && [url.username, url.password, url.search, url.hash].join('') === '';
  if (!url || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--from must be an http(s) URL such as https://api.example.com, without query or login');
  }
  return withoutTrailingSlashes(url.href);
}

function readKinds(text: string | undefined): ImportKind[] {
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const wanted = text === undefined ? names : text.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`--only knows no "${unknown}"; there are: ${names.join(', ')}`);
  return names.filter((name) => wanted.includes(name)).flatMap((name): readonly ImportKind[] => KINDS[name]);
}

function readRate(text: string | undefined): number {
  const rate = text === undefined ? RATE : Number(text);
  if (rate > 0 && rate <= FASTEST) return rate;
  throw new UsageError(`--rate must be a number of calls a second, at most ${FASTEST}`);
}
