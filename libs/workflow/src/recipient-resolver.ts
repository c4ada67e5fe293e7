import type { EnvironmentId, Json } from '@clarion/contracts/core';
import type { Recipient, RecipientInput } from '@clarion/persistence';
import type { Individual } from '@clarion/rules';
import { type FanOutPlan, isFresh } from './fan-out-plan';
import type { RecipientChannelStore, FanOutStore } from './ports';

export type RecipientResolverParts = {
  store: Pick<FanOutStore, 'resolve'>;
  channels: RecipientChannelStore;
  newId<T extends string>(): T;
};

/** The resolved individuals and actors of a batch of triggers. */
export class Recipients {
  private readonly byKey: Map<string, Recipient>;

  constructor(rows: Recipient[]) {
    this.byKey = new Map(rows.map((row) => [keyOf(row.environmentId, row.subscriberId), row]));
  }

  /** Only for individuals and actors of the batch, which are all there. */
  get(environmentId: EnvironmentId, subscriberId: string): Recipient {
    return this.byKey.get(keyOf(environmentId, subscriberId))!;
  }
}

/** Finds or creates the subscribers that triggers name, and stores the channels that they bring along. */
export class RecipientResolver {
  constructor(private readonly parts: RecipientResolverParts) {}

  /**
   * One statement for the individuals and actors of all plans. Sets `progress.actor` and `channelFaults` of each plan.
   */
  async resolve(plans: FanOutPlan[]): Promise<Recipients> {
    const recipients = new Recipients(await this.parts.store.resolve(this.inputsOf(plans)));
    for (const plan of plans) {
      if (isFresh(plan) && bringsChannels(plan)) await this.storeChannels(plan, recipients);
      plan.progress.actor = actorOf(plan, recipients);
    }
    return recipients;
  }

  /** Each subscriber once; when several triggers bring a profile, later fields win. */
  private inputsOf(plans: FanOutPlan[]): RecipientInput[] {
    const inputs = new Map<string, RecipientInput>();
    const add = (environmentId: EnvironmentId, { subscriberId, profile }: Individual, isActor = false): void => {
      const key = keyOf(environmentId, subscriberId);
      const known = inputs.get(key);
      if (known) Object.assign(known.profile, profile);
      else inputs.set(key, { environmentId, subscriberId, newId: this.parts.newId(), profile: { ...profile } });
      if (isActor) inputs.get(key)!.isActor = true;
    };
    for (const plan of plans) {
      const { trigger, audience } = plan;
      if (audience.actor) add(trigger.environmentId, audience.actor, true);
      if (isFresh(plan)) for (const individual of audience.individuals) add(trigger.environmentId, individual);
    }
    return [...inputs.values()];
  }

  private async storeChannels(plan: FanOutPlan, recipients: Recipients): Promise<void> {
    const { trigger, audience, channelFaults } = plan;
    for (const { subscriberId, channels } of audience.individuals) {
      const recipient = recipients.get(trigger.environmentId, subscriberId);
      const faults = await this.parts.channels.save(trigger, recipient, channels);
      if (faults.length > 0) channelFaults.set(recipient.id, faults);
    }
  }
}

const bringsChannels = ({ audience }: FanOutPlan): boolean =>
  audience.individuals.some(({ channels }) => channels.length > 0);

const keyOf = (environmentId: EnvironmentId, subscriberId: string): string => `${environmentId} ${subscriberId}`;

/** The actor as templates and the feed see it: the stored profile, which includes the fields of the trigger. */
function actorOf({ trigger, audience }: FanOutPlan, recipients: Recipients): Json | undefined {
  if (!audience.actor) return undefined;
  const { subscriberId } = audience.actor;
  const { id, profile } = recipients.get(trigger.environmentId, subscriberId);
  return { ...profile, id, subscriberId };
}
