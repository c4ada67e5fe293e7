import { columnName } from '../../connection/column-names';
import { agoMs } from '../../history/packed-details';
import type { NewMessage } from './step-rows';

/** Characters of a provider's message id that are kept. A longer value does not fit into the index of the column. */
const PROVIDER_MESSAGE_ID_LENGTH = 500;

/** The columns that few messages have. A new column of `message` is an entry here. */
const RARE = {
  title: 'text',
  phone: 'text',
  recipients: 'text[]',
  directWebhookUrl: 'text',
  deviceTokens: 'text[]',
  cta: 'jsonb',
  actor: 'jsonb',
  avatar: 'text',
  errorId: 'text',
  errorText: 'text',
  data: 'jsonb',
  overrides: 'jsonb',
  severity: 'text',
} as const satisfies Partial<Record<keyof NewMessage, string>>;

type RareField = keyof typeof RARE;
const RARE_FIELDS = Object.keys(RARE) as RareField[];

/** Undefined when the message has none of them. */
function restOf(message: NewMessage): object | undefined {
  const isEmpty = (field: RareField) =>
    message[field] === undefined || (field === 'cta' && Object.keys(message.cta!).length === 0);
  const given = RARE_FIELDS.filter((field) => !isEmpty(field));
  return given.length > 0 ? Object.fromEntries(given.map((field) => [field, message[field]])) : undefined;
}

type MessageValue = {
  name: string;
  type: 'boolean' | 'int' | 'jsonb' | 'text' | 'uuid';
  of(message: NewMessage): unknown;
};

/** What the statements take of a message: the values that most messages have, and the others as JSON. */
export const MESSAGE_VALUES: readonly MessageValue[] = [
  { name: 'm_id', type: 'uuid', of: ({ id }) => id },
  { name: 'm_channel', type: 'text', of: ({ channel }) => channel },
  { name: 'm_status', type: 'text', of: ({ status }) => status },
  { name: 'm_integration_id', type: 'uuid', of: ({ integrationId }) => integrationId },
  { name: 'm_message_template_id', type: 'text', of: ({ messageTemplateId }) => messageTemplateId },
  { name: 'm_provider_id', type: 'text', of: ({ providerId }) => providerId },
  { name: 'm_provider_message_id', type: 'text', of: ({ providerMessageId }) => providerMessageId },
  { name: 'm_subject', type: 'text', of: ({ subject }) => subject },
  { name: 'm_content', type: 'jsonb', of: ({ content }) => content },
  { name: 'm_email', type: 'text', of: ({ email }) => email },
  { name: 'm_is_delivered', type: 'boolean', of: ({ delivered }) => delivered },
  { name: 'm_rest', type: 'jsonb', of: restOf },
  { name: 'm_ago_ms', type: 'int', of: ({ at }) => agoMs(at) },
];

const rareValue = (field: RareField): string => {
  switch (RARE[field]) {
    case 'text':
      return `m.m_rest ->> '${field}'`;
    case 'jsonb':
      return `m.m_rest -> '${field}'`;
    case 'text[]':
      return `CASE WHEN m.m_rest ? '${field}'
                   THEN ARRAY(SELECT jsonb_array_elements_text(m.m_rest -> '${field}')) END`;
  }
};

/** The columns of `message`, from the message `m`, its step `h` and its notification `n`. */
const ROW: Readonly<Record<string, string>> = {
  ...Object.fromEntries(RARE_FIELDS.map((field) => [columnName(field), rareValue(field)])),
  id: 'm.m_id',
  environment_id: 'h.environment_id',
  trigger_id: 'h.trigger_id',
  step_id: 'h.id',
  subscriber_id: 'h.subscriber_id',
  workflow_id: 'n.workflow_id',
  critical: 'n.critical',
  severity: `coalesce(m.m_rest ->> 'severity', n.severity)`,
  tags: 'n.tags',
  context_keys: 'n.context_keys',
  channel: 'm.m_channel',
  status: 'm.m_status',
  integration_id: 'm.m_integration_id',
  message_template_id: 'm.m_message_template_id',
  provider_id: 'm.m_provider_id',
  provider_message_id: `left(m.m_provider_message_id, ${PROVIDER_MESSAGE_ID_LENGTH})`,
  subject: 'm.m_subject',
  content: 'm.m_content',
  email: 'm.m_email',
  delivered_at: 'CASE WHEN m.m_is_delivered THEN ARRAY[now()] END',
  created_at: `now() - coalesce(m.m_ago_ms, 0) * interval '1 millisecond'`,
};

/** What a message keeps when it is sent again; the new one replaces the rest of its row. */
const KEPT = new Set(
  `id environment_id trigger_id step_id subscriber_id workflow_id critical severity tags context_keys channel
   message_template_id overrides created_at`.split(/\s+/),
);

/** Inserts the messages `m` of the steps `h`. LIMIT lets Postgres plan nothing but one lookup per notification. */
export const insertMessages = (from: string): string => `written AS (
  INSERT INTO message (${Object.keys(ROW).join(', ')})
  SELECT ${Object.values(ROW).join(', ')}
    FROM ${from}
   CROSS JOIN LATERAL (
     SELECT * FROM notification WHERE environment_id = h.environment_id AND id = h.notification_id LIMIT 1) n
  ON CONFLICT (id) DO UPDATE SET seen = false, updated_at = now(),
    ${Object.keys(ROW)
      .filter((column) => !KEPT.has(column))
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}
)`;
