import type { Schemas } from './client';

export type Channel = Schemas['ActivityStepDto']['type'];

export const CHANNEL_NAMES: Record<Channel, string> = {
  in_app: 'In-app',
  email: 'Email',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
};

export const CHANNELS = Object.keys(CHANNEL_NAMES) as Channel[];

export const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: CHANNEL_NAMES[value] }));
