import type { JsonObject, ProviderId } from '@clarion/contracts/core';
import type { NewMessage } from '@clarion/persistence';
import type { Line } from './admit';
import type { Delivery } from '../sending/channel';
import type { Account } from '../accounts/integration-directory';

/** An execution detail before it has an id. `at`: when it happened (`performance.now`), if not when it is recorded. */
export type SentLine = Line & { isRetry?: boolean; providerId?: ProviderId; messageId?: string; at?: number };

/** How one run of a step ended. `queued` means that the step runs again after `waitMs`. */
export type StepResult = {
  state: 'completed' | 'failed' | 'canceled' | 'skipped' | 'queued';
  lines: SentLine[];
  messages: NewMessage[];
  account?: Account;
  waitMs?: number;
  /** The integration that the step waits for, if no account could be called. */
  waitsFor?: string;
  /** The number of attempts to store when this one does not count. */
  attempt?: number;
  error?: JsonObject;
};

/** The result of one message of a step in one attempt. */
export type MessageResult = {
  delivery: Delivery;
  /** `expired`: its time to live ended before an account accepted it. */
  verdict: 'sent' | 'failed' | 'retry' | 'expired';
  lines: SentLine[];
  message: NewMessage;
  account?: Account;
  error?: string;
  waitMs?: number;
  /** The integration that the message waits for, if no account could be called. */
  waitsFor?: string;
  /** False when the attempt does not count: the provider asked for a pause, or no account was available. */
  counts: boolean;
};

/** A step that failed without any message; the last line is the reason. */
export const failedResult = (...lines: SentLine[]): StepResult => ({
  state: 'failed',
  lines,
  messages: [],
  error: { message: lines.at(-1)!.detail },
});
