import { newId } from '@clarion/contracts/core';
import { storableJson } from '../../sql/storable-json';
import { agoMs, packDetails } from '../../history/packed-details';
import { MESSAGE_VALUES } from './message-columns';
import { rareValuesOf } from './step-columns';
import type { NewMessage, StepOutcome } from './step-rows';

/** Columns as the parameters of a statement: one array for each. */
const columns = <Row>(rows: Row[], ...reads: ((row: Row) => unknown)[]): unknown[][] =>
  reads.map((read) => rows.map(read));

/** Texts of templates and providers are not validated: a character that Postgres does not store would fail them all. */
const storableText = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '\ufffd').toWellFormed() : text.toWellFormed();

function rest(outcome: StepOutcome): string | null {
  const values = rareValuesOf(outcome);
  return values ? storableJson(values) : null;
}

/** $1 to $8 of the statements for ended steps. */
export const endedStepColumns = (outcomes: StepOutcome[]): unknown[][] =>
  columns(
    outcomes,
    ({ id }) => id,
    ({ fence }) => fence,
    ({ state }) => state,
    ({ providerId }) => providerId ?? null,
    ({ integrationId }) => integrationId ?? null,
    ({ id, details }) => packDetails(id, details),
    rest,
    ({ then }) => then,
  );

/** From $10 on the values of the statement for steps with at most one message. */
export const messageColumns = (outcomes: StepOutcome[]): unknown[][] =>
  columns(
    outcomes.map(({ messages }) => messages?.[0]),
    ...MESSAGE_VALUES.map(({ type, of }) => (message: NewMessage | undefined): unknown => {
      const value = message && of(message);
      if (value === undefined) return null;
      return type === 'jsonb' ? storableJson(value) : type === 'text' ? storableText(value as string) : value;
    }),
  );

/** The same message as an element of a list in JSON. */
const toListElement = (message: NewMessage): object =>
  Object.fromEntries(MESSAGE_VALUES.map(({ name, of }) => [name, of(message)]));

/** $10 of the statements for steps with any number of messages. */
export const messageLists = (outcomes: StepOutcome[]): (string | null)[] =>
  outcomes.map(({ messages }) => (messages?.length ? storableJson(messages.map(toListElement)) : null));

/** The outcomes with their details and messages as JSON, and their ids, for the statement about steps that wait. */
export function waitParameters(outcomes: StepOutcome[]): [outcomes: string, ids: string[]] {
  const now = performance.now();
  return [
    storableJson(
      outcomes.map(({ id, fence, state, dueAt, dueInMs, attempt, waitsFor, details, messages, ...others }) => {
        const { providerId, integrationId, digest, error, scheduleExtensionsCount, awaits, releases } = others;
        const awaitsReadOf = awaits && awaits.stepId;
        return {
          id,
          fence,
          state,
          dueAt,
          dueInMs,
          attempt,
          waitsFor,
          releases,
          progress: { providerId, integrationId, digest, error, scheduleExtensionsCount, awaitsReadOf },
          details: details.map(({ at, ...detail }) => ({ id: newId(), ...detail, agoMs: agoMs(at, now) })),
          messages: messages?.map(toListElement),
        };
      }),
    ),
    outcomes.map(({ id }) => id),
  ];
}
