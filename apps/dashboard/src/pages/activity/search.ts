import { CHANNELS } from '../../api/channels';
import { OUTCOME_NAMES } from '../../ui/status';
import { oneOf, oneText, reader, someOf, texts } from '../../search';

export const SEVERITIES = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `bulk` is the bulk action that a dialog follows; the filters have the names that the API gives them. */
export const readActivitySearch = reader({
  status: someOf(...OUTCOME_NAMES),
  channel: someOf(...CHANNELS),
  workflowId: texts,
  providerId: texts,
  reason: oneText,
  errorGroup: oneText,
  subscriber: oneText,
  topicKey: oneText,
  transactionId: texts,
  severity: someOf(...SEVERITIES),
  payload: oneText,
  after: oneText,
  before: oneText,
  group: oneOf('reason'),
  bulk: oneText,
});
type ActivitySearch = ReturnType<typeof readActivitySearch>;
export type ActivityFilters = Omit<ActivitySearch, 'group' | 'bulk'>;
