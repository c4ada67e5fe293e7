import { OUTCOME_NAMES, type Outcome } from '../../ui/status';
import { oneOf, oneText, someOf, texts } from '../../search';

export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];
export const SEVERITIES = ['high', 'medium', 'low', 'none'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The filters of the activity, with the names that the API gives them. */
export type ActivityFilters = {
  status?: Outcome[];
  channel?: Channel[];
  workflowId?: string[];
  providerId?: string[];
  reason?: string;
  subscriber?: string;
  topicKey?: string;
  transactionId?: string[];
  severity?: Severity[];
  payload?: string;
  after?: string;
  before?: string;
};

/** `bulk` is the bulk action that a dialog follows. */
export type ActivitySearch = ActivityFilters & { group?: 'reason'; bulk?: string };

export const readActivitySearch = (search: Record<string, unknown>): ActivitySearch => ({
  status: someOf(search, 'status', OUTCOME_NAMES),
  channel: someOf(search, 'channel', CHANNELS),
  workflowId: texts(search, 'workflowId'),
  providerId: texts(search, 'providerId'),
  reason: oneText(search, 'reason'),
  subscriber: oneText(search, 'subscriber'),
  topicKey: oneText(search, 'topicKey'),
  transactionId: texts(search, 'transactionId'),
  severity: someOf(search, 'severity', SEVERITIES),
  payload: oneText(search, 'payload'),
  after: oneText(search, 'after'),
  before: oneText(search, 'before'),
  group: oneOf(search, 'group', ['reason']),
  bulk: oneText(search, 'bulk'),
});
