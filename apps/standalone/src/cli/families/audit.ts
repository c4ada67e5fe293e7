import type { AuditRangeDto } from '@clarion/contracts';
import { LIMITS } from '@clarion/contracts/core';
import { ACTIVITY_FILTERS, readActivityFilter } from '../activity-options';
import { command, UsageError } from '../command';
import type { Output } from '../output';
import { ENVIRONMENT, everyEnvironment, ORGANIZATION, wantedIds } from '../selection';
import { MOMENT, readMoment } from '../times';

/** Ids that are shown for a check that found something; `--ids` writes all. */
const SHOWN_IDS = 5;
/** More would not fit into one answer. */
const MOST_IDS = 1_000_000;

export const AUDIT = [
  command({
    name: 'audit',
    options: {
      since: { value: MOMENT },
      until: { value: MOMENT },
      ...ENVIRONMENT,
      ...ORGANIZATION,
      ids: {},
      rows: {},
      status: ACTIVITY_FILTERS.status,
    },
    about:
      'accepted = delivered + failed + skipped + in flight + in doubt, from the rows; of hours with more than ' +
      `${LIMITS.auditedRows} notifications only where the counted outcomes do not add up, or of all with --rows; ` +
      'with --ids also the steps, those with a --status only; 1 if it does not add up',
    async run({ open, output, options, isJson }) {
      if (options.since === undefined) throw new UsageError(`--since is missing: ${MOMENT}`);
      const after = readMoment('since', options.since);
      const before = options.until === undefined ? new Date() : readMoment('until', options.until);
      if (after >= before) throw new UsageError('--since must be earlier than --until');
      const { status } = readActivityFilter({ status: options.status });
      if (status && !options.ids) throw new UsageError('--status chooses the ids that --ids lists; give --ids too');
      const tools = await open();
      const environments = await everyEnvironment(tools);
      const ids = await wantedIds(tools, options);
      const { AuditRepository } = await import('@clarion/persistence');
      const { AuditService } = await import('@clarion/gateway/command-line');
      const progress = output.progress('audit, seconds of the range');
      const report = await new AuditService(new AuditRepository(tools.database)).range(
        ids,
        { after, before },
        {
          ids: options.ids ? MOST_IDS : SHOWN_IDS,
          rows: options.rows || options.ids,
          onProgress: (done, total) => progress.update(Math.floor(done / 1_000), Math.floor(total / 1_000)),
        },
      );
      progress.end();
      for (const channel of report.channels) {
        channel.steps = channel.steps.filter(({ outcome }) => status === undefined || status.includes(outcome));
      }
      const nameOf = new Map<string, string>(environments.map(({ id, name }) => [id, name]));
      if (isJson) output.json(withIds(report, options.ids));
      else show(output, report, nameOf, options.ids);
      return report.reconciles ? 0 : 1;
    },
  }),
];

/** Without `--ids` the figures have no ids; the checks always name the first rows. */
const withIds = (report: AuditRangeDto, isWanted: boolean): unknown =>
  isWanted ? report : { ...report, channels: report.channels.map(({ steps: _, ...channel }) => channel) };

function show(output: Output, report: AuditRangeDto, nameOf: Map<string, string>, hasIds: boolean): void {
  const { events, channels, checks } = report;
  output.line(`From ${report.after} to ${report.before}`);
  output.line(
    `Events: ${events.accepted} accepted, ${events.open} open, ${events.failed} failed, ${events.canceled} canceled; ` +
      `${report.notifications} notifications`,
  );
  output.line();
  output.table(
    channels.map(({ environmentId, channel, totals, difference, agreesWithOverview }) => ({
      environment: nameOf.get(environmentId) ?? environmentId,
      channel,
      ...totals,
      difference,
      overview: agreesWithOverview ? 'agrees' : 'DIFFERS',
    })),
    'No channel step was accepted.',
  );
  output.line();
  output.table(checks.map(({ name, count, ids }) => ({ check: name, found: count, ids: ids.join(' ') || null })));
  for (const { name, description } of checks.filter(({ count }) => count > 0)) output.line(`${name}: ${description}`);
  if (hasIds) {
    output.line();
    for (const { environmentId, channel, steps } of channels) {
      for (const { outcome, ids } of steps) {
        for (const id of ids) output.write(`${environmentId} ${channel} ${outcome} ${id}\n`);
      }
    }
  }
  output.line();
  output.line(`${report.reconciles ? 'It adds up.' : 'It does NOT add up.'} Compared by ${report.comparedBy}.`);
}
