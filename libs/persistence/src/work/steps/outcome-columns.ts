import { newId } from '@clarion/contracts/core';
import { storableJson } from '../../sql/storable-json';
import { agoMs, packDetails } from '../../history/packed-details';
import type { NewMessage, StepOutcome } from './step-rows';

/** Columns as the parameters of a statement: one array for each. */
const columns = <Row>(rows: Row[], ...reads: ((row: Row) => unknown)[]): unknown[][] =>
  reads.map((read) => rows.map(read));

/** Texts of templates and providers are not validated: a character that Postgres does not store would fail them all. */
const storableText = (text: string | undefined): string | undefined =>
  text?.includes('\0') ? text.replaceAll('\0', '\ufffd').toWellFormed() : text?.toWellFormed();

const rest = ({ output, digest, error, scheduleExtensionsCount }: StepOutcome): string | null =>
  output || digest || error || scheduleExtensionsCount !== undefined
    ? storableJson({ output, digest, error, scheduleExtensionsCount })
    : null;

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

/** What a message has beside the columns that most messages have; undefined when there is nothing else. */
function restOf(message: NewMessage): object | undefined {
  const { phone, recipients, directWebhookUrl, deviceTokens, actor, avatar, data, overrides, severity } = message;
  const { errorId, errorText, title } = message;
  const cta = message.cta && Object.keys(message.cta).length > 0 ? message.cta : undefined;
  const all = { phone, recipients, directWebhookUrl, deviceTokens, cta, actor, avatar, data, overrides, severity };
  for (const value of Object.values(all)) if (value !== undefined) return { ...all, errorId, errorText, title };
  return errorId !== undefined || errorText !== undefined || title !== undefined
    ? { errorId, errorText, title }
    : undefined;
}

/** $10 to $22 of the statement for steps with at most one message. */
export const messageColumns = (outcomes: StepOutcome[]): unknown[][] =>
  columns(
    outcomes.map(({ messages }) => messages?.[0]),
    (message) => message?.id ?? null,
    (message) => message?.channel ?? null,
    (message) => message?.status ?? null,
    (message) => message?.integrationId ?? null,
    (message) => message?.messageTemplateId ?? null,
    (message) => message?.providerId ?? null,
    (message) => storableText(message?.providerMessageId) ?? null,
    (message) => storableText(message?.subject) ?? null,
    (message) => (message ? storableJson(message.content) : null),
    (message) => storableText(message?.email) ?? null,
    (message) => message?.delivered === true,
    (message) => {
      const others = message && restOf(message);
      return others ? storableJson(others) : null;
    },
    (message) => agoMs(message?.at) ?? null,
  );

/** The same message as an element of a list in JSON. */
const toListElement = (message: NewMessage): object => ({
  m_id: message.id,
  m_channel: message.channel,
  m_status: message.status,
  m_integration_id: message.integrationId,
  m_message_template_id: message.messageTemplateId,
  m_provider_id: message.providerId,
  m_provider_message_id: message.providerMessageId,
  m_subject: message.subject,
  m_content: message.content,
  m_email: message.email,
  m_is_delivered: message.delivered,
  m_rest: restOf(message),
  m_ago_ms: agoMs(message.at),
});

/** $10 of the statements for steps with any number of messages. */
export const messageLists = (outcomes: StepOutcome[]): (string | null)[] =>
  outcomes.map(({ messages }) => (messages?.length ? storableJson(messages.map(toListElement)) : null));

/** The outcomes with their details and messages as JSON, and their ids, for the statement about steps that wait. */
export function waitParameters(outcomes: StepOutcome[]): [outcomes: string, ids: string[]] {
  const now = performance.now();
  return [
    storableJson(
      outcomes.map(({ id, fence, state, dueAt, dueInMs, attempt, details, messages, ...others }) => {
        const { providerId, integrationId, digest, error, scheduleExtensionsCount, awaits, releases } = others;
        const awaitsReadOf = awaits && awaits.stepId;
        return {
          id,
          fence,
          state,
          dueAt,
          dueInMs,
          attempt,
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
