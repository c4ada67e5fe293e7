import { type EnvironmentId, groupBy, type Json } from '@clarion/contracts/core';
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

  /** A few statements for all plans. Sets `progress.actor` and `channelFaults` of each plan. */
  async resolve(plans: FanOutPlan[]): Promise<Recipients> {
    const recipients = new Recipients(await this.parts.store.resolve(this.inputsOf(plans)));
    await this.storeChannels(plans.filter(isFresh), recipients);
    for (const plan of plans) plan.progress.actor = actorOf(plan, recipients);
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

  private async storeChannels(plans: FanOutPlan[], recipients: Recipients): Promise<void> {
    const brought = plans.flatMap((plan) =>
      plan.audience.individuals.flatMap(({ subscriberId, channels }) =>
        channels.map((channel) => ({
          plan,
          triggerId: plan.trigger.id,
          recipient: recipients.get(plan.trigger.environmentId, subscriberId),
          channel,
        })),
      ),
    );
    for (const own of groupBy(brought, ({ recipient }) => recipient.environmentId).values()) {
      const faults = await this.parts.channels.save(own[0]!.recipient.environmentId, own);
      for (const [at, { plan, recipient }] of own.entries()) {
        const fault = faults[at];
        if (fault === undefined) continue;
        const known = plan.channelFaults.get(recipient.id) ?? new Set();
        plan.channelFaults.set(recipient.id, known.add(fault));
      }
    }
  }
}

const keyOf = (environmentId: EnvironmentId, subscriberId: string): string => `${environmentId} ${subscriberId}`;

/** The actor as templates and the feed see it: the stored profile, which includes the fields of the trigger. */
function actorOf({ trigger, audience }: FanOutPlan, recipients: Recipients): Json | undefined {
  if (!audience.actor) return undefined;
  const { subscriberId } = audience.actor;
  const { id, profile } = recipients.get(trigger.environmentId, subscriberId);
  return { ...profile, id, subscriberId };
}
