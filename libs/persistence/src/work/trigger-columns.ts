import { isId, mapInSlices, NORMAL_LANE, TimeSlices } from '@clarion/contracts/core';
import { arrayElement } from '../sql/array-text';
import type { NewTrigger, SharedTrigger } from './trigger-rows';
import type { TriggerExtra } from './trigger.sql';
import { columnArrays } from '../sql/column-arrays';

type Row = Omit<NewTrigger, 'attachments' | 'copy' | 'sensitive'>;

const PREFIX = 'txn_';

/** The gateway made the transactionId: it contains the id of the trigger, so it needs no row in `transaction`. */
export const isOwnTransaction = ({ id, transactionId }: Pick<Row, 'id' | 'transactionId'>): boolean =>
  transactionId === PREFIX + id;

/** The trigger that a transactionId names which a caller chose: it may be one that the gateway made before. */
function namedTrigger(row: Row): string | null {
  const named = row.transactionId.slice(PREFIX.length);
  return !isOwnTransaction(row) && row.transactionId.startsWith(PREFIX) && isId(named) ? named : null;
}

function restOf(row: Row): string | null {
  const { overrides, controls, actor, tenant, context, ttl, isTest } = row;
  const lane = row.lane === NORMAL_LANE ? undefined : row.lane;
  const rest = { overrides, controls, actor, tenant, context, ttl, lane, isTest };
  return Object.values(rest).every((value) => value === undefined) ? null : JSON.stringify(rest);
}

/** $1 to $9 of the statements that store triggers. A call may have megabytes of JSON, so it is written in slices. */
export async function triggerColumns(triggers: Row[]): Promise<unknown[]> {
  const slices = new TimeSlices();
  const textsOf = async (textOf: (row: Row) => string | null): Promise<string> =>
    `{${(await mapInSlices(triggers, (row) => arrayElement(textOf(row)), slices)).join(',')}}`;
  return [
    ...columnArrays(triggers, 'id', 'transactionId'),
    triggers.map(namedTrigger),
    ...columnArrays(triggers, 'fingerprint', 'workflowId', 'workflowVersion'),
    await textsOf(({ recipients }) => JSON.stringify(recipients)),
    await textsOf(({ payload }) => JSON.stringify(payload)),
    await textsOf(restOf),
  ];
}

const sensitiveColumns = (triggers: NewTrigger[]): [ids: string[], paths: string[]] => {
  const marked = triggers.filter(({ sensitive }) => sensitive);
  return [marked.map(({ id }) => id), marked.map(({ sensitive }) => JSON.stringify(sensitive))];
};

/** $10 to $13 of the statements for triggers of several calls. */
export const originColumns = (triggers: SharedTrigger[]): unknown[][] => [
  triggers.map(({ environmentId }) => environmentId),
  triggers.map(({ requestId }) => requestId ?? null),
  triggers.map(({ traceparent }) => traceparent ?? null),
  triggers.map(({ tracestate }) => tracestate ?? null),
];

/** The files without their contents, and all contents one after the other. */
function filesOf(triggers: NewTrigger[]): [files: string, contents: Buffer] {
  const contents: Buffer[] = [];
  let start = 1;
  const files = triggers.flatMap(({ id: triggerId, attachments = [] }) =>
    attachments.map(({ content, ...file }, position) => {
      const place = { start, size: content.length };
      contents.push(content);
      start += content.length;
      return { ...file, triggerId, position, ...place };
    }),
  );
  return [JSON.stringify(files), contents.length === 1 ? contents[0]! : Buffer.concat(contents)];
}

const copiesOf = (triggers: NewTrigger[]): string =>
  JSON.stringify(triggers.flatMap(({ id, copy }) => (copy ? [{ id, ...copy, bytes: copy.body.length }] : [])));

/** What only some of the triggers have, with the parameters that store it, in the order of `EXTRAS`. */
export function extrasOf(triggers: NewTrigger[]): { name: TriggerExtra; values: unknown[] }[] {
  return [
    ...(triggers.some(({ attachments }) => attachments) ? [{ name: 'files' as const, values: filesOf(triggers) }] : []),
    ...(triggers.some(({ sensitive }) => sensitive)
      ? [{ name: 'sensitive' as const, values: sensitiveColumns(triggers) }]
      : []),
    ...(triggers.some(({ copy }) => copy) ? [{ name: 'copies' as const, values: [copiesOf(triggers)] }] : []),
  ];
}
