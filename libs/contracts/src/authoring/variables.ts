import type { Described } from './described';

type Row = [name: string, description: string, example: string, result: string];

/** The fields of a subscriber, with their values for the subscriber and the actor of the sample. */
const PERSON: [field: string, description: string, ofSubscriber: string, ofActor: string][] = [
  ['subscriberId', 'The subscriberId.', 'ada', 'bob'],
  ['firstName', 'The first name.', 'Ada', 'Bob'],
  ['lastName', 'The last name.', 'Byron', 'Builder'],
  ['email', 'The email address.', 'ada@x.test', 'bob@x.test'],
  ['phone', 'The phone number.', '+15550001111', '+15550004444'],
  ['avatar', 'The address of a picture.', 'https://x.test/ada.png', 'https://x.test/bob.png'],
  ['locale', 'The locale.', 'en_GB', 'de_DE'],
  ['timezone', 'The time zone.', 'Europe/London', 'Europe/Berlin'],
  ['isOnline', 'Whether the subscriber is connected to the inbox.', 'true', 'false'],
  ['lastOnlineAt', 'When the subscriber was connected last.', '2029-12-31T12:00:00.000Z', '2029-12-30T08:00:00.000Z'],
  ['data', 'The values that you store with the subscriber.', '{"plan":"gold"}', '{"plan":"free"}'],
];

const person = (root: 'subscriber' | 'actor'): Row[] =>
  PERSON.map(([field, description, ofSubscriber, ofActor]) => [
    `${root}.${field}`,
    description,
    `{{ ${root}.${field}${field === 'data' ? ' | json' : ''} }}`,
    root === 'actor' ? ofActor : ofSubscriber,
  ]);

const GROUPS: Record<string, Row[]> = {
  'The trigger': [
    ['payload', 'The payload of the trigger.', '{{ payload.order.id }}', '42'],
    ['tenant.identifier', 'The identifier of the tenant of the trigger.', '{{ tenant.identifier }}', 'acme'],
    ['tenant.name', 'The name of the tenant.', '{{ tenant.name }}', 'Acme'],
    ['tenant.data', 'The values that you store with the tenant.', '{{ tenant.data.color }}', '#336699'],
    ['context', 'The contexts of the trigger by type: `id` and `data`.', '{{ context.region.data.currency }}', 'EUR'],
  ],
  'The subscriber': [...person('subscriber')],
  'The actor, who caused the event': person('actor'),
  'Earlier steps': [
    [
      'steps',
      'The output of an earlier step by its stepId. A custom step: its rendered control values.',
      '{{ steps.price.label }}',
      'Gold',
    ],
    [
      'steps.<stepId>.events',
      'The first events of a digest step, at most 1,000 and 512 KB, oldest first: `id`, `time` and `payload`.',
      '{% for event in steps.comments.events %}{{ event.payload.name }} {% endfor %}',
      'Ada Bob ',
    ],
    [
      'steps.<stepId>.eventCount',
      'How many events a digest step collected.',
      '{{ steps.comments.eventCount | pluralize: "comment" }}',
      '2 comments',
    ],
    [
      'steps.<stepId>.status',
      'The state of a channel step: `delivered`, `sent`, `bounced`, `rejected`, `failed` or `skipped`.',
      '{{ steps.mail.status }}',
      'sent',
    ],
    ['steps.<stepId>.seen', 'Whether its message was seen.', '{{ steps.mail.seen }}', 'false'],
    [
      'steps.<stepId>.read',
      'Whether its message was read; of an email, whether it was opened or a link of it was followed.',
      '{{ steps.mail.read }}',
      'false',
    ],
    [
      'steps.<stepId>.clicked',
      'Whether a link of the email was followed, or a button of the in-app message pressed.',
      '{{ steps.mail.clicked }}',
      'false',
    ],
    ['step.digest', 'Whether an earlier step collected events.', '{{ step.digest }}', 'true'],
    [
      'step.events',
      'The payloads of these events of the last digest, by the older name.',
      '{{ step.events | map: "name" | join: " " }}',
      'Ada Bob',
    ],
    ['step.total_count', 'How many events the last digest collected.', '{{ step.total_count }}', '2'],
  ],
  'The surroundings': [
    ['workflow.workflowId', 'The workflowId.', '{{ workflow.workflowId }}', 'order'],
    ['workflow.name', 'The name of the workflow.', '{{ workflow.name }}', 'Order'],
    ['workflow.description', 'Its description.', '{{ workflow.description | default: "none" }}', 'none'],
    ['workflow.tags', 'Its tags.', '{{ workflow.tags | join: " " }}', 'shop'],
    ['workflow.severity', 'Its severity.', '{{ workflow.severity }}', 'none'],
    [
      'preferencesUrl',
      'In emails: the page on which the recipient chooses what to get. Empty for critical workflows.',
      '{{ preferencesUrl }}',
      'https://mail.x.test/u/token',
    ],
    ['unsubscribeUrl', 'The same page, by the other name.', '{{ unsubscribeUrl }}', 'https://mail.x.test/u/token'],
    ['env', 'The environment: `name`, `type`, and its variables.', '{{ env.name }}', 'Development'],
    ['t', 'The translations of the workflow, or of the layout, by key.', '{{ t.title }}', 'Your order'],
  ],
};

/** The variables of every template and rule. `payload` and `steps` have more names, which depend on the workflow. */
export const AUTHORING_VARIABLES: readonly Described[] = Object.entries(GROUPS).flatMap(([group, rows]) =>
  rows.map(([name, description, example, result]) => ({
    name,
    group,
    description,
    example,
    result,
  })),
);
