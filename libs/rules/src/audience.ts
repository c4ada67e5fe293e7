import type { SubscriberProfileDto } from '@clarion/contracts';
import {
  contextKey,
  isJsonObject,
  type Json,
  type JsonObject,
  PROFILE_FIELDS,
  type SubscriptionPreferences,
} from '@clarion/contracts/core';
import { evaluateRunRule } from './skip-rule';
import type { Variables } from './variables';
import { Work } from './work';

/** The recipients of a trigger, as its row names them. */
export type Audience = {
  individuals: Individual[];
  /** Empty when the trigger names no topics. */
  topicKeys: string[];
  /** True when the trigger is for all subscribers of the environment. */
  broadcast: boolean;
  actor?: Individual;
  /** Not to be reached through topics: recipients that the trigger names, excluded subscribers and the actor. */
  leftOut: string[];
};

export type Individual = {
  subscriberId: string;
  profile: SubscriberProfileDto;
  /** The recipient as the caller gave it, without the channel credentials. */
  to: JsonObject;
  channels: Json[];
};

export function readAudience({ recipients, actor }: { recipients: JsonObject[]; actor: Json }): Audience {
  const topics = recipients.filter(({ type }) => type === 'Topic');
  const individuals = recipients.filter(isSubscriber).map(toIndividual);
  const actedBy = readActor(actor);
  return {
    individuals,
    topicKeys: [...new Set(topics.map(({ topicKey }) => String(topicKey)))],
    broadcast: recipients.some(({ type }) => type === 'Broadcast'),
    actor: actedBy,
    leftOut: [
      ...individuals.map(({ subscriberId }) => subscriberId),
      ...topics.flatMap(({ exclude }) => (Array.isArray(exclude) ? exclude.map(String) : [])),
      ...(actedBy && topics.length > 0 ? [actedBy.subscriberId] : []),
    ],
  };
}

/** The sorted keys of the contexts that a trigger names, and the rows to create for contexts that do not exist yet. */
export function readContexts(context: JsonObject | null): {
  keys: string[];
  rows: { type: string; contextId: string; data?: JsonObject }[];
} {
  const rows = Object.entries(context ?? {}).map(([type, value]) => {
    const id = String(isJsonObject(value) ? value['id'] : value);
    const data = isJsonObject(value) && isJsonObject(value['data']) ? value['data'] : undefined;
    return { type, contextId: id, ...(data && { data }) };
  });
  return { keys: rows.map(({ type, contextId }) => contextKey({ type, id: contextId })).sort(), rows };
}

/**
 * Whether a topic member gets the event: at least one of its subscriptions must let it through. The preference of a
 * subscription for this workflow decides by its condition, or without one by its switch. A subscription without such
 * a preference lets everything through.
 */
export function subscriptionAdmits(
  preferences: (SubscriptionPreferences | null)[],
  workflowId: string,
  variables: Variables,
  now: Date,
  within?: Work,
): boolean {
  if (preferences.length === 0) return true;
  const work = new Work(within);
  return preferences.some((subscription) => {
    const preference = subscription?.[workflowId];
    if (!preference) return true;
    if (preference.condition === undefined) return preference.enabled;
    const verdict = evaluateRunRule(preference.condition, variables, now, work);
    return 'run' in verdict && verdict.run;
  });
}

export function subscriptionVariables(
  { payload, context }: { payload: JsonObject; context: JsonObject | null },
  actor: Json | undefined,
  subscriber: JsonObject,
): Variables {
  const { rows } = readContexts(context);
  return {
    payload,
    subscriber,
    actor: isJsonObject(actor) ? actor : {},
    context: Object.fromEntries(rows.map(({ type, contextId, data }) => [type, { id: contextId, data: data ?? {} }])),
  };
}

const isSubscriber = ({ type, subscriberId }: JsonObject): boolean =>
  type !== 'Topic' && type !== 'Broadcast' && typeof subscriberId === 'string';

function readActor(actor: Json): Individual | undefined {
  if (typeof actor === 'string') return toIndividual({ subscriberId: actor });
  return isJsonObject(actor) && typeof actor['subscriberId'] === 'string' ? toIndividual(actor) : undefined;
}

function toIndividual(recipient: JsonObject): Individual {
  const { channels, ...to } = recipient;
  const profile: JsonObject = {};
  for (const field of PROFILE_FIELDS) if (recipient[field] !== undefined) profile[field] = recipient[field];
  return {
    subscriberId: recipient['subscriberId'] as string,
    profile: profile as SubscriberProfileDto,
    to,
    channels: Array.isArray(channels) ? channels : [],
  };
}
