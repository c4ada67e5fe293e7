import type { OpenAPIObject } from '@nestjs/swagger';

/** What each group of operations is about. */
export const TAGS: Record<string, string> = {
  'audit log': 'Every change of configuration and keys: who, what and when.',
  contexts: 'Named data that triggers refer to and templates read.',
  environments: 'Environments of the organization and the API keys that open them.',
  events: 'Triggers: one, many or a broadcast; their outcome, and how to cancel them.',
  'inbound webhooks': 'Delivery events that providers report.',
  integrations: 'Accounts at providers, one or more for each channel.',
  layouts: 'Frames around the emails of workflows.',
  messages: 'What was sent through each channel.',
  notifications: 'The record of every event for every subscriber, and running failed steps again.',
  organizations: 'Organizations, which own environments.',
  outbox: 'Messages that the built-in demo providers took instead of sending them.',
  subscribers: 'Recipients with their profile, credentials, preferences and in-app messages.',
  suppressions: 'Addresses that nothing is sent to any more.',
  tenants: 'Tenants that triggers name and templates read.',
  topics: 'Groups of subscribers that one trigger reaches.',
  workflows: 'What a trigger runs: steps, their contents and conditions.',
};

/** A body for each operation that a newcomer calls first. They build on each other in this order; a spec sends them all. */
export const REQUEST_EXAMPLES: Record<string, object> = {
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

/** Describes the groups, gives every operation a description and the first ones an example. */
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
