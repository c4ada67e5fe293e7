/** How people allow an integration to send to them: an OAuth flow in a browser, or a bot to which they write. */
import type { CredentialsDto } from '@clarion/contracts';
import type { ChatAddress, ConnectionAuth, HttpPort, JsonObject, Workspace } from '@clarion/contracts/core';
import { type CredentialField } from '../credential-fields';
import { type CallContext, type ProviderError } from '../provider';

/** One visit to the provider's page. */
export type ConnectFlow = {
  /** `connect`: a workspace. `link_user`: only the identity of the person. */
  purpose: 'connect' | 'link_user';
  /** Comes back with the visitor. */
  state: string;
  /** Where the provider sends the visitor afterwards. */
  redirectUri: string;
  scopes?: readonly string[];
  /** Set in the second visit, which proves that the person belongs to this tenant. */
  tenantId?: string;
};

/** What a visit has shown. */
export type Connected = {
  ok: true;
  workspace?: Workspace;
  auth?: ConnectionAuth;
  /** The person who was there. */
  user?: ChatAddress;
  /** A webhook that the person has chosen for a channel. */
  webhook?: { url: string; channel?: string };
};

/** The person has agreed for this tenant; a second visit has to prove that they belong to it. */
export type SecondVisit = { ok: true; tenantId: string };

export interface ChatConnect {
  readonly required: readonly CredentialField[];
  /** The provider's page on which a person agrees. */
  authorizeUrl(flow: ConnectFlow, credentials: CredentialsDto, http: HttpPort): string;
  /** Reads the query of the callback and exchanges its code. */
  finish(
    flow: ConnectFlow,
    query: Readonly<Record<string, string>>,
    credentials: CredentialsDto,
    context: CallContext,
  ): Promise<Connected | SecondVisit | ProviderError>;
  refresh(
    auth: ConnectionAuth,
    credentials: CredentialsDto,
    context: CallContext,
  ): Promise<{ ok: true; auth: ConnectionAuth } | ProviderError>;
}

/** A message of a person to the bot that opens a link: `/start <code>`. */
export type BotStart = { code: string; address: ChatAddress };

/** A bot that people write to. */
export interface ChatBot {
  /** The public name of the bot. */
  nameOf(credentials: CredentialsDto, context: CallContext): Promise<{ ok: true; name: string } | ProviderError>;
  /** Asks the provider to send the messages of people to this URL, with the key in a header. */
  setWebhook(
    request: { url: string; key: string },
    credentials: CredentialsDto,
    context: CallContext,
  ): Promise<{ ok: true } | ProviderError>;
  /** The link that opens the bot and sends it the code. */
  startLink(name: string, code: string): string;
  /** The header of a call that holds the key. */
  readonly keyHeader: string;
  /** Undefined when the call is about something else. */
  readStart(body: Buffer): BotStart | undefined;
  /** The response to a call that writes a text to the person. */
  reply(address: ChatAddress, text: string): JsonObject;
}
