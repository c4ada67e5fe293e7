import {
  type Channel,
  type EnvironmentId,
  LIMITS,
  type NotificationId,
  type Outcome,
  type Severity,
} from '@clarion/contracts/core';
import { isMember, largestIdUntil, type PagedList, selectPageIds, smallestIdSince } from '../sql/pages';
import { searchable } from '../schema/row-level-security';
import { contains } from '../sql/substrings';
import { spanOf } from './activity.sql';
import { notificationList } from './notification.repository';
import { channelSteps, combinedOutcome, errorGroupOf } from './outcomes.sql';

/** A value inside the payload of the trigger, by the names that lead to it, or at any place. */
export type PayloadValue = { path?: string[]; value: string };

export type ActivityFilter = {
  /** Alone: of the notification. With channels, providers, a reason or an error group: of the same step. */
  outcomes?: Outcome[];
  channels?: Channel[];
  /** Names of workflows, or ids. */
  workflowIds?: string[];
  providerIds?: string[];
  /** Part of the reason of a step. */
  reason?: string;
  /** All of a step that its group of errors has in common. */
  errorGroup?: string;
  /** A whole subscriberId, email address or phone number. */
  subscriber?: string;
  topicKey?: string;
  transactionIds?: string[];
  severity?: Severity[];
  after?: Date;
  before?: Date;
  payload?: PayloadValue;
};

/** Newest first: at most `limit` notifications that are older than the cursor. */
export type ActivityPage = { limit: number; cursor?: NotificationId };

/**
 * The notifications of one page, as SQL. The first parameter is the environment; `environment` is SQL of it.
 *
 * Filters by status, provider, reason, error group and payload have no index. They are checked for at most
 * `LIMITS.searchedHistory` candidates: the newest notifications that the other filters leave or, if only failures are
 * wanted, those of the newest failed steps. A page that is not full then ends at the last candidate, and the next page
 * goes on from there. So every statement is bounded, and a walk over all pages is complete.
 */
export type ActivitySearch = {
  /** The ids, newest first; one more than the page has shows that another page follows. */
  ids: string;
  /** `searched`, `is_full` and `edge`: the number of candidates, whether there may be more, and the oldest of them. */
  edge?: string;
  parameters: unknown[];
};

export function searchActivity(
  environmentId: EnvironmentId,
  filter: ActivityFilter,
  { limit, cursor }: ActivityPage,
  environment = '$1',
): ActivitySearch {
  const subscribers = filter.subscriber === undefined ? undefined : { exact: filter.subscriber };
  const list = notificationList(environmentId, { ...filter, subscribers }, environment);
  const { parameters } = list;
  const older = cursor === undefined ? undefined : `$${parameters.push(cursor)}::uuid`;
  if (older) list.where.push(`t.id < ${older}`);
  const conditions = [
    ...stepConditions(filter, parameters, environment),
    ...payloadConditions(filter, parameters, environment),
  ];
  if (conditions.length === 0) return { ids: selectPageIds(list, { offset: 0, limit }), parameters };
  const { candidates, ids } = isAboutFailures(filter) ? failedCandidates(list, filter, older) : listedCandidates(list);
  return {
    ids: `SELECT c.id FROM (${ids}) c WHERE ${conditions.join(' AND ')} ORDER BY c.id DESC LIMIT ${limit + 1}`,
    edge: `SELECT count(*)::int AS searched, count(*) >= ${LIMITS.searchedHistory} AS is_full,
                  min(id::text)::uuid AS edge
             FROM (${candidates}) c`,
    parameters,
  };
}

/** `candidates` counts towards the bound; `ids` are the notifications among them that the indexed filters leave. */
type Candidates = { candidates: string; ids: string };

function listedCandidates(list: PagedList): Candidates {
  const candidates = selectPageIds(list, { offset: 0, limit: LIMITS.searchedHistory - 1 });
  return { candidates, ids: candidates };
}

/** The notifications of the newest failed steps, which have an index. The steps of a notification follow its id. */
function failedCandidates(list: PagedList, filter: ActivityFilter, older: string | undefined): Candidates {
  const { where, sets, sought = [], parameters, environment = '$1' } = list;
  const bounds = [
    ...(older ? [`s.id < ${older}`] : []),
    ...(filter.after ? [`s.id >= $${parameters.push(smallestIdSince(filter.after.getTime()))}`] : []),
    ...(filter.before ? [`s.id <= $${parameters.push(largestIdUntil(filter.before.getTime()))}`] : []),
  ].map((bound) => ` AND ${bound}`);
  const steps = `SELECT s.id FROM step s
                  WHERE s.environment_id = ${environment} AND s.state = 'failed'${bounds.join('')}
                  ORDER BY s.id DESC LIMIT ${LIMITS.searchedHistory}`;
  const candidates = `SELECT notification_of(s.id) AS id FROM (${steps}) s`;
  const conditions = [...where, ...sought, ...sets.map(isMember)];
  const table = sought.length > 0 ? searchable('notification') : 'notification';
  const matching = `CROSS JOIN LATERAL (
    SELECT 1 FROM ${table} t
     WHERE t.environment_id = ${environment} AND t.id = c.id AND ${conditions.join(' AND ')} LIMIT 1) t`;
  return {
    candidates,
    ids: `SELECT c.id FROM (SELECT DISTINCT c.id FROM (${candidates}) c ORDER BY c.id DESC) c
          ${conditions.length > 0 ? matching : ''} ORDER BY c.id DESC`,
  };
}

const isFailure = (outcome: Outcome): boolean => outcome === 'failed' || outcome === 'in_doubt';

/** Transactions and subscribers are more selective than failures. */
const isAboutFailures = ({ outcomes, transactionIds, subscriber }: ActivityFilter): boolean =>
  outcomes !== undefined && outcomes.every(isFailure) && transactionIds === undefined && subscriber === undefined;

/** The conditions on a step `s`; undefined if the filter does not look at single steps. */
export function stepFilter(filter: ActivityFilter, parameters: unknown[]): string[] | undefined {
  const { outcomes, channels, providerIds, reason, errorGroup } = filter;
  if (!providerIds && reason === undefined && !errorGroup && !(outcomes && channels)) return undefined;
  return [
    ...(outcomes ? [`s.outcome = ANY ($${parameters.push(outcomes)}::text[])`] : []),
    ...(channels ? [`s.type = ANY ($${parameters.push(channels)}::text[])`] : []),
    ...(providerIds ? [`s.provider_id = ANY ($${parameters.push(providerIds)}::text[])`] : []),
    ...(reason === undefined ? [] : [contains('s.reason', reason, parameters, 'ILIKE')]),
    ...(errorGroup ? [`${errorGroupOf('s')} = $${parameters.push(errorGroup)}`] : []),
  ];
}

function stepConditions(filter: ActivityFilter, parameters: unknown[], environment: string): string[] {
  const steps = `${spanOf('c.id')} CROSS JOIN LATERAL (${channelSteps(environment)}) s`;
  const conditions = stepFilter(filter, parameters);
  if (conditions) return [`EXISTS (SELECT 1 FROM ${steps} WHERE ${conditions.join(' AND ')})`];
  if (!filter.outcomes) return [];
  return [
    `(SELECT ${combinedOutcome('s.outcome')} FROM ${steps}) = ANY ($${parameters.push(filter.outcomes)}::text[])`,
  ];
}

/** The value is compared as text and, if it is a scalar in JSON, as that: `42` finds 42, 42.0 and "42". */
function payloadConditions({ payload }: ActivityFilter, parameters: unknown[], environment: string): string[] {
  if (!payload) return [];
  const matches = payload.path
    ? matchesAt(payload.path, payload.value, parameters)
    : [matchesAnywhere(payload.value, parameters)];
  return [
    // LIMIT lets Postgres plan nothing but one lookup of each: it would compare the triggers of all weeks.
    `EXISTS (SELECT 1 FROM (SELECT trigger_id FROM notification
                             WHERE environment_id = ${environment} AND id = c.id LIMIT 1) n
              CROSS JOIN LATERAL (SELECT payload FROM trigger
                                   WHERE environment_id = ${environment} AND id = n.trigger_id LIMIT 1) p
              WHERE ${matches.join(' OR ')})`,
  ];
}

function matchesAt(names: string[], value: string, parameters: unknown[]): string[] {
  const path = `$${parameters.push(names)}::text[]`;
  const scalar = scalarOf(value);
  return [
    `p.payload #>> ${path} = $${parameters.push(value)}`,
    ...(scalar === undefined ? [] : [`p.payload #> ${path} = $${parameters.push(JSON.stringify(scalar))}::jsonb`]),
  ];
}

function matchesAnywhere(value: string, parameters: unknown[]): string {
  const values = `$${parameters.push(JSON.stringify({ text: value, scalar: scalarOf(value) ?? value }))}::jsonb`;
  return `jsonb_path_exists(p.payload, 'strict $.** ? (@ == $text || @ == $scalar)', ${values}, true)`;
}

function scalarOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // JSON has no infinity: it would be written as null.
    const isInfinite = typeof value === 'number' && !Number.isFinite(value);
    return isInfinite || (typeof value === 'object' && value !== null) ? undefined : value;
  } catch {
    return undefined;
  }
}
