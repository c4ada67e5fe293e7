import { LIMITS } from '@clarion/contracts';

export const INTRODUCTION = `
Your backend posts an event; Clarion sends email, SMS, chat, push and in-app messages and records every step. All
requests and responses are JSON in UTF-8, and all times are ISO 8601 in UTC.

## Getting started

\`npm start\` prints the address and the first API key. The samples on this page read both from the environment:

\`\`\`sh
export URL=http://127.0.0.1:3000 KEY=...
\`\`\`

A **workflow** says what is sent, a **trigger** sends it to a **subscriber**. Create a workflow:

\`\`\`sh
curl -X POST "$URL/v2/workflows" \\
  -H "Authorization: ApiKey $KEY" -H "Content-Type: application/json" -d '{
  "name": "Welcome", "workflowId": "welcome",
  "steps": [{ "name": "Mail", "type": "email",
    "controlValues": { "subject": "Welcome", "body": "<p>Hello {{payload.name}}</p>" } }] }'
\`\`\`

Trigger it. A recipient with a profile is created or updated on the way:

\`\`\`sh
curl -X POST "$URL/v1/events/trigger" \\
  -H "Authorization: ApiKey $KEY" -H "Content-Type: application/json" -d '{
  "name": "welcome", "to": { "subscriberId": "ada", "email": "ada@example.com" }, "payload": { "name": "Ada" } }'
\`\`\`

The client \`@novu/api\` works with this service; the same trigger in TypeScript:

\`\`\`ts
import { Novu } from '@novu/api';

const novu = new Novu({ secretKey: process.env.KEY, serverURL: 'http://127.0.0.1:3000' });
await novu.trigger({
  workflowId: 'welcome',
  to: { subscriberId: 'ada', email: 'ada@example.com' },
  payload: { name: 'Ada' },
});
\`\`\`

The response arrives after the event is stored. Look at what happened, and, while the channel has no integration
of your own, at the email itself:

\`\`\`sh
curl "$URL/v1/notifications" -H "Authorization: ApiKey $KEY"
curl "$URL/v1/outbox" -H "Authorization: ApiKey $KEY"
\`\`\`

Add \`?dryRun=true\` to a trigger to get what would be sent to whom, and why, without sending anything.

## Authentication

Send the key in the header \`Authorization: ApiKey <key>\`. A key belongs to one environment, and every request
reads and writes only that environment. Its scope says what it may do:

- \`trigger\`: post events. Give this one to the services that send notifications.
- \`read\`: read everything except keys and the audit log.
- \`full\`: everything in its environment.
- \`admin\`: also environments and keys of the whole organization.

The operator of an installation has one more key, which belongs to no environment: it shows figures of the whole
installation, and holds and limits any environment. It names the environment in the header \`Clarion-Environment\`.

A missing, wrong or expired key gets 401; a key without the scope, or from an address that it does not allow,
gets 403.

## Errors

Every error has the same body. \`message\` says what is wrong; a 422 has an entry in \`errors\` for each wrong
field.

\`\`\`json
{ "statusCode": 422, "timestamp": "2030-01-01T00:00:00.000Z", "path": "/v2/topics", "message": "Validation Error",
  "error": "Unprocessable Entity", "errors": { "key": { "messages": ["key must be a string"], "value": 5 } } }
\`\`\`

- **400**: the request cannot be read, or the payload does not match the schema of the workflow.
- **401**, **403**: see authentication.
- **404**: the object does not exist in this environment.
- **409**: it exists already, or a request with the same idempotency key is still running.
- **413**, **415**: the body is too large, or is not JSON.
- **422**: a field is wrong.
- **429**: too many requests; wait for \`Retry-After\`.
- **500**: our fault. \`errorId\` finds it in the logs of the gateway.
- **503**: the database does not answer; nothing was stored. Repeat the request.

A body field or query parameter that the operation does not know has no effect, and the response header
\`Clarion-Warning\` names it. With \`Prefer: handling=strict\` such a request gets 422 instead. Operations on many
records (replay, bulk actions, publish, marks and deletion of an inbox, ...) always answer 422, because a misspelled
filter would reach more than you meant; so does a misspelled \`dryRun\`.

## Rate limits

Limits apply to each environment, to each organization and to each gateway process; the operator sets them. Every
response says where you are: \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` (seconds) and
\`RateLimit-Policy\`. A request over the limit gets 429 with \`Retry-After\` and has no effect. A bulk trigger
counts once for each of its events.

## Idempotency

Send an \`Idempotency-Key\` (at most ${LIMITS.idempotencyKey} characters) with any POST, PUT, PATCH or DELETE.
Repeats of the same request within 24 hours have one effect and get the first response with
\`Idempotency-Replay: true\`; another body under the same key gets 422. A response with 5xx, 408 or 429 releases
the key.

A trigger has a second protection: the same event with the same \`transactionId\` has one effect at any time.

## Lists

Lists have a limit and a cursor. Pass the \`next\` of a response as \`after\` to get the following entries, and
\`previous\` as \`before\` to go back. Some older operations use \`page\` and \`limit\`; each operation lists
its parameters.
`.trim();
