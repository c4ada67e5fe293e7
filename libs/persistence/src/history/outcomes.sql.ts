import { CHANNELS, executionDetail, LIMITS, OUTCOMES } from '@clarion/contracts/core';
import { shownSteps } from './activity.sql';

/** The only place with the rules of outcomes: activity, filters and frozen sets use them. */

const quoted = (texts: readonly string[]): string => `ARRAY[${texts.map((text) => `'${text}'`).join(', ')}]`;

const { detail: HELD } = executionDetail('sendingInterruptedHeld');

/** The outcome of a channel step, as SQL; `error` is that of its row. */
export const outcomeOf = (state: string, error: string): string => `
  CASE ${state} WHEN 'completed' THEN 'delivered'
       WHEN 'failed' THEN CASE ${error} ->> 'message' WHEN '${HELD}' THEN 'in_doubt' ELSE 'failed' END
       WHEN 'skipped' THEN 'skipped' WHEN 'canceled' THEN 'skipped' WHEN 'merged' THEN 'skipped'
       ELSE 'in_flight' END`;

/** The words of the provider, or the last execution detail. Without a call there are no words. */
export const reasonOf = (step: string): string =>
  `coalesce(nullif(${step}.error ->> 'message', ''), ${step}.details -> -1 ->> 'd')`;

/** The same for a step that has ended without sending; NULL for others. */
export const endReasonOf = (step: string): string =>
  `CASE WHEN ${step}.state IN ('failed', 'canceled', 'skipped') THEN ${reasonOf(step)} END`;

/** The kind of the error of an ended step, if its provider was called; details contain it as text inside of text. */
export const codeOf = (step: string): string => `substring(${step}.details::text from '\\\\"kind\\\\":\\\\"([a-z-]+)')`;

/** The outcome of a step, its reason and the kind of its error. */
export const causeOf = (step: string): string => `
  ${outcomeOf(`${step}.state`, `${step}.error`)} AS outcome,
  CASE WHEN ${step}.state <> 'completed' THEN ${reasonOf(step)} END AS reason,
  CASE WHEN ${step}.state = 'failed' THEN ${codeOf(step)} END AS code`;

/** The error group of a step with its cause: steps of one group have the same of each. */
export const errorGroupOf = (step: string, channel = 'type'): string =>
  `md5(jsonb_build_array(${step}.${channel}, nullif(${step}.provider_id, 'platform'), ${step}.outcome, ${step}.reason,
                         ${step}.code)::text)`;

/** The channel steps of `span`, each with its cause. */
export const channelSteps = (environment?: string): string => `
  SELECT shown.id, shown.step_key, shown.type, shown.state, shown.provider_id, shown.updated_at, ${causeOf('shown')}
    FROM (${shownSteps(environment)}) shown
   WHERE shown.type = ANY (${quoted(CHANNELS)})`;

/** The outcome of a notification: an aggregate over the outcomes of its channel steps. */
export const combinedOutcome = (outcome: string): string =>
  `(${quoted(OUTCOMES)})[coalesce(min(array_position(${quoted(OUTCOMES)}, ${outcome})), ${OUTCOMES.length})]`;

/** Which bar the time is in: `range` is a row with `since` and `until`. What is outside counts in the nearest bar. */
export const barOf = (time: string, range: string): string =>
  `greatest(0, least(${LIMITS.errorGroupBars - 1}, floor(${LIMITS.errorGroupBars} *
     extract(epoch FROM ${time} - ${range}.since) /
     greatest(extract(epoch FROM ${range}.until - ${range}.since), 1))))`;

const BARS = Array.from({ length: LIMITS.errorGroupBars }, (_, place) => place);

/** An aggregate over the bars of rows: how many are in each. */
export const countBars = (bar: string): string =>
  `ARRAY[${BARS.map((place) => `count(*) FILTER (WHERE ${bar} = ${place})`).join(', ')}]::int[]`;
