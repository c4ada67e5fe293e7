import {
  type Channel,
  CHANNELS,
  executionDetail,
  type ExecutionDetailName,
  preferenceContext,
  type PreferenceLayer,
  type StoredPreference,
  type SubscriberSchedule,
  type WorkflowPreferences,
} from '@clarion/contracts/core';

/** The layer that decided; `default` when no layer has a value. */
export type PreferenceDecider = SubscriberLayer | 'workflow_user' | 'workflow_resource' | 'default';
type SubscriberLayer = 'subscriber_workflow' | 'subscriber_global';

export type PreferenceLayers = {
  workflow: WorkflowPreferences;
  subscriberGlobal?: PreferenceLayer | null;
  subscriberWorkflow?: PreferenceLayer | null;
};

export type ChannelDecision = { enabled: boolean; decidedBy: PreferenceDecider };

export type EffectivePreferences = {
  critical: boolean;
  all: boolean;
  channels: Record<Channel, ChannelDecision>;
};

type NamedLayer = [PreferenceDecider, PreferenceLayer];

/** The topmost layer with a value decides. A critical workflow ignores the layers of the subscriber. */
export function effectivePreferences(layers: PreferenceLayers): EffectivePreferences {
  const fromTheTop = layersFromTheTop(layers);
  const all = decideAll(fromTheTop);
  const decisions = CHANNELS.map((channel) => [channel, decideOne(fromTheTop, channel) ?? all]);
  return {
    critical: isCritical(layers.workflow),
    all: all.enabled,
    channels: Object.fromEntries(decisions) as EffectivePreferences['channels'],
  };
}

/** The decision of `effectivePreferences` for one channel, which is all that a step needs. */
export function channelDecision(layers: PreferenceLayers, channel: Channel): ChannelDecision {
  const fromTheTop = layersFromTheTop(layers);
  return decideOne(fromTheTop, channel) ?? decideAll(fromTheTop);
}

export function isCritical({ user, workflow }: WorkflowPreferences): boolean {
  return user?.all?.readOnly === true || workflow?.all?.readOnly === true;
}

export type SubscriberPreferences = {
  subscriberGlobal?: PreferenceLayer;
  subscriberWorkflow?: PreferenceLayer;
  schedule?: SubscriberSchedule;
};

/** A preference for exactly these contexts overrides one without contexts. */
export function subscriberPreferences(
  stored: StoredPreference[],
  workflowId: string | undefined,
  contextKeys: string[] = [],
): SubscriberPreferences {
  if (stored.length === 0) return {};
  const context = preferenceContext(contextKeys);
  const pick = (id: string | null): StoredPreference[] =>
    stored
      .filter((row) => row.workflowId === id && (row.contextKey === '' || row.contextKey === context))
      .sort((one, other) => one.contextKey.length - other.contextKey.length);
  const global = pick(null);
  const workflow = workflowId === undefined ? [] : pick(workflowId);
  const schedule = global.findLast((row) => row.schedule)?.schedule;
  return {
    ...(global.length > 0 && { subscriberGlobal: merge(global) }),
    ...(workflow.length > 0 && { subscriberWorkflow: merge(workflow) }),
    ...(schedule && { schedule }),
  };
}

const merge = (rows: StoredPreference[]): PreferenceLayer => ({
  all: Object.assign({}, ...rows.map(({ preferences }) => preferences.all)) as PreferenceLayer['all'],
  channels: Object.assign({}, ...rows.map(({ preferences }) => preferences.channels)) as PreferenceLayer['channels'],
});

const DETAILS = {
  subscriber_workflow: 'filteredBySubscriberWorkflow',
  subscriber_global: 'filteredBySubscriberGlobal',
  workflow_user: 'filteredByWorkflowUser',
  workflow_resource: 'filteredByWorkflow',
  // Cannot filter a step, because the default is to send.
  default: 'filteredByWorkflow',
} as const satisfies Record<PreferenceDecider, ExecutionDetailName>;

/** The execution detail of a step whose channel this layer switched off. */
export const preferenceDetail = (decidedBy: PreferenceDecider) => executionDetail(DETAILS[decidedBy]);

function layersFromTheTop({ workflow, subscriberWorkflow, subscriberGlobal }: PreferenceLayers): NamedLayer[] {
  const layers: NamedLayer[] = [];
  const add = (decidedBy: PreferenceDecider, layer: PreferenceLayer | null | undefined): void => {
    if (layer) layers.push([decidedBy, layer]);
  };
  if (!isCritical(workflow)) {
    add('subscriber_workflow', subscriberWorkflow);
    add('subscriber_global', subscriberGlobal);
  }
  add('workflow_user', workflow.user);
  add('workflow_resource', workflow.workflow);
  return layers;
}

const decideAll = (fromTheTop: NamedLayer[]): ChannelDecision =>
  decide(fromTheTop, (layer) => layer.all?.enabled) ?? { enabled: true, decidedBy: 'default' };

const decideOne = (fromTheTop: NamedLayer[], channel: Channel): ChannelDecision | undefined =>
  decide(fromTheTop, (layer) => layer.channels?.[channel]?.enabled);

function decide(
  fromTheTop: NamedLayer[],
  read: (layer: PreferenceLayer) => boolean | undefined,
): ChannelDecision | undefined {
  for (const [decidedBy, layer] of fromTheTop) {
    const enabled = read(layer);
    if (enabled !== undefined) return { enabled, decidedBy };
  }
  return undefined;
}
