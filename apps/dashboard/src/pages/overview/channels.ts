import type { Overview } from './queries';

export type Channel = Overview['channels'][number]['channel'];

/** In the order of the legend; the style sheet has a colour for each. */
export const CHANNEL_NAMES: Record<Channel, string> = {
  in_app: 'In-app',
  email: 'Email',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
};
