import type { ActivityRowDto, ActivityStepDto } from '@clarion/contracts';
import { csvOf } from '../edge/http/csv';

export const ACTIVITY_CSV = csvOf<ActivityRowDto>({
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
});

/** Such as `email failed (sendgrid): Mailbox is full`. */
function describeStep({ type, outcome, providerId, reason }: ActivityStepDto): string {
  return `${type} ${outcome}${providerId ? ` (${providerId})` : ''}${reason ? `: ${reason}` : ''}`;
}
