import { EXECUTION_DETAILS, isJsonObject, type NotificationRuleDto, type RuleName } from '@clarion/contracts';
import type { ExecutionDetail } from '@clarion/persistence';

type DetailName = keyof typeof EXECUTION_DETAILS;

/** The execution details that record the result of a rule. A detail that stops the step is marked. */
const RULES: Partial<Record<DetailName, { rule: RuleName; stops?: true }>> = {
  previousStepFailed: { rule: 'previous_steps', stops: true },
  stepFilterFailed: { rule: 'conditions', stops: true },
  channelConditionsNotMet: { rule: 'conditions', stops: true },
  engineConditionsNotMet: { rule: 'conditions', stops: true },
  variantChosen: { rule: 'conditions' },
  runRuleFailed: { rule: 'runIf', stops: true },
  runRuleFalse: { rule: 'runIf', stops: true },
  filteredBySubscriberWorkflow: { rule: 'preferences', stops: true },
  filteredBySubscriberGlobal: { rule: 'preferences', stops: true },
  filteredByWorkflowUser: { rule: 'preferences', stops: true },
  filteredByWorkflow: { rule: 'preferences', stops: true },
  outsideSchedule: { rule: 'schedule', stops: true },
  scheduleExtended: { rule: 'schedule' },
  scheduleExtensionsExhausted: { rule: 'schedule' },
  throttleLimitExceeded: { rule: 'timing', stops: true },
  noActiveIntegration: { rule: 'integration', stops: true },
  providerSelected: { rule: 'integration' },
  contentFailed: { rule: 'content', stops: true },
  layoutNotFound: { rule: 'content', stops: true },
  emailMissing: { rule: 'address', stops: true },
  phoneMissing: { rule: 'address', stops: true },
  chatPhoneMissing: { rule: 'address', stops: true },
  chatWebhookMissing: { rule: 'address', stops: true },
  noChannel: { rule: 'address', stops: true },
  noChannelInContext: { rule: 'address', stops: true },
  pushTokensMissing: { rule: 'address', stops: true },
  recipientSuppressed: { rule: 'suppression', stops: true },
  someRecipientsSuppressed: { rule: 'suppression' },
  providerUnavailable: { rule: 'provider' },
  messageSent: { rule: 'provider' },
  providerErrorRetried: { rule: 'provider' },
  providerError: { rule: 'provider', stops: true },
};

/** Parts in braces stand for any text. */
const PATTERNS = Object.entries(RULES).map(([name, rule]) => {
  const { status, detail } = EXECUTION_DETAILS[name as DetailName];
  const words = detail.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { ...rule, status, pattern: new RegExp(`^${words.join('.*')}$`) };
});

/** The result of a rule that an execution detail records; undefined for all other details. */
export function recordedRule({ status, detail, raw, createdAt }: ExecutionDetail): NotificationRuleDto | undefined {
  const known = PATTERNS.find((each) => each.status === status && each.pattern.test(detail));
  if (!known) return undefined;
  return {
    rule: known.rule,
    passed: !known.stops,
    detail,
    values: valuesOf(raw),
    source: 'recorded',
    at: createdAt.toISOString(),
  };
}

function valuesOf(raw: string | null): NotificationRuleDto['values'] {
  if (raw === null) return {};
  try {
    const parsed: unknown = JSON.parse(raw);
    return isJsonObject(parsed) ? parsed : { value: raw };
  } catch {
    return { value: raw };
  }
}
