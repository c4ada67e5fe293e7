import type { OpenAPIObject } from '@nestjs/swagger';
import { codeSamples } from './code-samples';
import { type ApiDocument, JSON_TYPE, routesOf } from './document';
import { requestExample } from './examples';
import { OPERATION_DESCRIPTIONS } from './operation-descriptions';
import { typeControlValues } from './step-schemas';

const TAGS: Record<string, string> = {
  events: 'Triggers: single, bulk or broadcast; their outcome, and how to cancel them.',
  workflows: 'The steps that a trigger runs, with their contents and conditions.',
  subscribers: 'Recipients with their profile, credentials, preferences and in-app messages.',
  inbox: 'What a page in the browser of a subscriber calls, with the token of an inbox session.',
  topics: 'Groups of subscribers that one trigger reaches.',
  notifications: 'The record of every event for every subscriber, and the replay of failed steps.',
  activity: 'The same record as light rows with outcomes, for lists that many people look at.',
  overview: 'Totals, series and errors of an environment.',
  operations: 'Questions of operators across the environments of an organization.',
  'bulk actions': 'Replay and cancel many notifications that were selected once.',
  messages: 'The messages that were sent through each channel.',
  integrations: 'Accounts at providers, one or more for each channel.',
  holds: 'Stops of an environment, a channel, a workflow or an integration; what they cover waits.',
  layouts: 'HTML around the emails of workflows.',
  translations: 'Texts of workflows and layouts in the languages of the subscribers.',
  'environment variables': 'Values of an environment that templates and rules read, also secret ones.',
  tenants: 'Tenants that triggers refer to and templates read.',
  contexts: 'Named data that triggers refer to and templates read.',
  suppressions: 'Addresses to which no messages are sent.',
  outbox: 'Messages that the built-in demo providers stored instead of sending them.',
  environments: 'Environments of the organization and their API keys.',
  organizations: 'Organizations, which own environments.',
  sessions: 'Browsers that are signed in to the dashboard with an API key.',
  'audit log': 'Every change of configuration and keys: who changed what, and when.',
  'webhook endpoints': 'URLs of your backend that get what happens: messages sent, failed, read, and more.',
  mirror: 'A trial with another system, which gets a copy of each trigger; both are compared.',
  'inbound webhooks': 'Delivery events that providers report.',
  'older clients': 'Other names of these operations, for clients of earlier versions of the interface.',
};

export function complete(given: OpenAPIObject): OpenAPIObject {
  typeControlValues(given);
  const document = given as unknown as ApiDocument;
  const used = new Set<string>();
  for (const route of routesOf(document)) {
    const { operation } = route;
    for (const tag of operation.tags ?? []) used.add(tag);
    operation.description ??= OPERATION_DESCRIPTIONS[operation.operationId] ?? `${operation.summary}.`;
    const body = operation.requestBody?.content[JSON_TYPE];
    if (body) body.example ??= requestExample(document, operation.operationId, body.schema);
    operation['x-codeSamples'] = codeSamples(route, body?.example);
  }
  const known = Object.keys(TAGS).filter((name) => used.has(name));
  const others = [...used].filter((name) => !(name in TAGS)).sort();
  const tags = [...known, ...others].map((name) => ({ name, description: TAGS[name] ?? name }));
  return { ...given, tags };
}
