import type { StepFilterDto } from '@clarion/contracts';
import { type Channel, executionDetail, type IntegrationHealth, isDemoProvider } from '@clarion/contracts/core';
import type { Line } from './lines';
import { matchFilters } from './conditions';
import type { Variables } from './variables';
import { Work } from './work';

/** The part of an integration that decides whether it is chosen. */
export type Candidate = {
  id: string;
  identifier: string;
  providerId: string;
  channel: Channel;
  active: boolean;
  primary: boolean;
  /** A higher number is tried earlier; inactive integrations have 0. */
  priority: number;
  conditions: StepFilterDto[];
  health?: IntegrationHealth | null;
};

/** The integrations that may send a message, and why others may not. */
export type CandidateOrder<T extends Candidate = Candidate> = {
  /** The first one is used, the next ones in order when it fails. */
  order: T[];
  /** The identifier that the trigger named. */
  requested?: string;
  faults: string[];
};

/**
 * The integrations of a channel that may send, best first: those with matching conditions, then the primary one, then
 * by priority. An integration with conditions that do not match is left out. When the trigger names an identifier,
 * only that integration may send. Demo providers send only when the channel has no other integration, so that a
 * failover never ends in the outbox. Health does not change the order: the sender skips an integration whose circuit
 * breaker is open.
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

/** The detail of a step for which no integration may send. */
export function noIntegrationLine({ requested, faults }: CandidateOrder, channel: Channel): Line {
  const raw = {
    channel,
    ...(requested !== undefined && { integrationIdentifier: requested }),
    ...(faults.length > 0 && { faults }),
  };
  return { ...executionDetail('noActiveIntegration'), raw };
}
