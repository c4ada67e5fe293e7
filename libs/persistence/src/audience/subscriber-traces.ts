import { type EnvironmentId, idAtTime, type SubscriberRowId, type TriggerId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import type { SuppressibleAddress } from './suppression.repository';
import { beforeKept, entriesBetween } from '../history/log-entries.sql';

/** Triggers that name a subscriber: as the only recipient, as one of several, and as the actor. */
export type NamingTriggers = { alone: TriggerId[]; shared: TriggerId[]; acted: TriggerId[] };

/** What names a subscriber, up to a trigger and an entry of the event log, by its number; later ones are unread. */
export type Traces = NamingTriggers & { entries: number[]; afterTrigger: string; afterEntry: number };

const NO_TRACES: Traces = {
  alone: [],
  shared: [],
  acted: [],
  entries: [],
  afterTrigger: idAtTime(0),
  afterEntry: 0,
};

/** Rows that one statement reads. */
const PAGE = 20_000;
/** A trigger with an older id may be committed this much later, and the clocks of gateways differ. */
const LATE_MS = 60_000;

/** Whether a trigger names the subscriberId $2 as a recipient, and whether as the only one. */
const NAMED = `t.recipients @> jsonb_build_array(jsonb_build_object('subscriberId', $2::text))`;
const NAMED_ALONE = `(${NAMED} AND jsonb_array_length(t.recipients) = 1)`;
const IS_ACTOR = `(t.actor ->> 'subscriberId' = $2::text OR t.actor = to_jsonb($2::text))`;

/** The next triggers after the id $3 that name the subscriberId $2, and the last id that was read. */
const FIND_TRIGGERS = `
WITH looked AS MATERIALIZED (
  SELECT id, recipients, actor FROM trigger WHERE environment_id = $1 AND id > $3 ORDER BY id LIMIT ${PAGE}
)
SELECT ARRAY(SELECT id FROM looked t WHERE ${NAMED_ALONE}) AS alone,
       ARRAY(SELECT id FROM looked t WHERE ${NAMED} AND NOT ${NAMED_ALONE}) AS shared,
       ARRAY(SELECT id FROM looked t WHERE ${IS_ACTOR}) AS acted,
       (SELECT count(*)::int FROM looked) AS read, (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last`;

/** The next entries of the event log after the number $3 that name the subscriberId $2. */
const FIND_ENTRIES = `
WITH looked AS MATERIALIZED (
  SELECT x.sequence, x.data
    FROM (SELECT ${beforeKept('$1', '$3::bigint')} AS number OFFSET 0) before
   CROSS JOIN LATERAL (${entriesBetween('$1', 'before.number', `before.number + ${PAGE}`)}) x
)
SELECT ARRAY(SELECT sequence::float8 FROM looked WHERE data ->> 'subscriberId' = $2 ORDER BY sequence) AS numbers,
       (SELECT count(*)::int FROM looked) AS read, (SELECT max(sequence)::float8 FROM looked) AS last`;

/** Of the next subscribers after the id $2, except $3: those whose email or phone may be one of these. */
const FIND_HOLDERS = `
WITH looked AS MATERIALIZED (
  SELECT id, email, phone FROM subscriber WHERE environment_id = $1 AND id > $2 ORDER BY id LIMIT ${PAGE}
)
SELECT coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('email', email, 'phone', phone)) FROM looked
                  WHERE id <> $3
                    AND (EXISTS (SELECT 1 FROM unnest($4::text[]) AS a (text) WHERE strpos(lower(email), a.text) > 0)
                         OR regexp_replace(phone, '\\D', '', 'g') LIKE ANY ($5::text[]))), '[]') AS holders,
       (SELECT count(*)::int FROM looked) AS read, (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last`;

type Holder = { email: string | null; phone: string | null };

/** Reads all rows of the environment in bounded statements: mostly outside, the rest within a transaction. */
export class SubscriberTraces {
  constructor(private readonly database: Database) {}

  /** Continues after what was read before. */
  async find(environmentId: EnvironmentId, subscriberId: string, before: Traces = NO_TRACES): Promise<Traces> {
    const triggers = await this.triggers(environmentId, subscriberId, before);
    return { ...triggers, ...(await this.entries(environmentId, subscriberId, before)) };
  }

  private async triggers(environmentId: EnvironmentId, subscriberId: string, before: Traces) {
    const found = { alone: new Set(before.alone), shared: new Set(before.shared), acted: new Set(before.acted) };
    let after = before.afterTrigger;
    for (let read = PAGE; read === PAGE;) {
      const [row] = await this.database.query<NamingTriggers & { read: number; last: string | null }>(FIND_TRIGGERS, [
        environmentId,
        subscriberId,
        after,
      ]);
      for (const kind of ['alone', 'shared', 'acted'] as const) for (const id of row![kind]) found[kind].add(id);
      read = row!.read;
      after = row!.last ?? after;
    }
    const afterTrigger = [before.afterTrigger, idAtTime(Date.now() - LATE_MS)].sort().at(-1)!;
    return { alone: [...found.alone], shared: [...found.shared], acted: [...found.acted], afterTrigger };
  }

  private async entries(environmentId: EnvironmentId, subscriberId: string, before: Traces) {
    const entries = [...before.entries];
    let { afterEntry } = before;
    for (let read = PAGE; read === PAGE;) {
      const [row] = await this.database.query<{ numbers: number[]; read: number; last: number | null }>(FIND_ENTRIES, [
        environmentId,
        subscriberId,
        afterEntry,
      ]);
      entries.push(...row!.numbers);
      read = row!.read;
      afterEntry = row!.last ?? afterEntry;
    }
    return { entries, afterEntry };
  }

  /** The emails and phones of other subscribers that may be among these addresses, in any spelling. */
  async holdersOf(environmentId: EnvironmentId, id: SubscriberRowId, addresses: SuppressibleAddress[]) {
    const holders: Holder[] = [];
    if (addresses.length === 0) return holders;
    const emails = addresses.filter(({ channel }) => channel === 'email').map(({ address }) => address);
    const phones = addresses.filter(({ channel }) => channel !== 'email');
    const endings = phones.map(({ address }) => `%${address.replace(/\D/g, '')}`);
    let after = idAtTime(0);
    for (let read = PAGE; read === PAGE;) {
      const [row] = await this.database.query<{ holders: Holder[]; read: number; last: string | null }>(FIND_HOLDERS, [
        environmentId,
        after,
        id,
        emails,
        endings,
      ]);
      holders.push(...row!.holders);
      read = row!.read;
      after = row!.last ?? after;
    }
    return holders;
  }
}
