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

const STEP_DETAILS = {
  stepQueued: {
    status: 'Pending',
    detail: 'Step queued',
    when:
      'The step was reached and is ready to run; digest and delay steps record their waiting time instead. The ' +
      'status is `Queued` until a worker takes the step.',
  },
  stepHeld: {
    status: 'Pending',
    detail: 'Step held: {target} "{name}" was paused by "{heldBy}" at {since}: {reason}',
    when:
      'A hold keeps the steps of an integration, a channel, a workflow or the environment waiting. The step runs ' +
      'after the hold is resumed.',
  },
  stepHeldWithoutIntegration: {
    status: 'Pending',
    detail: 'Step held: the channel {name} has no active integration',
    when:
      'The environment holds steps of a channel without an active integration (`withoutIntegration: "hold"`). ' +
      'Activate an integration of the channel: the steps are then sent.',
  },
  waitsForRateLimit: {
    status: 'Pending',
    detail: 'Step waits: integration "{integration}" sends at most {figure} messages a second; next try at {until}',
    when:
      'More messages wait than the `rateLimit` of the integration lets through. Recorded once, when the wait begins; ' +
      'the step comes back until it is its turn. Raise the limit if the provider allows it.',
  },
  waitedForRateLimit: {
    status: 'Pending',
    detail: 'Step waited {seconds} s: integration "{integration}" sends at most {figure} messages a second',
    when: 'The `rateLimit` of the integration let the message wait for a second or longer inside the worker.',
  },
  waitsForRenderTime: {
    status: 'Pending',
    detail: 'Step waits: the environment has used up its {figure} ms of render time a second; next try at {until}',
    when:
      'An operator limits the render time of the environment (`clarion limits`), and its templates have used it up ' +
      'in the worker or engine. Recorded once, when the wait begins; the step comes back until there is time.',
  },
  stepCompleted: {
    status: 'Success',
    detail: 'Step completed',
    when: 'A custom step ran, or a throttle step let the notification through.',
  },
  subscriberGone: {
    status: 'Failed',
    detail: 'Subscriber no longer exists',
    when: 'The subscriber was deleted after the trigger and before the step ran.',
  },
  stepNotInWorkflow: {
    status: 'Failed',
    detail: 'Step is not part of its workflow',
    when: 'The version of the workflow that the notification runs does not contain the step.',
  },
  stepOrphaned: {
    status: 'Failed',
    detail: 'Step ended because its {gone} no longer exists',
    when: 'The event, the notification or the workflow version of an open step was deleted, so that it cannot run.',
  },
  stepQuarantined: {
    status: 'Failed',
    detail: 'Step was quarantined after repeated crashes',
    when: 'Several processes in a row crashed while they ran this step.',
  },
  stepTriedAgain: {
    status: 'Warning',
    detail: 'Step could not be run and is tried again: {reason}',
    when: 'A digest, delay, throttle or custom step failed inside the service. It is tried again after a wait.',
  },
  stepGivenUp: {
    status: 'Failed',
    detail: 'Step could not be run in {attempts} attempts: {reason}',
    when:
      'A digest, delay, throttle or custom step failed inside the service again and again, for about half an hour. ' +
      'The log of the engine has the error.',
  },
  previousStepFailed: {
    status: 'Failed',
    detail: 'Step was canceled because a previous step failed',
    when: 'An earlier step of the notification failed, and the workflow does not go on after that failure.',
  },
  stepCanceledByRequest: {
    status: 'Warning',
    detail: 'Step was canceled by request',
    when: 'A caller canceled the transaction before the step ran.',
  },
  channelNotStored: {
    status: 'Warning',
    detail: 'Channel credentials of the recipient could not be stored',
    source: 'Payload',
    when: 'The trigger named channel credentials for the recipient that do not fit an active integration.',
  },
  overridesUnknown: {
    status: 'Warning',
    detail: 'Some overrides are not known and were not used',
    source: 'Payload',
    when: 'The overrides of the trigger have keys that no step, channel or provider of the workflow reads.',
  },
} as const satisfies Catalogue;

const CONDITION_DETAILS = {
  stepFilterFailed: {
    status: 'Failed',
    detail: 'Processing step filter failed',
    when: 'A condition of the step could not be evaluated.',
  },
  channelConditionsNotMet: {
    status: 'Failed',
    detail: 'Step was skipped based on steps conditions',
    when: 'The conditions of a channel step did not match.',
  },
  engineConditionsNotMet: {
    status: 'Success',
    detail: 'Step was skipped based on steps conditions',
    when: 'The conditions of a digest, delay, throttle or custom step did not match.',
  },
  runRuleFailed: {
    status: 'Failed',
    detail: 'Bridge execution failed',
    when: 'The `skip` or `runIf` rule of the step could not be evaluated.',
  },
  runRuleFalse: {
    status: 'Success',
    detail: 'Step skipped: its {rule} rule is false',
    when: 'The `skip` or `runIf` rule of the step is false.',
  },
  filteredBySubscriberWorkflow: {
    status: 'Success',
    detail: 'Step filtered by subscriber workflow preferences',
    when: 'The subscriber switched the channel off for this workflow.',
  },
  filteredBySubscriberGlobal: {
    status: 'Success',
    detail: 'Step filtered by subscriber global preferences',
    when: 'The subscriber switched the channel off for all workflows.',
  },
  filteredByWorkflowUser: {
    status: 'Success',
    detail: 'Step filtered by user preferences',
    when: 'The `user` preferences of the workflow switch the channel off.',
  },
  filteredByWorkflow: {
    status: 'Success',
    detail: 'Step filtered by workflow preferences',
    when: 'The default preferences of the workflow switch the channel off.',
  },
  outsideSchedule: {
    status: 'Success',
    detail: "The step was skipped as it fell outside the subscriber's schedule",
    when: 'The step was reached at a time at which the subscriber does not want to be notified.',
  },
  severityOverridden: {
    status: 'Pending',
    detail: 'Severity for the message was overridden',
    when: 'The trigger gave the notification another severity than the workflow has.',
  },
  tenantSelected: {
    status: 'Pending',
    detail: 'Tenant context selected',
    when: 'The trigger names a tenant, and its data is available to conditions and templates.',
  },
  tenantNotFound: {
    status: 'Failed',
    detail: 'Tenant identifier not found',
    when: 'The trigger names a tenant that was deleted before the step ran; the step runs without tenant data.',
  },
  variantChosen: {
    status: 'Pending',
    detail: 'Variant was chosen by the provided condition criteria',
    when: 'The conditions of a variant matched, and the step uses the content of that variant.',
  },
} as const satisfies Catalogue;

const TIMING_DETAILS = {
  stepDelayed: {
    status: 'Pending',
    detail: 'Step delayed',
    when: 'A delay step was reached and waits.',
  },
  delayFinished: {
    status: 'Success',
    detail: 'Delay is finished',
    when: 'The time of a delay step has come.',
  },
  awaitedMessageRead: {
    status: 'Success',
    detail: 'Delay is finished: the message of the step "{step}" was read',
    when: 'A delay step of the type `until_read` ends because the message was read, maybe before the delay began.',
  },
  awaitedMessageMissing: {
    status: 'Success',
    detail: 'Delay is finished: the step "{step}" has no message that can be read',
    when: 'A delay step of the type `until_read` does not wait, because the earlier step sent no message or it failed.',
  },
  stepDigested: {
    status: 'Pending',
    detail: 'Step digested',
    when: 'A digest step opened a digest window and collects events until the window ends.',
  },
  digestMerged: {
    status: 'Success',
    detail: 'Digest was merged with other digest',
    when: 'A digest step joined the open digest window of an earlier notification, which goes on for both.',
  },
  digestTakenOver: {
    status: 'Pending',
    detail: 'Step digested: it took over the digest whose first event has ended',
    when:
      'The step that opened the digest window was canceled or failed before the window ended. The oldest step that ' +
      'had joined collects the events instead.',
  },
  digestSkipped: {
    status: 'Success',
    detail: 'Digest was skipped, first backoff event',
    when: 'A digest step found no earlier event in its look-back time; the notification goes on at once.',
  },
  digestTriggered: {
    status: 'Success',
    detail: 'Digest triggered events',
    when: 'The digest window ended, and the notification goes on with the collected events.',
  },
  digestCut: {
    status: 'Warning',
    detail: 'Digest leaves out the payloads of {left} of {count} events',
    when:
      'The digest has more than 1,000 events, or their payloads are longer than 512 KB together. Templates see the ' +
      'first ones; `eventCount` is the number of all.',
  },
  digestKeyMissing: {
    status: 'Failed',
    detail: 'Digest key is missing in the payload',
    when: 'The digest step names a digest key that the payload does not contain.',
  },
  throttleLimitExceeded: {
    status: 'Success',
    detail: 'Throttle limit exceeded for the given window',
    when: 'The throttle window is full: the throttle step and the steps behind it are skipped.',
  },
  throttleKeyMissing: {
    status: 'Failed',
    detail: 'Throttle key is missing in the payload',
    when: 'The throttle step names a throttle key that the payload does not contain.',
  },
  throttleWindowInPast: {
    status: 'Failed',
    detail: 'Throttle window date is in the past',
    when: 'The payload names a date in the past as the end of the throttle window.',
  },
  deferLimitExceeded: {
    status: 'Failed',
    detail: 'Defer duration limit exceeded',
    when: 'The time of a digest, delay or throttle step is longer than the limit.',
  },
  timingInvalid: {
    status: 'Failed',
    detail: 'Invalid delay configuration',
    when: 'The time of a digest, delay or throttle step cannot be read from its controls or from the payload.',
  },
  scheduleExtended: {
    status: 'Pending',
    detail: 'Step was extended to the next available time in the subscriber schedule',
    when: "A digest or delay step with `extendToSchedule` ended outside the subscriber's schedule and waits on.",
  },
  scheduleExtensionsExhausted: {
    status: 'Success',
    detail: 'Step was executed due to maximum number of subscriber schedule extensions reached',
    when: 'A digest or delay step was extended three times; the notification goes on outside the schedule.',
  },
} as const satisfies Catalogue;

const CONTENT_DETAILS = {
  contentFailed: {
    status: 'Failed',
    detail: 'Message content could not be generated',
    source: 'Payload',
    when: 'A template of the step could not be rendered, or the rendered content is not valid.',
  },
  layoutSelected: {
    status: 'Pending',
    detail: 'Layout selected',
    when: 'The email is rendered inside a layout.',
  },
  layoutNotFound: {
    status: 'Failed',
    // The interface has the trailing blank.
    detail: 'Layout not found ',
    when: 'The step or the overrides of the trigger name a layout that does not exist.',
  },
} as const satisfies Catalogue;

const RECIPIENT_DETAILS = {
  messageExpired: {
    status: 'Warning',
    detail: 'Message was not sent: its time to live of {ttl} seconds has ended',
    when:
      'The trigger has a `ttl`, and the message would have been sent later than that: after a delay, a hold, a retry ' +
      'or a backlog. Send a new trigger if the message still matters.',
  },
  retryAfterExpiry: {
    status: 'Failed',
    detail: 'Message is not sent again: its time to live of {ttl} seconds ends before the next attempt',
    when:
      'The provider failed, and the next attempt would come later than the `ttl` of the trigger. Send a new trigger ' +
      'if the message still matters.',
  },
  noActiveIntegration: {
    status: 'Failed',
    detail: 'Subscriber does not have an active integration',
    when:
      'No active integration of the channel may send the message. Activate one, or correct its conditions or the ' +
      'identifier in the overrides, then replay the failed steps. In an environment of the kind `production` the ' +
      'demo providers do not count.',
  },
  providerSelected: {
    status: 'Pending',
    detail: '{provider} provider was selected',
    when: 'The worker is about to call this provider.',
  },
  providerUnavailable: {
    status: 'Warning',
    detail: '{provider} is not available at the moment',
    when: 'The circuit breaker of the integration is open or the provider asked for a pause; no call was made.',
  },
  emailMissing: {
    status: 'Failed',
    detail: 'Subscriber missing email address',
    when: 'Neither the subscriber nor the overrides have an email address.',
  },
  phoneMissing: {
    status: 'Failed',
    detail: 'Subscriber missing phone number',
    when: 'An SMS step found a phone number neither in the subscriber nor in the overrides.',
  },
  chatPhoneMissing: {
    status: 'Failed',
    detail: 'Subscriber is missing a phone number',
    when: 'A chat provider that sends to phone numbers has no number of the subscriber.',
  },
  chatWebhookMissing: {
    status: 'Failed',
    detail: 'Webhook URL for the chat channel is missing',
    when: 'A chat channel of the subscriber has no webhook URL.',
  },
  noChannel: {
    status: 'Warning',
    detail: 'Subscriber does not have a configured channel',
    when: 'The subscriber has no credentials for any active chat or push integration.',
  },
  noChannelInContext: {
    status: 'Warning',
    detail: 'Subscriber does not have a configured channel with the given context',
    when: 'The same for a chat step of a trigger that names contexts.',
  },
  demoChannelIgnored: {
    status: 'Warning',
    detail: 'Chat channel of the demo provider was not used, because another integration sends',
    when: 'The subscriber has a channel of the demo provider, which only sends while no other integration is active.',
  },
  pushTokensMissing: {
    status: 'Failed',
    detail: 'Subscriber credentials is missing the tokens for sending a push notification message',
    when: 'The subscriber has push credentials without a device token.',
  },
  someChatsSkipped: {
    status: 'Warning',
    detail: 'Some chat channels skipped to send the message',
    when: 'None of the chat channels of the subscriber can be used; the details before it name the reasons.',
  },
  somePushesSkipped: {
    status: 'Warning',
    detail: 'Some push channels skipped to send the message',
    when: 'None of the push channels of the subscriber can be used; the details before it name the reasons.',
  },
  recipientSuppressed: {
    status: 'Failed',
    detail: 'Recipient is suppressed',
    when: 'Every address of the message is in the suppression list; nothing is sent.',
  },
  someRecipientsSuppressed: {
    status: 'Warning',
    detail: 'Recipient is suppressed',
    when: 'Some addresses of an email are in the suppression list; the email goes to the other ones.',
  },
} as const satisfies Catalogue;

const SENDING_DETAILS = {
  messageCreated: {
    status: 'Pending',
    detail: 'Message created',
    when: 'The content is complete and the message is about to be sent.',
  },
  messageSent: {
    status: 'Success',
    detail: 'Message sent',
    when: 'The provider accepted the message, or the in-app message was stored.',
  },
  sandboxStored: {
    status: 'Success',
    detail: 'Sandbox: the message was put into the outbox, no provider was called',
    when: 'The environment is of the kind `sandbox`. The outbox shows the message as it would have been sent.',
  },
  sandboxRedirected: {
    status: 'Warning',
    detail: 'Sandbox: the message was redirected to {address}',
    when:
      'The environment is of the kind `sandbox` with a `sandboxRedirect`: the provider got the message for that ' +
      'address only. `raw` has the addresses that it was for.',
  },
  acceptedWithWarning: {
    status: 'Warning',
    detail: 'The provider accepted the message with a warning',
    when: 'The provider ignored an override or a part of the message, or will not deliver all of it; `raw` says what.',
  },
  providerErrorRetried: {
    status: 'Warning',
    detail: 'Unexpected provider error',
    when: 'The provider did not accept the message; the worker retries later or uses the next integration.',
  },
  providerError: {
    status: 'Failed',
    detail: 'Unexpected provider error',
    when: 'The provider did not accept the message, and the worker does not retry.',
  },
  allChatsFailed: {
    status: 'Failed',
    detail: 'All chat channels failed to send the message',
    when: 'None of the messages of a chat step was sent.',
  },
  allPushesFailed: {
    status: 'Failed',
    detail: 'There was one or more errors when trying to execute the notification',
    when: 'None of the messages of a push step was sent.',
  },
  sendingInterruptedResent: {
    status: 'Warning',
    detail: 'Sending was interrupted, the message is sent again',
    when: 'A worker stopped during the call of the provider, and the integration resends messages that are in doubt.',
  },
  sendingInterruptedHeld: {
    status: 'Warning',
    detail: 'Sending was interrupted, the message is held',
    when: 'A worker stopped during the call of the provider, and the integration holds messages that are in doubt.',
  },
  deviceTokenRemoved: {
    status: 'Success',
    detail: 'Invalid push device token was removed from subscriber',
    when: 'The provider reported that the device no longer exists.',
  },
  deviceTokenKept: {
    status: 'Warning',
    detail: 'Invalid push device token was kept',
    when: 'The provider reported so many devices as gone that the fault may be in the integration.',
  },
} as const satisfies Catalogue;

const INBOX_DETAILS = {
  messageRead: {
    status: 'ReadConfirmation',
    detail: 'Message read',
    when:
      'The subscriber read the in-app message, or the provider or the open tracking of the environment reported that ' +
      'the message was opened.',
  },
  messageSnoozed: {
    status: 'Pending',
    detail: 'Message snoozed',
    when: 'The subscriber snoozed the in-app message.',
  },
  messageUnsnoozed: {
    status: 'Success',
    detail: 'Message unsnoozed',
    when: 'The snooze of the in-app message ended or the subscriber ended it.',
  },
} as const satisfies Catalogue;

const WEBHOOK_DETAILS = {
  messageSentByProvider: {
    status: 'Success',
    detail: 'Message sent by the provider',
    source: 'Webhook',
    when: 'The provider reported that it sent the message on.',
  },
  messageDelivered: {
    status: 'Success',
    detail: 'Message delivered',
    source: 'Webhook',
    when: 'The provider reported that the message reached the recipient.',
  },
  messageDeferred: {
    status: 'Warning',
    detail: 'Message deferred',
    source: 'Webhook',
    when: 'The provider reported that it could not deliver the message yet and tries again.',
  },
  messageBounced: {
    status: 'Failed',
    detail: 'Message bounced',
    source: 'Webhook',
    when: 'The provider reported that the system of the recipient returned the message.',
  },
  messageRejected: {
    status: 'Failed',
    detail: 'Message rejected',
    source: 'Webhook',
    when: 'The provider reported that it or the system of the recipient refused the message.',
  },
  messageFailed: {
    status: 'Failed',
    detail: 'Message failed',
    source: 'Webhook',
    when: 'The provider reported that the message could not be delivered.',
  },
  messageClicked: {
    status: 'Success',
    detail: 'Message clicked',
    source: 'Webhook',
    when: 'The provider or the click tracking of the environment reported that a link of the message was followed.',
  },
  messageComplaint: {
    status: 'Warning',
    detail: 'Message complaint',
    source: 'Webhook',
    when: 'The provider reported that the recipient marked the message as spam.',
  },
  messageUnsubscribed: {
    status: 'Warning',
    detail: 'Message unsubscribed',
    source: 'Webhook',
    when: 'The provider reported that the recipient unsubscribed.',
  },
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

/** Status, text and, where it is fixed, source of one execution detail. */
export type ExecutionDetail<Name extends ExecutionDetailName = ExecutionDetailName> = {
  status: Details[Name]['status'];
  detail: string;
  source?: DetailSource;
};

/** The execution detail as it is stored; `values` fill the parts of the text that stand in braces. */
export function executionDetail<Name extends ExecutionDetailName>(
  name: Name,
  ...[values]: Values<Name>
): ExecutionDetail<Name> {
  const { status, detail, source }: ExecutionDetailRecord = EXECUTION_DETAILS[name];
  const slots: Record<string, string> = values ?? {};
  return {
    status: status as Details[Name]['status'],
    detail: values ? detail.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '') : detail,
    ...(source && { source }),
  };
}
