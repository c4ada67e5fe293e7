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
export type PreferenceDecider =
  'subscriber_workflow' | 'subscriber_global' | 'workflow_user' | 'workflow_resource' | 'default';

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

type NamedLayer = [PreferenceDecider, PreferenceLayer | null | undefined];

/**
 * What a subscriber receives of a workflow. The topmost layer with a value decides; a channel that no layer names has
 * the value of `all`. A critical workflow ignores the layers of the subscriber.
 */
export function effectivePreferences(layers: PreferenceLayers): EffectivePreferences {
  const critical = isCritical(layers.workflow);
  const fromTheTop: NamedLayer[] = [
    ...(critical ? [] : subscriberLayers(layers)),
    ['workflow_user', layers.workflow.user],
    ['workflow_resource', layers.workflow.workflow],
  ];
  const all = decide(fromTheTop, (layer) => layer.all?.enabled) ?? { enabled: true, decidedBy: 'default' };
  const decisions = CHANNELS.map((channel) => [
    channel,
    decide(fromTheTop, (layer) => layer.channels?.[channel]?.enabled) ?? all,
  ]);
  return { critical, all: all.enabled, channels: Object.fromEntries(decisions) as EffectivePreferences['channels'] };
}

export function isCritical({ user, workflow }: WorkflowPreferences): boolean {
  return user?.all?.readOnly === true || workflow?.all?.readOnly === true;
}

/** The layers of the subscriber for one workflow. */
export type SubscriberPreferences = {
  subscriberGlobal?: PreferenceLayer;
  subscriberWorkflow?: PreferenceLayer;
  schedule?: SubscriberSchedule;
};

/**
 * Selects the stored preferences of a subscriber for one workflow in the given contexts. A preference for exactly
 * these contexts overrides one without contexts.
 */
export function subscriberPreferences(
  stored: StoredPreference[],
  workflowId: string | undefined,
  contextKeys: string[] = [],
): SubscriberPreferences {
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

const subscriberLayers = ({ subscriberWorkflow, subscriberGlobal }: PreferenceLayers): NamedLayer[] => [
  ['subscriber_workflow', subscriberWorkflow],
  ['subscriber_global', subscriberGlobal],
];

function decide(
  fromTheTop: NamedLayer[],
  read: (layer: PreferenceLayer) => boolean | undefined,
): ChannelDecision | undefined {
  for (const [decidedBy, layer] of fromTheTop) {
    const enabled = layer ? read(layer) : undefined;
    if (enabled !== undefined) return { enabled, decidedBy };
  }
  return undefined;
}
