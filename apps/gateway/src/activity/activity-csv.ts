import type { ActivityRowDto, ActivityStepDto } from '@clarion/contracts';
import { csvCell } from '../audit-log/csv';

const COLUMNS: Record<string, (row: ActivityRowDto) => string | null | undefined> = {
  id: ({ _id }) => _id,
  createdAt: ({ createdAt }) => createdAt,
  outcome: ({ outcome }) => outcome,
  workflowId: ({ workflow }) => workflow?.workflowId,
  workflowName: ({ workflow }) => workflow?.name,
  subscriberId: ({ subscriber }) => subscriber?.subscriberId,
  subscriberName: ({ subscriber }) => subscriber?.name,
  email: ({ subscriber }) => subscriber?.email,
  transactionId: ({ transactionId }) => transactionId,
  severity: ({ severity }) => severity,
  topicKeys: ({ topicKeys }) => topicKeys.join(' '),
  steps: ({ steps }) => steps.map(describeStep).join('; '),
};

export const CSV_HEAD = `${Object.keys(COLUMNS).join(',')}\r\n`;

export const toCsvLine = (row: ActivityRowDto): string =>
  `${Object.values(COLUMNS)
    .map((read) => csvCell(read(row) ?? ''))
    .join(',')}\r\n`;

/** Such as `email failed (sendgrid): Mailbox is full`. */
function describeStep({ type, outcome, providerId, reason }: ActivityStepDto): string {
  return `${type} ${outcome}${providerId ? ` (${providerId})` : ''}${reason ? `: ${reason}` : ''}`;
}
