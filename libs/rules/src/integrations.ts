import type { StepFilterDto } from '@clarion/contracts';
import { type Channel, type IntegrationHealth, isDemoProvider } from '@clarion/contracts/core';
import type { Line } from './admit-step';
import { matchFilters } from './conditions';
import type { Variables } from './variables';
import { Work } from './work';

/** What the choice of an integration depends on. */
export type Candidate = {
  id: string;
  identifier: string;
  providerId: string;
  channel: Channel;
  active: boolean;
  primary: boolean;
  /** The higher the earlier; inactive ones have 0. */
  priority: number;
  conditions: StepFilterDto[];
  health?: IntegrationHealth | null;
};

export type CandidateOrder<T extends Candidate = Candidate> = {
  /** The first is to be used, the others in turn when it fails. */
  order: T[];
  /** The identifier that was asked for. */
  requested?: string;
  faults: string[];
};

/**
 * The integrations of a channel that may send, best first: those whose conditions match, then the primary, then by priority.
 * One with conditions that do not match is none of them. An identifier that was asked for leaves exactly that one, and
 * nothing when it is not there. Demo providers send only where nobody else could, so that a failover never ends in the
 * outbox. Health has no say in it: who sends passes over what is closed at the moment.
 */
export function orderCandidates<T extends Candidate>(
  all: T[],
  choice: { channel: Channel; integrationIdentifier?: string; variables: Variables; work?: Work },
): CandidateOrder<T> {
  const { channel, integrationIdentifier, variables } = choice;
  const usable = all.filter((candidate) => candidate.active && candidate.channel === channel);
  if (integrationIdentifier !== undefined) {
    const order = usable.filter(({ identifier }) => identifier === integrationIdentifier);
    return { order, requested: integrationIdentifier, faults: [] };
  }
  const faults: string[] = [];
  const work = new Work(choice.work);
  const real = usable.filter(({ providerId }) => !isDemoProvider(providerId));
  const order = (real.length > 0 ? real : usable)
    .filter(({ conditions, identifier }) => {
      const match = matchFilters(conditions, variables, work);
      faults.push(...match.faults.map((fault) => `${identifier}: ${fault}`));
      return match.passed;
    })
    .sort(
      (a, b) =>
        Number(b.conditions.length > 0) - Number(a.conditions.length > 0) ||
        Number(b.primary) - Number(a.primary) ||
        b.priority - a.priority ||
        (a.id < b.id ? -1 : 1),
    );
  return { order, faults };
}

/** What is told when there is nobody to send. */
export function noIntegrationLine({ requested, faults }: CandidateOrder): Line {
  const raw = {
    ...(requested !== undefined && { integrationIdentifier: requested }),
    ...(faults.length > 0 && { faults }),
  };
  return {
    status: 'Failed',
    detail: 'Subscriber does not have an active integration',
    ...(Object.keys(raw).length > 0 && { raw }),
  };
}
