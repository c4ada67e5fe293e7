import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { MIRROR_DIFFERENCES, MIRROR_SENDERS, type MirrorDifferenceKind } from '@clarion/contracts/core';
import type { MirrorDto } from '@clarion/contracts';
import type { mirrorsOf } from '@clarion/gateway/command-line';
import { command, CommandError, UsageError } from '../command';
import type { Output } from '../output';
import { ENVIRONMENT, oneOf, onlyEnvironment, ORGANIZATION, whole } from '../selection';
import { MOMENT, readFuture } from '../times';
import type { Tools } from '../tools';

const PAGE = 100;

export const MIRROR = [
  command({
    name: 'mirror start',
    options: {
      ...ENVIRONMENT,
      ...ORGANIZATION,
      to: { value: '<URL>' },
      'key-file': { value: '<file, or - for stdin>' },
      until: { value: MOMENT },
      delivers: { value: MIRROR_SENDERS.join('|') },
      'compare-percent': { value: '<n>' },
      'settle-seconds': { value: '<n>' },
    },
    about: 'copy each trigger to another system for a trial, and compare what both do',
    async run({ open, output, options, isJson }) {
      const { to, until, 'key-file': keyFile } = options;
      if (to === undefined) throw new UsageError('--to is missing: <URL>');
      if (keyFile === undefined) throw new UsageError('--key-file is missing: <file, or - for stdin>');
      if (until === undefined) throw new UsageError(`--until is missing: ${MOMENT}`);
      const input = {
        url: to,
        until: readFuture('until', until).toISOString(),
        delivers: oneOf('delivers', options.delivers, MIRROR_SENDERS) ?? 'other',
        comparePercent: whole('compare-percent', options['compare-percent'], 100) ?? 100,
        settleSeconds: whole('settle-seconds', options['settle-seconds'], 86_400) ?? 60,
      };
      const key = await readKey(keyFile);
      const tools = await open();
      const { id: environmentId, organizationId } = await onlyEnvironment(tools, options);
      const mirror = await withMirrors(tools, (mirrors) =>
        mirrors.start('cli', { environmentId, organizationId }, { ...input, key }),
      );
      show(output, mirror, isJson);
    },
  }),
  command({
    name: 'mirror status',
    options: { ...ENVIRONMENT, ...ORGANIZATION },
    about: 'what waits, whether the other system answers, and the figures; 1 if it fails or something differs',
    canWatch: true,
    async run({ open, output, options, isJson }) {
      const tools = await open();
      const { id } = await onlyEnvironment(tools, options);
      const mirror = await withMirrors(tools, (mirrors) => mirrors.status(id));
      show(output, mirror, isJson);
      const { refused = 0, failed = 0, different = 0 } = mirror.figures ?? {};
      return mirror.failing !== undefined || refused + failed + different > 0 ? 1 : 0;
    },
  }),
  command({
    name: 'mirror differences',
    options: { ...ENVIRONMENT, ...ORGANIZATION, kind: { value: MIRROR_DIFFERENCES.join('|') } },
    about: 'what the two systems did differently, newest first',
    async run({ open, output, options, isJson }) {
      const kind = oneOf<MirrorDifferenceKind>('kind', options.kind, MIRROR_DIFFERENCES);
      const tools = await open();
      const { id } = await onlyEnvironment(tools, options);
      const query = { limit: PAGE, orderBy: '_id', orderDirection: 'DESC', includeCursor: false } as const;
      const { data, next } = await withMirrors(tools, (mirrors) =>
        mirrors.differences(id, { ...query, ...(kind && { kind: [kind] }) }),
      );
      if (isJson) return output.json(data);
      output.table(
        data.map(({ createdAt, kind: found, transactionId, subscriberId, channel, here, other, reason }) => ({
          at: createdAt,
          kind: found,
          transactionId,
          subscriber: subscriberId,
          channel,
          here,
          other,
          reason,
        })),
        'There is no difference.',
      );
      if (next !== null) output.line(`Only the first ${PAGE} are shown; GET /v1/mirror/differences has all.`);
    },
  }),
  command({
    name: 'mirror stop',
    options: { ...ENVIRONMENT, ...ORGANIZATION, discard: {} },
    about: 'copy no more triggers; copies that wait are still sent, unless --discard is given',
    async run({ open, output, options, isJson }) {
      const tools = await open();
      const { id: environmentId, organizationId } = await onlyEnvironment(tools, options);
      const mirror = await withMirrors(tools, (mirrors) =>
        mirrors.stop('cli', { environmentId, organizationId }, options.discard),
      );
      show(output, mirror, isJson);
    },
  }),
];

function show(output: Output, { figures, failing, ...mirror }: MirrorDto, isJson: boolean): void {
  if (isJson) return output.json({ ...mirror, ...(failing && { failing }), ...(figures && { figures }) });
  output.table([{ ...mirror }]);
  if (failing) output.table([{ ...failing }]);
  if (figures) output.table([{ ...figures }]);
}

/** A key on the command line would be in the list of processes and in the history of the shell. */
async function readKey(file: string): Promise<string> {
  try {
    const key = (file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')).trim();
    if (key !== '') return key;
  } catch (error) {
    throw new CommandError(`--key-file cannot be read: ${(error as Error).message}`);
  }
  throw new CommandError('--key-file has no key in it');
}

async function withMirrors<T>(
  { config, database, secrets }: Tools,
  run: (mirrors: ReturnType<typeof mirrorsOf>) => Promise<T>,
): Promise<T> {
  const gateway = await import('@clarion/gateway/command-line');
  const { Egress } = await import('@clarion/platform');
  const egress = Egress.fromConfig(config, () => database.refuseWait('a call to the other system'));
  try {
    return await run(gateway.mirrorsOf(database, egress, secrets));
  } finally {
    await egress.close();
  }
}
