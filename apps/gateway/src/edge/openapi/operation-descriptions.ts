import { LIMITS } from '@clarion/contracts';

/** What an operation does beyond its summary, where its controller does not say it. A spec requires one of the two. */
export const OPERATION_DESCRIPTIONS: Record<string, string> = {
  events_trigger:
    'Runs a workflow for a subscriber, a topic, or a list of them. The response arrives after the event is ' +
    'stored; the steps run afterwards. A recipient that is given with a profile is created or updated. Send a ' +
    '`transactionId` of your own, so that a repeated call has one effect. With `dryRun=true` nothing is stored or ' +
    'sent: the response says for each recipient and step what would happen and why.',
  events_triggerBulk:
    'The events are independent: one that is wrong has the status `error` in its result, and the others are ' +
    'accepted. Results are in the order of the events.',
  events_broadcast:
    'Runs a workflow for everyone. The recipients are those that exist when the broadcast is processed; it is ' +
    'read in pages, so that millions of subscribers do not delay other events.',
  events_cancel:
    'Cancels delays, digests and steps of the transaction that have not started. Messages that were already ' +
    'handed to a provider cannot be recalled.',
  eventSummary_retrieve:
    'Answers who did not get it: for each channel and status the number of steps, and the reasons of those that ' +
    `were not sent. At most ${LIMITS.summaryLines} lines.`,

  workflows_create:
    'A save never fails because of the contents: problems are listed in `steps[].issues`, and such a workflow has ' +
    'the status `ERROR`. If the `workflowId` is taken, the response has one with a suffix.',
  workflows_list: 'Filters by a part of the name or the `workflowId`, by tags and by status.',
  workflows_retrieve: 'Accepts the `workflowId`, the id or the slug. The response has every step with its issues.',
  workflows_update:
    'Replaces everything except the `workflowId`. A step that is given with its `stepId` or id is kept; one that ' +
    'is not given is removed. Notifications that are under way go on with the version that they started with.',
  workflows_patch: 'Changes only the given fields, for instance `active`. The steps stay.',
  workflows_delete: 'Later triggers of the workflow get 422. The record of earlier notifications stays.',
  workflows_retrieveStep: 'One step with its control values, its schema and the variables that its templates can read.',
  workflows_preview:
    'Renders the message with the code that delivery uses, with layout, escaping and sanitiser. Given ' +
    '`controlValues` are rendered instead of the stored ones; missing variables get example values. Nothing is ' +
    'sent or stored.',

  subscribers_create:
    'Your backend chooses the `subscriberId`. Fields that are not given keep their value; with `failIfExists` an ' +
    'existing subscriber is 409.',
  subscribers_createBulk:
    'For imports: each element may also have `channels` (credentials) and `topics`. The response says which were ' +
    'created, which were updated and which failed, with the reason.',
  subscribers_search: 'Filters by email, phone, name and `subscriberId`. The newest come first.',
  subscribers_retrieve: 'The profile with the channels, and the keys of the topics that the subscriber is in.',
  subscribers_patch: 'Changes only the given fields; `null` clears a field.',
  subscribers_delete: 'The record of what was sent stays until retention removes it.',
  subscribers_setOnline: 'Conditions of steps can read it, for instance to send an SMS only to those who are offline.',
  subscriberCredentials_update:
    'Stores where a chat or push provider reaches the subscriber: webhook address or device tokens. Given fields ' +
    'replace the stored ones.',
  subscriberCredentials_append: 'Adds device tokens to those that are stored; duplicates are stored once.',
  subscriberCredentials_delete: 'The provider no longer reaches the subscriber. Other providers are not affected.',
  subscriberPreferences_list: 'What the subscriber has chosen, and what that means for each channel of each workflow.',
  subscriberPreferences_update:
    'Without `workflowId` the choice holds for all workflows. `schedule` sets the hours in which messages may be ' +
    'sent. A critical workflow ignores preferences.',
  subscriberPreferences_updateBulk: 'All of them are stored or none.',
  feed_list: 'The in-app messages of one subscriber, newest first, in pages. Filters by read, seen and payload.',
  subscriberNotifications_list:
    'The inbox of one subscriber with filters by read, seen, archived and snoozed state, tags, data and time.',
  subscriberNotifications_count: 'One count for each filter, so that an inbox gets all of its badges by one request.',
  subscriberNotifications_readAll: 'Without any condition, all notifications of the inbox are meant.',
  subscriberNotifications_archiveAll: 'Archived notifications are not in the default list; nothing is deleted.',
  subscriberNotifications_archiveRead: 'Clears the inbox of what the subscriber has already read.',
  subscriberNotifications_seeAll: 'Seen means that it was on the screen; read means that it was opened.',
  subscriberNotifications_deleteAll: 'The messages are gone for good; the record of the notifications stays.',
  subscriberNotifications_delete: 'The message is gone for good; the record of the notification stays.',
  subscriberNotifications_read: 'Also marks it as seen. Open inboxes receive the change at once.',
  subscriberNotifications_unread: 'It counts as unread again. Open inboxes receive the change at once.',
  subscriberNotifications_archive: 'It leaves the default list and can be found with `archived=true`.',
  subscriberNotifications_unarchive: 'It is in the default list again.',
  subscriberNotifications_snooze:
    'It leaves the list and arrives again at that time, ' + `at most ${LIMITS.snoozeDays} days later.`,
  subscriberNotifications_unsnooze: 'It arrives at once. A notification that is not snoozed is returned unchanged.',
  subscriberNotifications_completeAction: 'The status of the button becomes `done`.',
  subscriberNotifications_revertAction: 'The status of the button becomes `pending` again.',
  subscriberMessages_countUnseen: 'Use the count of `/v2/subscribers/{subscriberId}/notifications/count` instead.',
  subscriberMessages_markAs: 'Use the operations of `/v2/subscribers/{subscriberId}/notifications` instead.',
  subscriberMessages_markAll: 'Use the operations of `/v2/subscribers/{subscriberId}/notifications` instead.',
  subscriberMessages_act: 'Use `/v2/subscribers/{subscriberId}/notifications/{messageId}/actions` instead.',

  topics_create: 'The key is yours, up to 100 characters. With `failIfExists` an existing topic is 409.',
  topics_list: 'Filters by a part of the key or the name. The newest come first.',
  topics_retrieve: 'The topic with its name and times; a separate list has its subscribers.',
  topics_patch: 'The key stays, because triggers refer to it.',
  topics_delete: 'The subscribers stay. A trigger for a key without a topic reaches no subscriber.',
  topicSubscriptions_listOfTopic: 'In pages by cursor; filters by subscriber and context.',
  topicSubscriptions_subscribe:
    'An existing subscription is returned unchanged. Subscribers that do not exist are named in `errors`; the ' +
    'others are subscribed.',
  topicSubscriptions_unsubscribe: 'By subscriber or by the identifier of the subscription.',
  topicSubscriptions_retrieve: 'By its identifier, which is unique in the topic.',
  topicSubscriptions_patch: 'Preferences of a subscription say which workflows reach the subscriber through the topic.',
  topicSubscriptions_check: '404 when the subscriber is not in the topic.',
  topicSubscriptions_listOfSubscriber: 'All topics of one subscriber; filters by the key of a topic and by context.',

  notifications_list:
    'Filters by workflow, subscriber, channel, status, detail, severity, topic, transaction and time. ' +
    `Filters that read the steps look at the newest ${LIMITS.searchedHistory} events unless another filter ` +
    `narrows them.`,
  notifications_replay:
    'Takes the filters of the list. Call it without `dryRun` first to see how many steps match, then with ' +
    '`"dryRun": false`. Steps run again at `perSecond`, and a message keeps its id, so that a provider that ' +
    'knows the ' +
    `id does not send it twice. At most ${LIMITS.replaySteps} steps each call.`,
  notifications_retrieve:
    'Each step has its status, and its execution details say what happened and what the provider answered.',
  messages_list:
    'What was sent: channel, provider, content, status and delivery times. Filters by subscriber and transaction.',
  messages_delete: 'Removes the contents, for instance on request of the recipient. The record of the step stays.',
  messages_deleteTransaction: 'With `channel`, only the messages of that channel.',

  integrations_list: 'Secret credentials are masked; a masked value that is sent back in an update is kept.',
  integrations_listActive: 'Those that are used for sending.',
  integrations_retrieve: '`health` says whether the circuit breaker has paused the integration, and why.',
  integrations_create:
    'The first active integration of the channels email and SMS becomes the primary one; the others take over ' +
    'when it fails. With `check` the provider is asked whether the credentials are valid, and wrong ones get 400.',
  integrations_update: 'Changes only the given fields; `credentials` replace the stored ones.',
  integrations_delete: 'Messages that are waiting go through the remaining integrations of the channel.',
  integrations_setPrimary: 'The other integrations of the channel stay active and take over when this one fails.',

  layouts_create: 'The body of a layout has `{{content}}` where the email of the step goes.',
  layouts_list: 'Filters by a part of the name or the `layoutId`.',
  layouts_retrieve: 'Accepts the `layoutId`, the id or the slug.',
  layouts_update: 'With `isDefault` it surrounds every email whose step and trigger name no layout.',
  layouts_delete: '409 while a workflow uses it, or while it is the default of other layouts.',
  layouts_duplicate: 'If the `layoutId` is taken, the copy has one with a suffix.',
  layouts_preview: 'Given `controlValues` are rendered instead of the stored ones. Nothing is stored.',
  layouts_usage: `At most ${LIMITS.layoutUsers} workflows.`,

  tenants_create: 'Templates read the `data` of the tenant that a trigger names, for instance a logo or a color.',
  tenants_list: 'In pages.',
  tenants_retrieve: 'By its identifier.',
  tenants_patch: 'Changes only the given fields; `data` is replaced as a whole.',
  tenants_delete: 'The record of earlier notifications stays.',
  contexts_create:
    'A context has a type and an id, for instance `region` and `eu`; templates read `context.region.data`.',
  contexts_list: 'Filters by type, id and a search text.',
  contexts_retrieve: 'By its type and id.',
  contexts_update: '`data` is replaced as a whole.',
  contexts_delete: 'A trigger that names it later creates it again.',

  suppressions_list: 'Each entry says why: a bounce, a complaint, or a request by this interface.',
  suppressions_create:
    'Steps that would send to the address are canceled, and their record says so. An existing entry is returned ' +
    'unchanged.',
  suppressions_delete: 'The address is part of the path; encode it.',
  outbox_list:
    `The built-in providers of a new environment deliver into the outbox. It keeps ${LIMITS.outboxMessages} ` +
    `messages for ${LIMITS.outboxDays} days.`,
  outbox_retrieve: 'Contents, sender and recipients exactly as a provider would have got them.',
  outbox_preview: 'For a browser. The page runs no scripts and loads nothing.',
  outbox_empty: 'Deletes the messages of the outbox; the record of the notifications stays.',
  environments_current: 'Tells a client which environment its key belongs to.',
  inboundWebhooks_receive:
    'Set this address at the provider, and `configurations.inboundWebhookEnabled` on the integration. The request ' +
    'needs no API key: it is verified by the signature of the provider. A hard bounce or a complaint suppresses ' +
    'the address.',
  inboundWebhooks_receiveQuery: 'Verified by the `token`, which is the signing key of the integration.',
};
