import type {
  DigestRepository,
  FanOutRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  ThrottleRepository,
} from '@clarion/persistence';
import { EndedClaims } from './ended-claims';
import type { MemoryStore } from './memory-store';

/** How a call reaches the store. A caller that can crash or lose its connection does so around `effect`. */
export type StoreCall = <T>(what: string, effect: () => T) => Promise<T>;

/** What engine and workers use of the repositories. Each process has its own ports: they keep the claims it ended. */
export type StorePorts = {
  fanOut: Pick<FanOutRepository, keyof FanOutRepository>;
  claims: Pick<StepClaimRepository, keyof StepClaimRepository>;
  outcomes: Pick<StepOutcomeRepository, 'record'>;
  digests: Pick<DigestRepository, 'join' | 'close' | 'collect'>;
  throttles: Pick<ThrottleRepository, 'decide'>;
};

const atOnce: StoreCall = async (_, effect) => effect();

export function storePorts(store: MemoryStore, call: StoreCall = atOnce): StorePorts {
  const triggersEnded = new EndedClaims();
  const stepsEnded = new EndedClaims();
  return {
    fanOut: {
      claim: (ids, mostCrashes) => {
        const taken = triggersEnded.take();
        return call('claim triggers', () => store.claimTriggers(ids, mostCrashes, taken));
      },
      renew: (claimIds) => call('renew', () => store.renew(claimIds)),
      end: (claimId) => triggersEnded.add(claimId),
      abandon: (triggers) => call('abandon triggers', () => store.abandon(triggers)),
      suspects: (ids) => call('suspects', () => store.suspectTriggers(ids)),
      resolve: (inputs) => call('resolve', () => store.resolve(inputs)),
      payloadOf: ({ id }) => call('payloadOf', () => store.payloadOf(id)),
      topicMembers: (_, topicKeys, cursor, excluded) =>
        call('topicMembers', () => store.topicMembers(topicKeys, cursor, excluded)),
      subscribers: (_, cursor, excluded) => call('subscribers', () => store.subscribers(cursor, excluded)),
      commit: (page) => call('commit', () => store.commit(page)),
      warn: (warnings, detail) => call('warn', () => store.warn(warnings, detail)),
      release: (triggers) => call('release triggers', () => store.releaseTriggers(triggers)),
      markTriggered: () => Promise.resolve(),
    },
    claims: {
      claimChannel: (channel, ids, mostCrashes) => {
        const taken = stepsEnded.take();
        return call('claimChannel', () => store.claimChannel(channel, ids, mostCrashes, taken));
      },
      claimTimers: (ids, mostCrashes) => {
        const taken = stepsEnded.take();
        return call('claimTimers', () => store.claimTimers(ids, mostCrashes, taken));
      },
      suspects: (ids) => call('suspects', () => store.suspectSteps(ids)),
      markSending: (steps) => {
        const held = valuesOf(steps);
        return call('markSending', () => store.markSending(held));
      },
      renew: (claimIds) => call('renew', () => store.renew(claimIds)),
      release: (steps, delayMs, limit) => {
        const held = valuesOf(steps);
        return call('release', () => store.releaseSteps(held, delayMs, limit));
      },
      abandon: (steps) => {
        const held = valuesOf(steps);
        return call('abandon', () => store.abandon(held));
      },
      end: (claimId) => stepsEnded.add(claimId),
    },
    outcomes: { record: (outcomes) => call('record', () => store.record(outcomes)) },
    digests: {
      join: (requests) => call('joinDigests', () => store.joinDigests(requests)),
      close: (steps) => call('closeDigests', () => store.closeDigests(steps)),
      collect: (ids, limits) => call('digestEvents', () => store.digestEvents(ids, limits)),
    },
    throttles: { decide: (requests) => call('throttle', () => store.throttle(requests)) },
  };
}

/** The parameters of a statement: a worker may change its steps while the statement is on its way. */
const valuesOf = <T extends object>(steps: T[]): T[] => steps.map((step) => ({ ...step }));
