import {
  BUILT_IN_PROVIDER,
  type Channel,
  type EnvironmentKind,
  executionDetail,
  isDemoProvider,
} from '@clarion/contracts/core';
import type { Line } from './lines';

/** What a sandbox does with the messages of an integration: the outbox, or one address that gets all of them. */
export type SandboxRule = { redirectTo?: string };

export type SandboxSettings = { kind: EnvironmentKind; sandboxEmail: string | null; sandboxPhone: string | null };

type Sending = { channel: Channel; providerId: string };

/** A channel of a sandbox without an integration has a built-in one, which sends nothing. */
export const isSandboxOutbox = ({ channel, providerId }: Sending): boolean =>
  channel !== 'in_app' && providerId === BUILT_IN_PROVIDER;

/** Undefined outside of a sandbox and for in-app. Only emails and text messages can be redirected. */
export function sandboxRuleOf(settings: SandboxSettings, integration: Sending): SandboxRule | undefined {
  const { channel, providerId } = integration;
  if (settings.kind !== 'sandbox' || channel === 'in_app') return undefined;
  const address = { email: settings.sandboxEmail, sms: settings.sandboxPhone, chat: null, push: null }[channel];
  return address === null || isDemoProvider(providerId) || isSandboxOutbox(integration) ? {} : { redirectTo: address };
}

/** Whether messages under this rule reach the provider of their integration. */
export const callsProvider = (rule: SandboxRule | undefined): boolean =>
  rule === undefined || rule.redirectTo !== undefined;

/** What happened to a message in a sandbox, in place of "Message sent", or before it if the message was redirected. */
export function sandboxLine({ redirectTo }: SandboxRule, intended: string[]): Line {
  return redirectTo === undefined
    ? executionDetail('sandboxStored')
    : { ...executionDetail('sandboxRedirected', { address: redirectTo }), raw: { intended } };
}
