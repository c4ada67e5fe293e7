import type { TemplateFault } from '@clarion/content';
import type { NewMessage } from '@clarion/persistence';
import type { ProviderError } from '@clarion/providers';
import { contentFaultLine, RECIPIENT_SUPPRESSED } from '@clarion/rules';
import type { Line } from './admit';
import type { Prepared } from './channel';

/** The step ends here, and the record names what is wrong with its content. */
export const contentFault = (fault: TemplateFault): Prepared => ({
  kind: 'refused',
  refused: {
    admitted: false,
    state: 'failed',
    lines: [contentFaultLine(fault)],
  },
  messages: [],
});

/** The subscriber cannot be reached on this channel; with a message, the list of messages says so too. */
export const unreachable = (lines: Line[], messages: NewMessage[] = []): Prepared => ({
  kind: 'refused',
  refused: { admitted: false, state: 'canceled', lines },
  messages,
});

/** Something about the account or the step that no retry will cure. */
export const impossible = (...lines: Line[]): Prepared => ({
  kind: 'refused',
  refused: { admitted: false, state: 'failed', lines },
  messages: [],
});

/** The next account would write to others than the first, and none of them may be written to. */
export const NOBODY_LEFT: ProviderError = { ok: false, kind: 'recipient', message: RECIPIENT_SUPPRESSED };
