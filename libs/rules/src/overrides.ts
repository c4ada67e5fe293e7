import {
  type Channel,
  isJsonObject,
  type Json,
  type JsonObject,
  SEVERITIES,
  type Severity,
  toNovuName,
  toOurName,
} from '@clarion/contracts/core';
import { CHANNEL_NAMES, PROVIDER_NAMES } from './recipient-overrides';

/**
 * The overrides of a trigger: `<channel>`, `<providerId>`, `providers.<providerId>`,
 * `steps.<stepId>.providers.<providerId>`, `steps.<stepId>.layoutId`, `channels.email.layoutId`, `layoutIdentifier`,
 * `severity` and `delay`. This file reads all of them except `delay`, which timing.ts reads.
 */
type Overrides = JsonObject | undefined;

/** Chooses an integration, so it is not passed to the provider. */
const INTEGRATION = 'integrationIdentifier';

/** The overrides for the call of one provider. Those of the step replace those of the provider and of the channel. */
export function providerOverrides(
  overrides: Overrides,
  { stepId, channel, providerId }: { stepId: string; channel: Channel; providerId: string },
): JsonObject {
  const { [INTEGRATION]: _, ...ofChannel } = objectAt(overrides, channel);
  return [
    ofProvider(overrides, providerId),
    ofProvider(objectAt(overrides, 'providers'), providerId),
    ofProvider(objectAt(overrides, 'steps', stepId, 'providers'), providerId),
  ].reduce(merged, merged({}, ofChannel));
}

/** Null means "no layout". */
export function layoutOverride(
  overrides: Overrides,
  stepId: string,
): { given: false } | { given: true; layoutId: string | null } {
  if (!overrides) return { given: false };
  const layouts = [
    own(objectAt(overrides, 'steps', stepId), 'layoutId'),
    own(objectAt(overrides, 'channels', 'email'), 'layoutId'),
    own(overrides, 'layoutIdentifier'),
  ];
  const layoutId = layouts.find((layout) => layout === null || typeof layout === 'string');
  return layoutId === undefined ? { given: false } : { given: true, layoutId };
}

/** The layout of an email: that of the trigger, else that of the step. Undefined: the default of the environment. */
export function layoutOf(overrides: Overrides, stepId: string, controls: JsonObject): string | null | undefined {
  const override = layoutOverride(overrides, stepId);
  if (override.given) return override.layoutId;
  const own = controls['layoutId'];
  return own === null || typeof own === 'string' ? own : undefined;
}

export function integrationOverride(overrides: Overrides, channel: Channel): string | undefined {
  if (!overrides) return undefined;
  const identifier = own(objectAt(overrides, channel), INTEGRATION);
  return typeof identifier === 'string' && identifier !== '' ? identifier : undefined;
}

export function severityOverride(overrides: Overrides): Severity | undefined {
  const severity = own(overrides, 'severity');
  return SEVERITIES.find((known) => known === severity);
}

const TOP_KEYS = new Set<string>(['steps', 'channels', 'providers', 'layoutIdentifier', 'severity', 'delay']);
const STEP_KEYS = new Set<string>(['layoutId', 'providers']);
const CHANNEL_KEYS = new Set<string>(['layoutId']);

/** The paths that no code reads, often a typing error. Providers know their own fields. */
export function unknownOverrideKeys(overrides: Overrides): string[] {
  if (!overrides) return [];
  const isProvider = (name: string): boolean => PROVIDER_NAMES.has(toOurName(name));
  const steps = objectAt(overrides, 'steps');
  const channels = objectAt(overrides, 'channels');
  return [
    ...unknown('', overrides, (name) => TOP_KEYS.has(name) || CHANNEL_NAMES.has(name) || isProvider(name)),
    ...unknown('providers.', objectAt(overrides, 'providers'), isProvider),
    ...unknown('channels.', channels, (name) => CHANNEL_NAMES.has(name)),
    ...Object.keys(channels)
      .filter((name) => CHANNEL_NAMES.has(name))
      .flatMap((name) => unknown(`channels.${name}.`, objectAt(channels, name), (key) => CHANNEL_KEYS.has(key))),
    ...Object.keys(steps).flatMap((stepId) => [
      ...unknown(`steps.${stepId}.`, objectAt(steps, stepId), (key) => STEP_KEYS.has(key)),
      ...unknown(`steps.${stepId}.providers.`, objectAt(steps, stepId, 'providers'), isProvider),
    ]),
  ];
}

function unknown(prefix: string, object: JsonObject, isKnown: (name: string) => boolean): string[] {
  return Object.keys(object)
    .filter((name) => !isKnown(name))
    .map((name) => prefix + name);
}

/** A provider id in the spelling of the interface or of the other dialect. */
function ofProvider(object: Overrides, providerId: string): JsonObject {
  const ours = objectAt(object, providerId);
  return Object.keys(ours).length > 0 ? ours : objectAt(object, toNovuName(providerId));
}

function objectAt(root: Overrides, ...keys: string[]): JsonObject {
  let object = root ?? {};
  for (const key of keys) {
    const member = own(object, key);
    if (!isJsonObject(member)) return {};
    object = member;
  }
  return object;
}

/** Callers choose the keys, so inherited properties of JavaScript objects are ignored. */
function own(object: Overrides, key: string): Json | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Merges objects; any other value of `over` replaces the value below. */
function merged(base: JsonObject, over: JsonObject): JsonObject {
  const result: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    // An assignment to this name would change the prototype.
    if (key === '__proto__') continue;
    const before = own(result, key);
    result[key] = isJsonObject(value) ? merged(isJsonObject(before) ? before : {}, value) : value;
  }
  return result;
}
