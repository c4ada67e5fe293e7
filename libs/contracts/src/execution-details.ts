import type { DetailSource, DetailStatus } from './vocabulary';

/** One text that the activity can show, and when it is written. A part in braces is replaced by a value. */
export type ExecutionDetailRecord = {
  status: DetailStatus;
  detail: string;
  /** Only where every detail with this text has the same source other than `Internal`. */
  source?: DetailSource;
  /** One sentence for the reference page. */
  when: string;
};

type Catalogue = Record<string, ExecutionDetailRecord>;

/** Records of one status, each with its text and when it is written. */
const withStatus =
  <Status extends DetailStatus>(status: Status) =>
  <Detail extends string>(detail: Detail, when: string, source?: DetailSource) => ({
    status,
    detail,
    when,
    ...(source && { source }),
  });
const pending = withStatus('Pending');
const success = withStatus('Success');
const warning = withStatus('Warning');
const failed = withStatus('Failed');
const readConfirmation = withStatus('ReadConfirmation');

const STEP_DETAILS = {
  stepQueued: pending(
    'Step queued',
    'The step was reached and is ready to run; digest and delay steps record their waiting time instead. The ' +
      'status is `Queued` until a worker takes the step.',
  ),
  stepHeld: pending(
    'Step held: {target} "{name}" was paused by "{heldBy}" at {since}: {reason}',
    'A hold keeps the steps of an integration, a channel, a workflow or the environment waiting. The step runs ' +
      'after the hold is resumed.',
  ),
  stepHeldWithoutIntegration: pending(
    'Step held: the channel {name} has no active integration',
    'The environment holds steps of a channel without an active integration (`withoutIntegration: "hold"`). ' +
      'Activate an integration of the channel: the steps are then sent.',
  ),
  waitsForRateLimit: pending(
    'Step waits: integration "{integration}" sends at most {figure} messages a second; it goes on in its turn',
    'More messages wait than the `rateLimit` of the integration lets through. Recorded once, when the wait begins; ' +
      'the step goes on as soon as it is its turn. Raise the limit if the provider allows it.',
  ),
  waitedForRateLimit: pending(
    'Step waited {seconds} s: integration "{integration}" sends at most {figure} messages a second',
    'The `rateLimit` of the integration let the message wait for a second or longer inside the worker.',
  ),
  waitsForRenderTime: pending(
    'Step waits: the environment has used up its {figure} ms of render time a second; next try at {until}',
    'An operator limits the render time of the environment (`clarion limits`), and its templates have used it up ' +
      'in the worker or engine. Recorded once, when the wait begins; the step comes back until there is time.',
  ),
  stepCompleted: success('Step completed', 'A custom step ran, or a throttle step let the notification through.'),
  subscriberGone: failed(
    'Subscriber no longer exists',
    'The subscriber was deleted after the trigger and before the step ran.',
  ),
  stepNotInWorkflow: failed(
    'Step is not part of its workflow',
    'The version of the workflow that the notification runs does not contain the step.',
  ),
  stepOrphaned: failed(
    'Step ended because its {gone} no longer exists',
    'The event, the notification or the workflow version of an open step was deleted, so that it cannot run.',
  ),
  stepQuarantined: failed(
    'Step was quarantined after repeated crashes',
    'Several processes in a row crashed while they ran this step.',
  ),
  stepTriedAgain: warning(
    'Step could not be run and is tried again: {reason}',
    'A digest, delay, throttle or custom step failed inside the service. It is tried again after a wait.',
  ),
  stepGivenUp: failed(
    'Step could not be run in {attempts} attempts: {reason}',
    'A digest, delay, throttle or custom step failed inside the service again and again, for about half an hour. ' +
      'The log of the engine has the error.',
  ),
  previousStepFailed: failed(
    'Step was canceled because a previous step failed',
    'An earlier step of the notification failed, and the workflow does not go on after that failure.',
  ),
  stepCanceledByRequest: warning(
    'Step was canceled by request',
    'A caller canceled the transaction before the step ran.',
  ),
  channelNotStored: warning(
    'Channel credentials of the recipient could not be stored',
    'The trigger named channel credentials for the recipient that do not fit an active integration.',
    'Payload',
  ),
  overridesUnknown: warning(
    'Some overrides are not known and were not used',
    'The overrides of the trigger have keys that no step, channel or provider of the workflow reads.',
    'Payload',
  ),
} as const satisfies Catalogue;

const CONDITION_DETAILS = {
  stepFilterFailed: failed('Processing step filter failed', 'A condition of the step could not be evaluated.'),
  channelConditionsNotMet: failed(
    'Step was skipped based on steps conditions',
    'The conditions of a channel step did not match.',
  ),
  engineConditionsNotMet: success(
    'Step was skipped based on steps conditions',
    'The conditions of a digest, delay, throttle or custom step did not match.',
  ),
  runRuleFailed: failed('Bridge execution failed', 'The `skip` or `runIf` rule of the step could not be evaluated.'),
  runRuleFalse: success('Step skipped: its {rule} rule is false', 'The `skip` or `runIf` rule of the step is false.'),
  filteredBySubscriberWorkflow: success(
    'Step filtered by subscriber workflow preferences',
    'The subscriber switched the channel off for this workflow.',
  ),
  filteredBySubscriberGlobal: success(
    'Step filtered by subscriber global preferences',
    'The subscriber switched the channel off for all workflows.',
  ),
  filteredByWorkflowUser: success(
    'Step filtered by user preferences',
    'The `user` preferences of the workflow switch the channel off.',
  ),
  filteredByWorkflow: success(
    'Step filtered by workflow preferences',
    'The default preferences of the workflow switch the channel off.',
  ),
  outsideSchedule: success(
    "The step was skipped as it fell outside the subscriber's schedule",
    'The step was reached at a time at which the subscriber does not want to be notified.',
  ),
  severityOverridden: pending(
    'Severity for the message was overridden',
    'The trigger gave the notification another severity than the workflow has.',
  ),
  tenantSelected: pending(
    'Tenant context selected',
    'The trigger names a tenant, and its data is available to conditions and templates.',
  ),
  tenantNotFound: failed(
    'Tenant identifier not found',
    'The trigger names a tenant that was deleted before the step ran; the step runs without tenant data.',
  ),
  variantChosen: pending(
    'Variant was chosen by the provided condition criteria',
    'The conditions of a variant matched, and the step uses the content of that variant.',
  ),
} as const satisfies Catalogue;

const TIMING_DETAILS = {
  stepDelayed: pending('Step delayed', 'A delay step was reached and waits.'),
  delayFinished: success('Delay is finished', 'The time of a delay step has come.'),
  awaitedMessageRead: success(
    'Delay is finished: the message of the step "{step}" was read',
    'A delay step of the type `until_read` ends because the message was read, maybe before the delay began.',
  ),
  awaitedMessageMissing: success(
    'Delay is finished: the step "{step}" has no message that can be read',
    'A delay step of the type `until_read` does not wait, because the earlier step sent no message or it failed.',
  ),
  stepDigested: pending(
    'Step digested',
    'A digest step opened a digest window and collects events until the window ends.',
  ),
  digestMerged: success(
    'Digest was merged with other digest',
    'A digest step joined the open digest window of an earlier notification, which goes on for both.',
  ),
  digestTakenOver: pending(
    'Step digested: it took over the digest whose first event has ended',
    'The step that opened the digest window was canceled or failed before the window ended. The oldest step that ' +
      'had joined collects the events instead.',
  ),
  digestSkipped: success(
    'Digest was skipped, first backoff event',
    'A digest step found no earlier event in its look-back time; the notification goes on at once.',
  ),
  digestTriggered: success(
    'Digest triggered events',
    'The digest window ended, and the notification goes on with the collected events.',
  ),
  digestCut: warning(
    'Digest leaves out the payloads of {left} of {count} events',
    'The digest has more than 1,000 events, or their payloads are longer than 512 KB together. Templates see the ' +
      'first ones; `eventCount` is the number of all.',
  ),
  digestKeyMissing: failed(
    'Digest key is missing in the payload',
    'The digest step names a digest key that the payload does not contain.',
  ),
  throttleLimitExceeded: success(
    'Throttle limit exceeded for the given window',
    'The throttle window is full: the throttle step and the steps behind it are skipped.',
  ),
  throttleKeyMissing: failed(
    'Throttle key is missing in the payload',
    'The throttle step names a throttle key that the payload does not contain.',
  ),
  throttleWindowInPast: failed(
    'Throttle window date is in the past',
    'The payload names a date in the past as the end of the throttle window.',
  ),
  deferLimitExceeded: failed(
    'Defer duration limit exceeded',
    'The time of a digest, delay or throttle step is longer than the limit.',
  ),
  timingInvalid: failed(
    'Invalid delay configuration',
    'The time of a digest, delay or throttle step cannot be read from its controls or from the payload.',
  ),
  scheduleExtended: pending(
    'Step was extended to the next available time in the subscriber schedule',
    "A digest or delay step with `extendToSchedule` ended outside the subscriber's schedule and waits on.",
  ),
  scheduleExtensionsExhausted: success(
    'Step was executed due to maximum number of subscriber schedule extensions reached',
    'A digest or delay step was extended three times; the notification goes on outside the schedule.',
  ),
} as const satisfies Catalogue;

const CONTENT_DETAILS = {
  contentFailed: failed(
    'Message content could not be generated',
    'A template of the step could not be rendered, or the rendered content is not valid.',
    'Payload',
  ),
  layoutSelected: pending('Layout selected', 'The email is rendered inside a layout.'),
  // The interface has the trailing blank.
  layoutNotFound: failed(
    'Layout not found ',
    'The step or the overrides of the trigger name a layout that does not exist.',
  ),
} as const satisfies Catalogue;

const RECIPIENT_DETAILS = {
  messageExpired: warning(
    'Message was not sent: its time to live of {ttl} seconds has ended',
    'The trigger has a `ttl`, and the message would have been sent later than that: after a delay, a hold, a retry ' +
      'or a backlog. Send a new trigger if the message still matters.',
  ),
  retryAfterExpiry: failed(
    'Message is not sent again: its time to live of {ttl} seconds ends before the next attempt',
    'The provider failed, and the next attempt would come later than the `ttl` of the trigger. Send a new trigger ' +
      'if the message still matters.',
  ),
  noActiveIntegration: failed(
    'Subscriber does not have an active integration',
    'No active integration of the channel may send the message. Activate one, or correct its conditions or the ' +
      'identifier in the overrides, then replay the failed steps. In an environment of the kind `production` the ' +
      'demo providers do not count.',
  ),
  providerSelected: pending('{provider} provider was selected', 'The worker is about to call this provider.'),
  providerUnavailable: warning(
    '{provider} is not available at the moment',
    'The circuit breaker of the integration is open or the provider asked for a pause; no call was made.',
  ),
  emailMissing: failed(
    'Subscriber missing email address',
    'Neither the subscriber nor the overrides have an email address.',
  ),
  phoneMissing: failed(
    'Subscriber missing phone number',
    'An SMS step found a phone number neither in the subscriber nor in the overrides.',
  ),
  chatPhoneMissing: failed(
    'Subscriber is missing a phone number',
    'A chat provider that sends to phone numbers has no number of the subscriber.',
  ),
  chatWebhookMissing: failed(
    'Webhook URL for the chat channel is missing',
    'A chat channel of the subscriber has no webhook URL.',
  ),
  noChannel: warning(
    'Subscriber does not have a configured channel',
    'The subscriber has no credentials for any active chat or push integration.',
  ),
  noChannelInContext: warning(
    'Subscriber does not have a configured channel with the given context',
    'The same for a chat step of a trigger that names contexts.',
  ),
  demoChannelIgnored: warning(
    'Chat channel of the demo provider was not used, because another integration sends',
    'The subscriber has a channel of the demo provider, which only sends while no other integration is active.',
  ),
  pushTokensMissing: failed(
    'Subscriber credentials is missing the tokens for sending a push notification message',
    'The subscriber has push credentials without a device token.',
  ),
  someChatsSkipped: warning(
    'Some chat channels skipped to send the message',
    'None of the chat channels of the subscriber can be used; the details before it name the reasons.',
  ),
  somePushesSkipped: warning(
    'Some push channels skipped to send the message',
    'None of the push channels of the subscriber can be used; the details before it name the reasons.',
  ),
  recipientSuppressed: failed(
    'Recipient is suppressed',
    'Every address of the message is in the suppression list; nothing is sent.',
  ),
  someRecipientsSuppressed: warning(
    'Recipient is suppressed',
    'Some addresses of an email are in the suppression list; the email goes to the other ones.',
  ),
} as const satisfies Catalogue;

const SENDING_DETAILS = {
  messageCreated: pending('Message created', 'The content is complete and the message is about to be sent.'),
  messageSent: success('Message sent', 'The provider accepted the message, or the in-app message was stored.'),
  sandboxStored: success(
    'Sandbox: the message was put into the outbox, no provider was called',
    'The environment is of the kind `sandbox`. The outbox shows the message as it would have been sent.',
  ),
  sandboxRedirected: warning(
    'Sandbox: the message was redirected to {address}',
    'The environment is of the kind `sandbox` with a `sandboxRedirect`: the provider got the message for that ' +
      'address only. `raw` has the addresses that it was for.',
  ),
  acceptedWithWarning: warning(
    'The provider accepted the message with a warning',
    'The provider ignored an override or a part of the message, or will not deliver all of it; `raw` says what.',
  ),
  providerErrorRetried: warning(
    'Unexpected provider error',
    'The provider did not accept the message; the worker retries later or uses the next integration.',
  ),
  providerError: failed(
    'Unexpected provider error',
    'The provider did not accept the message, and the worker does not retry.',
  ),
  allChatsFailed: failed(
    'All chat channels failed to send the message',
    'None of the messages of a chat step was sent.',
  ),
  allPushesFailed: failed(
    'There was one or more errors when trying to execute the notification',
    'None of the messages of a push step was sent.',
  ),
  sendingInterruptedResent: warning(
    'Sending was interrupted, the message is sent again',
    'A worker stopped during the call of the provider, and the integration resends messages that are in doubt.',
  ),
  sendingInterruptedHeld: warning(
    'Sending was interrupted, the message is held',
    'A worker stopped during the call of the provider, and the integration holds messages that are in doubt.',
  ),
  deviceTokenRemoved: success(
    'Invalid push device token was removed from subscriber',
    'The provider reported that the device no longer exists.',
  ),
  deviceTokenKept: warning(
    'Invalid push device token was kept',
    'The provider reported so many devices as gone that the fault may be in the integration.',
  ),
} as const satisfies Catalogue;

const INBOX_DETAILS = {
  messageRead: readConfirmation(
    'Message read',
    'The subscriber read the in-app message, or the provider or the open tracking of the environment reported that ' +
      'the message was opened.',
  ),
  messageSnoozed: pending('Message snoozed', 'The subscriber snoozed the in-app message.'),
  messageUnsnoozed: success('Message unsnoozed', 'The snooze of the in-app message ended or the subscriber ended it.'),
} as const satisfies Catalogue;

const WEBHOOK_DETAILS = {
  messageSentByProvider: success(
    'Message sent by the provider',
    'The provider reported that it sent the message on.',
    'Webhook',
  ),
  messageDelivered: success(
    'Message delivered',
    'The provider reported that the message reached the recipient.',
    'Webhook',
  ),
  messageDeferred: warning(
    'Message deferred',
    'The provider reported that it could not deliver the message yet and tries again.',
    'Webhook',
  ),
  messageBounced: failed(
    'Message bounced',
    'The provider reported that the system of the recipient returned the message.',
    'Webhook',
  ),
  messageRejected: failed(
    'Message rejected',
    'The provider reported that it or the system of the recipient refused the message.',
    'Webhook',
  ),
  messageFailed: failed('Message failed', 'The provider reported that the message could not be delivered.', 'Webhook'),
  messageClicked: success(
    'Message clicked',
    'The provider or the click tracking of the environment reported that a link of the message was followed.',
    'Webhook',
  ),
  messageComplaint: warning(
    'Message complaint',
    'The provider reported that the recipient marked the message as spam.',
    'Webhook',
  ),
  messageUnsubscribed: warning(
    'Message unsubscribed',
    'The provider reported that the recipient unsubscribed.',
    'Webhook',
  ),
} as const satisfies Catalogue;

/**
 * Every execution detail that the activity can show, one record per text and status. The texts are part of the
 * interface: clients compare them. `npm run execution-details` writes docs/execution-details.md from this table.
 */
export const EXECUTION_DETAILS = {
  ...STEP_DETAILS,
  ...CONDITION_DETAILS,
  ...TIMING_DETAILS,
  ...CONTENT_DETAILS,
  ...RECIPIENT_DETAILS,
  ...SENDING_DETAILS,
  ...INBOX_DETAILS,
  ...WEBHOOK_DETAILS,
} as const;

/** The records as the reference page shows them, by title of the section. */
export const EXECUTION_DETAIL_SECTIONS: Readonly<Record<string, Catalogue>> = {
  'Course of a step': STEP_DETAILS,
  'Conditions, preferences and schedule': CONDITION_DETAILS,
  'Digest, delay and throttle': TIMING_DETAILS,
  Content: CONTENT_DETAILS,
  'Integrations and addresses': RECIPIENT_DETAILS,
  Sending: SENDING_DETAILS,
  'Inbox of the subscriber': INBOX_DETAILS,
  'Webhooks of the providers': WEBHOOK_DETAILS,
};

type Details = typeof EXECUTION_DETAILS;
export type ExecutionDetailName = keyof Details;

/** The names in braces of a text. */
type SlotOf<Text extends string> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Slot | SlotOf<Rest> : never;
type Values<Name extends ExecutionDetailName> =
  SlotOf<Details[Name]['detail']> extends never ? [] : [values: Record<SlotOf<Details[Name]['detail']>, string>];

export type DetailText<Name extends ExecutionDetailName = ExecutionDetailName> = {
  status: Details[Name]['status'];
  detail: string;
  source?: DetailSource;
};

/** The execution detail as it is stored; `values` fill the parts of the text that stand in braces. */
export function executionDetail<Name extends ExecutionDetailName>(
  name: Name,
  ...[values]: Values<Name>
): DetailText<Name> {
  const { status, detail, source }: ExecutionDetailRecord = EXECUTION_DETAILS[name];
  const slots: Record<string, string> = values ?? {};
  return {
    status: status as Details[Name]['status'],
    detail: values ? detail.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '') : detail,
    ...(source && { source }),
  };
}
