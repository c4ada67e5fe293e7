import type { ProviderId } from '@clarion/contracts/core';
import { type ChatBot, type ChatConnect } from './chat-connect';
import { msteamsConnect } from './msteams-connect';
import { slackConnect } from './slack-connect';
import { telegramBot } from './telegram-bot';

export * from './chat-connect';

const CONNECTS: Readonly<Partial<Record<ProviderId, ChatConnect>>> = { slack: slackConnect, msteams: msteamsConnect };

const BOTS: Readonly<Partial<Record<ProviderId, ChatBot>>> = { telegram: telegramBot };

export const chatConnectOf = (id: ProviderId): ChatConnect | undefined => CONNECTS[id];

/** The bot of a provider; undefined if people do not write to it. */
export const chatBotOf = (id: ProviderId): ChatBot | undefined => BOTS[id];
