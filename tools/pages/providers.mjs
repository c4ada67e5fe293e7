/** `npm run providers`: writes PROVIDERS.md from the registry, so that it agrees with the code. */
import { builtLib, writePage } from './write-page.mjs';

const { PROVIDERS, setUpEventsOf } = await builtLib('providers');

const TITLES = { email: 'Email', sms: 'SMS', chat: 'Chat', push: 'Push' };

const EVIDENCE = {
  official: "the provider's documentation, specification or SDK",
  'third-party': 'working code or pages of third parties',
  reported: "another project's adapter, read once: test it before you rely on it",
};

const COLUMNS = [
  'id',
  'name',
  'credentials (optional ones in brackets)',
  'batch',
  'duplicate detection',
  'check',
  'delivery events: proof of origin',
  'evidence',
];

/** One line of Markdown from several lines of code. */
const line = (...parts) => parts.join(' ');

function providersPage() {
  const channels = Object.keys(TITLES);
  const count = channels.reduce((sum, channel) => sum + PROVIDERS[channel].length, 0);
  return [
    '<!-- Written by `npm run providers` from libs/providers. Do not edit. -->',
    '',
    '# Providers',
    '',
    `${count} providers that send, and \`platform\`, the in-app inbox, which stores. One row each:`,
    '',
    ...LEGEND,
    ...channels.flatMap((channel) => ['', `## ${TITLES[channel]}`, '', ...tableOf(PROVIDERS[channel])]),
    '',
    ...EVENTS,
    '',
    ...CONNECTIONS,
    '',
    ...SIGNATURES,
    '',
    ...OVERRIDES,
    '',
    ...channels.flatMap((channel) =>
      sorted(PROVIDERS[channel]).map((provider) => `- \`${provider.id}\`: ${overridesOf(provider)}`),
    ),
    '',
  ].join('\n');
}

const LEGEND = [
  line(
    '- **credentials**: the field names in `credentials` of an integration. An integration cannot become active',
    'without the fields that are not in brackets.',
  ),
  line(
    '- **batch**: the maximum number of messages in one call when many steps go to the same integration; 1 if the',
    'provider takes one message at a time.',
  ),
  line(
    '- **duplicate detection**: what keeps a message that is sent again, after a lost connection or a crash, from',
    'arriving twice. If the cell is empty, a duplicate is possible, and the execution details flag it.',
  ),
  line(
    '- **check**: `check: true` on an integration makes a call that tests the credentials. If the cell is empty, it',
    'only checks that they are complete.',
  ),
  line(
    '- **delivery events**: the provider can report to `POST',
    '/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}` whether a message was delivered, see',
    '[below](#delivery-events).',
  ),
  line(
    '- **evidence**: the source of the wire format.',
    `${Object.keys(EVIDENCE)
      .map((source) => `\`${source}\`: ${EVIDENCE[source]}`)
      .join('; ')}.`,
  ),
];

const listed = (ids) => ids.map((id) => `\`${id}\``).join(', ');

const SELF_CONFIGURED = Object.values(PROVIDERS)
  .flat()
  .map(({ id }) => id)
  .filter((id) => setUpEventsOf(id) !== undefined)
  .sort();

const EVENTS = [
  '## Delivery events',
  '',
  line(
    'Enable them with `configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: "..." }` of the',
    'integration, and give the provider the URL `<your',
    'host>/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}`. If `CLARION_PUBLIC_URL` is set,',
    'providers that take a callback URL with each message get it automatically. Some providers do not sign webhooks.',
    'For those, the URL carries the key: `?token=<inboundWebhookSigningKey>`, or the provider sends it as the',
    'password of basic authentication or as a bearer token.',
  ),
  '',
  line(
    '`POST /v1/integrations/{integrationId}/auto-configure` does all of that for',
    `${listed(SELF_CONFIGURED)}, if \`CLARION_PUBLIC_URL\` is set.`,
  ),
  '',
  line(
    'For SES the signing key is the ARN of the SNS topic (`arn:aws:sns:...`): Amazon signs the topics of every',
    'account in the same way, so without the ARN no call is accepted. The signatures of Mailgun and Plivo do not',
    'cover the body; each signature is accepted with the first body that it came with, for 30 days, and rejected with',
    'any other body.',
  ),
  '',
  line(
    'Each event becomes one execution detail with source `Webhook`, even if the provider reports it several times. A',
    'hard bounce or a complaint about a message of this integration puts the address on the suppression list of its',
    'channel, provided that the message was sent to that address: `GET /v1/suppressions` lists them, `DELETE',
    '/v1/suppressions/{channel}/{address}` removes one.',
  ),
];

const CONNECTIONS = [
  '## Connections',
  '',
  line(
    'Slack and Microsoft Teams also send to people and channels with the token of a workspace, and Telegram sends to',
    'chats that were opened with a link: [docs/chat.md](docs/chat.md).',
  ),
];

const SIGNATURES = [
  '## Your own webhooks',
  '',
  line(
    '`email-webhook`, `push-webhook`, `chat-webhook` and `generic-sms` post the message as JSON to your endpoint,',
    'signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies: `webhook-id` is the id of the message',
    'and the same for every attempt, `webhook-timestamp` is the time in seconds, `webhook-signature` is `v1,` and the',
    'base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed by `secretKey` (if the key begins with `whsec_`, by',
    'the decoded base64 after that prefix). Compare in constant time, reject calls that are older than five minutes,',
    'and ignore an id that you have already processed. Any 2xx means that you have accepted the message.',
  ),
  '',
  line(
    'In the dialect `novu` (of the environment, or `CLARION_DIALECT`) the call also has `X-Novu-Signature`, the hex',
    'HMAC-SHA256 of the body alone, keyed by `secretKey` unchanged. It covers no time, so an endpoint should check',
    '`webhook-signature` if it can.',
  ),
];

const OVERRIDES = [
  '## Overrides',
  '',
  line(
    "A trigger can set fields of a provider's request: `overrides.providers.<id>.<field>` for all steps,",
    '`overrides.steps.<stepId>.providers.<id>.<field>` for one step. Names may be written in any casing. The known',
    'fields are listed here. Any other field is left out with a warning in the execution details, unless it is part',
    'of `_passthrough`, whose `body`, `headers` and `query` are added to the request unchanged. Lists replace lists;',
    'objects are merged.',
  ),
];

function tableOf(providers) {
  const rows = sorted(providers).map((provider) => [
    `\`${provider.id}\``,
    provider.displayName,
    credentialsOf(provider),
    String(provider.batch?.size ?? 1),
    provider.idempotency ?? '',
    provider.check ? 'yes' : '',
    provider.events?.proof ?? '',
    provider.evidence,
  ]);
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
}

const sorted = (providers) => [...providers].sort((one, other) => (one.id < other.id ? -1 : 1));

function credentialsOf({ required, optional }) {
  const texts = [...required.map(nameOf), ...optional.map((field) => `[${field}]`)];
  return texts.length > 0 ? texts.join(', ') : 'none';
}

const nameOf = (requirement) => (typeof requirement === 'string' ? requirement : requirement.join(' or '));

function overridesOf({ overrides: { names } }) {
  if (names === 'any') return 'anything';
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';
}

writePage('PROVIDERS.md', providersPage);
