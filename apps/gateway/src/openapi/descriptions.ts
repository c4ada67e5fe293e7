import type { OpenAPIObject } from '@nestjs/swagger';
import { typeControlValues } from './step-schemas';

/** The description of each group of operations. */
const TAGS: Record<string, string> = {
  'audit log': 'Every change of configuration and keys: who changed what, and when.',
  contexts: 'Named data that triggers refer to and templates read.',
  environments: 'Environments of the organization and their API keys.',
  events: 'Triggers: single, bulk or broadcast; their outcome, and how to cancel them.',
  'inbound webhooks': 'Delivery events that providers report.',
  integrations: 'Accounts at providers, one or more for each channel.',
  layouts: 'HTML around the emails of workflows.',
  messages: 'The messages that were sent through each channel.',
  notifications: 'The record of every event for every subscriber, and the replay of failed steps.',
  organizations: 'Organizations, which own environments.',
  outbox: 'Messages that the built-in demo providers stored instead of sending them.',
  sessions: 'Browsers that are signed in to the dashboard with an API key.',
  subscribers: 'Recipients with their profile, credentials, preferences and in-app messages.',
  suppressions: 'Addresses to which no messages are sent.',
  tenants: 'Tenants that triggers refer to and templates read.',
  topics: 'Groups of subscribers that one trigger reaches.',
  workflows: 'The steps that a trigger runs, with their contents and conditions.',
};

/** Example bodies for the operations that a new user calls first. A spec sends them in this order. */
const REQUEST_EXAMPLES: Record<string, object> = {
  integrations_create: {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials: { apiKey: 'SG.key', from: 'hello@example.com', senderName: 'Example' },
  },
  subscribers_create: { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', data: { plan: 'gold' } },
  subscribers_createBulk: { subscribers: [{ subscriberId: 'bob', email: 'bob@example.com', topics: ['news'] }] },
  topics_create: { key: 'releases', name: 'Releases' },
  tenants_create: { identifier: 'acme', name: 'Acme' },
  contexts_create: { type: 'region', id: 'eu', data: { currency: 'EUR' } },
  layouts_create: { layoutId: 'plain', name: 'Plain' },
  suppressions_create: { channel: 'email', address: 'gone@example.com' },
  workflows_create: {
    name: 'Welcome',
    workflowId: 'welcome',
    steps: [
      { name: 'Mail', type: 'email', controlValues: { subject: 'Welcome', body: '<p>Hello {{payload.name}}</p>' } },
    ],
  },
  events_trigger: { name: 'welcome', to: { subscriberId: 'ada' }, payload: { name: 'Ada' } },
  events_triggerBulk: { events: [{ name: 'welcome', to: 'bob', payload: { name: 'Bob' } }] },
};

/** Adds the descriptions of groups and operations, the examples and the types of control values to the document. */
export function complete(document: OpenAPIObject): OpenAPIObject {
  const used = new Set<string>();
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods as Record<string, Operation>)) {
      for (const tag of operation.tags ?? []) used.add(tag);
      operation.description ??= `${operation.summary}.`;
      const example = REQUEST_EXAMPLES[operation.operationId];
      const body = operation.requestBody?.content['application/json'];
      if (example && body) body.example = example;
    }
  }
  typeControlValues(document);
  const tags = [...used].sort().map((name) => ({ name, description: TAGS[name] ?? name }));
  return { ...document, tags };
}

type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  requestBody?: { content: Record<string, { example?: object }> };
};
