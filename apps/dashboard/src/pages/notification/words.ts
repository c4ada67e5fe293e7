import type { Job } from './queries';

export type SpanKind = NonNullable<Job['spans']>[number]['kind'];
type WaitKind = NonNullable<Job['waitingFor']>['kind'];

export const SPAN_WORDS: Record<SpanKind, string> = {
  queue: 'Queue wait',
  hold: 'Held',
  retry: 'Retry wait',
  render: 'Render',
  provider: 'Attempt',
};

export const WAIT_WORDS: Record<WaitKind, string> = {
  queue: 'a free worker',
  hold: 'the release of a hold',
  retry: 'the next attempt',
  rate_limit: 'its turn under a limit',
  breaker: 'the provider, whose calls are stopped',
  earlier_step: 'an earlier step',
  window: 'its time',
  delay: 'the end of the delay',
  digest: 'the end of the digest',
};

const CHANNELS: Record<string, string> = {
  in_app: 'inbox message',
  email: 'email',
  sms: 'text message',
  chat: 'chat message',
  push: 'push message',
};

export const channelWord = (type: string): string => CHANNELS[type] ?? 'step';
