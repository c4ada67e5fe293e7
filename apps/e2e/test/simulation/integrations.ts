import { BUILT_IN_PROVIDER, type Channel, type EnvironmentId, type ProviderId } from '@clarion/contracts';
import type { Integration } from '@clarion/persistence';
import { SecretBox, sealIntegration } from '@clarion/platform';
import { BEGIN, ENVIRONMENT } from '@clarion/testing/memory-store';
import { SMS, PUSH, type Scenario, IN_APP } from './scenario';

/** The provider of the second SMS account, which sends when the first one fails. */
export const SUBSTITUTE = 'nexmo';

export const SECRETS = new SecretBox(SecretBox.generateKey());
/** The sealed configurations of integrations; each is sealed once for all simulations. */
const SEALED = new Map<string, Record<string, string>>();

type Configurations = { inDoubt?: 'hold'; rateLimit?: number };

/** Two SMS accounts that fail over to each other, one push account, and the built-in inbox. */
export function makeIntegrations({ provider }: Scenario): Integration[] {
  const health: Integration['health'] =
    provider.closedForMs === undefined
      ? null
      : { state: 'open', since: iso(BEGIN), until: iso(BEGIN + provider.closedForMs), reason: 'known before' };
  const hold: Configurations = provider.hold ? { inDoubt: 'hold' } : {};
  const limit: Configurations = provider.rateLimit === undefined ? {} : { rateLimit: provider.rateLimit };
  return [
    integration('first', SMS, 'twilio', { ...hold, ...limit }, { primary: true, priority: 2, health }),
    integration('second', SMS, SUBSTITUTE, hold, { priority: 1 }),
    integration('third', PUSH, 'one-signal', hold, { primary: true, priority: 1, health }),
    integration('inbox', IN_APP, BUILT_IN_PROVIDER, {}, { primary: true }),
  ];
}

function integration(
  id: string,
  channel: Channel,
  providerId: ProviderId,
  opened: Configurations,
  more: Partial<Integration>,
): Integration {
  const key = `${id} ${JSON.stringify(opened)}`;
  const configurations =
    SEALED.get(key) ?? sealIntegration(SECRETS, { id, environmentId: ENVIRONMENT }, 'configurations', opened);
  SEALED.set(key, configurations);
  return {
    id,
    environmentId: ENVIRONMENT as EnvironmentId,
    name: id,
    identifier: id,
    providerId,
    channel,
    credentials: {},
    configurations,
    conditions: [],
    active: true,
    primary: false,
    priority: 0,
    health: null,
    healthHistory: [],
    deleted: false,
    deletedAt: null,
    deletedBy: null,
    createdAt: new Date(BEGIN),
    updatedAt: new Date(BEGIN),
    ...more,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
