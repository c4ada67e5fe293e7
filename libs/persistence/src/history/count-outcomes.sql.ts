import { CHANNELS } from '@clarion/contracts/core';

/*
 * How channel steps are counted by outcome. Every statement that ends steps, or opens ended steps again, also inserts
 * what it changed into `outcome_delta`: one row for each environment, workflow, minute and channel. It is part of the
 * same statement, so a crash loses both or neither. It is never an update, so statements do not wait for each other.
 */

/** The workflow of steps that were opened before their rows named it. */
const UNKNOWN_WORKFLOW = `'00000000-0000-0000-0000-000000000000'::uuid`;

const IS_CHANNEL = `type IN (${CHANNELS.map((channel) => `'${channel}'`).join(', ')})`;

/** Of the column `outcome`. */
export const IS_FAILURE = `outcome IN ('failed', 'in_doubt')`;

const ENDED_OUTCOMES = ['delivered', 'failed', 'skipped', 'in_doubt'] as const;

const countIf = (condition: string): string => `count(*) FILTER (WHERE ${condition})`;
const countOf = (outcome: string): string => countIf(`outcome = '${outcome}'`);

type OtherCount = { name: 'replayed' | 'recovered'; condition: string };

const addOutcomes = (rows: string, sign: '' | '-', other?: OtherCount): string => `
  INSERT INTO outcome_delta (environment_id, workflow_id, at, channel,
                             ${[...ENDED_OUTCOMES, ...(other ? [other.name] : [])].join(', ')})
  SELECT environment_id, coalesce(workflow_id, ${UNKNOWN_WORKFLOW}), minute_of(id), type,
         ${ENDED_OUTCOMES.map((outcome) => sign + countOf(outcome)).join(', ')}
         ${other ? `, ${countIf(other.condition)}` : ''}
    FROM (${rows}) ended WHERE ${IS_CHANNEL} GROUP BY 1, 2, 3, 4`;

/** The key in `work.progress` of a step that failed before and is replayed. */
export const HAD_FAILED = 'hadFailed';

/** `rows` selects environment, workflow, id of the step or its notification, type of the step and outcome. */
export const countOutcomes = (rows: string): string => addOutcomes(rows, '');

/** The same for steps that may have been replayed: `rows` has the column `progress` of their open row too. */
export const countOutcomesAndRecovered = (rows: string): string =>
  addOutcomes(rows, '', {
    name: 'recovered',
    condition: `outcome = 'delivered' AND progress ? '${HAD_FAILED}'`,
  });

/** Takes back the counts of steps that are opened again. */
export const uncountOutcomes = (rows: string): string => addOutcomes(rows, '-');

/** The same for a replay. A failure is an event that has happened: it stays, as one that was replayed. */
export const uncountReplayed = (rows: string): string =>
  addOutcomes(rows, '-', { name: 'replayed', condition: IS_FAILURE });

/** Counts the channel steps of the notifications `rows`. `counted` of its plans are the steps by channel. */
export const COUNT_ACCEPTED = `
  INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted)
  SELECT n.environment_id, p."workflowId", n.at, c.key, sum(n.notifications * c.value::int)
    FROM (SELECT environment_id, plan, minute_of(id) AS at, count(*) AS notifications FROM rows GROUP BY 1, 2, 3) n
    JOIN plans p USING (plan) CROSS JOIN LATERAL jsonb_each_text(p.counted) c
   GROUP BY 1, 2, 3, 4`;
