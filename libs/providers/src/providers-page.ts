/** The page about all providers, PROVIDERS.md: written from the registry, so it says what the code does. */
import { type Evidence, type OutboundChannel, type Provider, type Requirement } from './provider';
import { PROVIDERS } from './registry';

const TITLES: Readonly<Record<OutboundChannel, string>> = { email: 'Email', sms: 'SMS', chat: 'Chat', push: 'Push' };

const EVIDENCE: Readonly<Record<Evidence, string>> = {
  official: "the provider's own documentation, specification or SDK",
  'third-party': "other people's working code or pages",
  reported: "one reading of somebody else's adapter: try it before you rely on it",
};

const COLUMNS = [
  'id',
  'name',
  'credentials (optional ones in brackets)',
  'batch',
  'knows a repeated message by',
  'check',
  'events, and how they prove themselves',
  'how sure',
];

export function providersPage(): string {
  const channels = Object.keys(TITLES) as OutboundChannel[];
  const count = channels.reduce((sum, channel) => sum + PROVIDERS[channel].length, 0);
  return [
    '<!-- Written by `npm run providers` from libs/providers. Do not edit. -->',
    '',
    '# Providers',
    '',
    `${count} providers that send, and \`platform\`, the inbox, which stores. One row each:`,
    '',
    '- **credentials**: the names in `credentials` of an integration; it cannot become active without those that are not in brackets.',
    '- **batch**: the most messages that one call carries when many steps go to the same integration; 1 where the provider takes one at a time.',
    '- **knows a repeated message by**: what keeps a message that is sent again, after a lost connection or a crash, from arriving twice. Where there is nothing, a repetition is possible, and the execution details flag it.',
    '- **check**: `check: true` on an integration makes a call that proves the credentials; elsewhere it only looks whether they are complete.',
    '- **events**: the provider can tell `POST /v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}` what became of a message, see [below](#delivery-events).',
    `- **how sure**: where the wire format comes from. ${(Object.keys(EVIDENCE) as Evidence[]).map((sure) => `\`${sure}\`: ${EVIDENCE[sure]}`).join('; ')}.`,
    ...channels.flatMap((channel) => ['', `## ${TITLES[channel]}`, '', ...tableOf(PROVIDERS[channel])]),
    '',
    ...EVENTS,
    '',
    ...SIGNATURES,
    '',
    '## Overrides',
    '',
    "A trigger can set fields of a provider's own request: `overrides.providers.<id>.<field>` for all steps, `overrides.steps.<stepId>.providers.<id>.<field>` for one. Names may be written in any casing. These are known; anything else is left out with a warning in the execution details, unless it stands under `_passthrough` as `body`, `headers` or `query`, which are taken as they are. Lists replace lists, objects are merged.",
    '',
    ...channels.flatMap((channel) =>
      sorted(PROVIDERS[channel] as readonly Provider[]).map(
        (provider) => `- \`${provider.id}\`: ${overridesOf(provider)}`,
      ),
    ),
    '',
  ].join('\n');
}

const EVENTS = [
  '## Delivery events',
  '',
  'Switch them on with `configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: "..." }` of the integration, and give the provider the address `<your host>/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}`. With `CLARION_PUBLIC_URL` set, providers that take such an address with each message get it by themselves. Where nothing is signed, the address carries the key: `?token=<inboundWebhookSigningKey>`, or the provider sends it as the password of a basic login or as a bearer token.',
  '',
  'For SES the signing key is the ARN of the SNS topic (`arn:aws:sns:...`): Amazon signs for the topics of every account, so without it no call is believed. The signatures of Mailgun and Plivo do not cover the body; each is believed with the first body that came with it, for 30 days, and refused with any other.',
  '',
  'Each event becomes an execution detail with source `Webhook`, once, however often it comes. A hard bounce or a complaint about a message of this integration puts the address on the suppression list of its channel, provided that the message was sent to that address: `GET /v1/suppressions` lists them, `DELETE /v1/suppressions/{channel}/{address}` lifts one.',
];

const SIGNATURES = [
  '## Webhooks of your own',
  '',
  '`email-webhook`, `push-webhook`, `chat-webhook` and `generic-sms` post the message as JSON to your endpoint, signed as the [Standard Webhooks](https://www.standardwebhooks.com) describe it: `webhook-id` is the id of the message and the same for every try, `webhook-timestamp` the time in seconds, `webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed by `secretKey` (of a key that begins with `whsec_`, by the base64 behind it). Compare in constant time, refuse what is older than five minutes, and drop an id that you have had. Any 2xx means that you have it.',
  '',
  'In the dialect `novu` (of the environment, or `CLARION_DIALECT`) the call also has `X-Novu-Signature`, the hex HMAC-SHA256 of the body alone, keyed by `secretKey` as it is written. It covers no time, so an endpoint that can should check `webhook-signature`.',
];

function tableOf(providers: readonly Provider[]): string[] {
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

const sorted = (providers: readonly Provider[]): Provider[] =>
  [...providers].sort((one, other) => (one.id < other.id ? -1 : 1));

function credentialsOf({ required, optional }: Provider): string {
  const texts = [...required.map(nameOf), ...optional.map((field) => `[${field}]`)];
  return texts.length > 0 ? texts.join(', ') : 'none';
}

const nameOf = (requirement: Requirement): string =>
  typeof requirement === 'string' ? requirement : requirement.join(' or ');

function overridesOf({ overrides: { names } }: Provider): string {
  if (names === 'any') return 'anything';
  return names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';
}
