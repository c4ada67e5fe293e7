import { type Channel, CHANNELS, pick } from '@clarion/contracts/core';
import type { LaterStep } from '../../entities';
import type { NewNotification, TriggerProgress } from './fan-out-rows';
import { columnArrays } from '../../sql/column-arrays';

function countChannels(steps: TriggerProgress['steps']): Partial<Record<Channel, number>> {
  const counted: Partial<Record<Channel, number>> = {};
  for (const channel of CHANNELS) {
    const count = steps.filter(({ type }) => type === channel).length;
    if (count > 0) counted[channel] = count;
  }
  return counted;
}

/** What a plan is made of. Triggers of one workflow share these objects, except what one brings itself. */
type Planned = Omit<TriggerProgress, 'id' | 'fence' | 'claimId' | 'state' | 'cursor' | 'error'>;

const FIELDS = {
  ...{ workflowId: true, steps: true, channels: true, tags: true, severity: true, critical: true },
  ...{ contextKeys: true, actor: true },
} satisfies Record<keyof Planned, true>;
const PLANNED = Object.keys(FIELDS) as (keyof Planned)[];

const planOf = (trigger: Planned) => {
  const { steps, tags, ...shared } = pick(trigger, ...PLANNED);
  const [first, ...later] = steps;
  const laterSteps = later.map(({ stepKey, type }, index): LaterStep => [index + 1, stepKey, type]);
  return {
    stepKey: first?.stepKey,
    type: first?.type,
    counted: countChannels(steps),
    ...(tags.length > 0 && { tags }),
    ...(laterSteps.length > 0 && { laterSteps }),
    ...shared,
  };
};

const areAlike = (one: Planned, other: Planned): boolean => PLANNED.every((name) => one[name] === other[name]);

/** The different plans as JSON, then the ids and fences of the triggers and the number of their plan. */
export function planColumns(triggers: TriggerProgress[]): unknown[] {
  const numbers = new Map<string, number>();
  const plans: object[] = [];
  let number: number | undefined;
  const chosen = triggers.map((trigger, index) => {
    if (number !== undefined && areAlike(trigger, triggers[index - 1]!)) return number;
    const plan = planOf(trigger);
    const text = JSON.stringify(plan);
    number = numbers.get(text);
    if (number === undefined) {
      number = plans.length;
      numbers.set(text, number);
      plans.push({ plan: number, ...plan });
    }
    return number;
  });
  return [JSON.stringify(plans), triggers.map(({ id }) => id), triggers.map(({ fence }) => fence), chosen];
}

export const notificationColumns = (notifications: NewNotification[]): unknown[] => [
  ...columnArrays(notifications, 'id', 'triggerId', 'subscriberId'),
  notifications.map(({ to }) => JSON.stringify(to)),
  notifications.map(({ topics }) => (topics ? JSON.stringify(topics) : null)),
];

/** The cursors of the triggers that have more pages, and their claims. */
export const walkColumns = (triggers: TriggerProgress[]): unknown[] => [
  triggers.map(({ state, cursor }) => (state === 'running' ? JSON.stringify(cursor ?? null) : null)),
  triggers.map(({ claimId }) => claimId),
];
