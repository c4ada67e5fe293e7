import type { TemplateFault } from '@clarion/content';
import type { NewMessage } from '@clarion/persistence';
import type { ProviderError } from '@clarion/providers';
import { contentFaultLine, RECIPIENT_SUPPRESSED } from '@clarion/rules';
import type { Line } from '../pipeline/admit';
import type { Prepared } from './channel';

/** The content cannot be rendered: the step fails, and its record names the fault. */
export const contentFault = (fault: TemplateFault): Prepared => impossible(contentFaultLine(fault));

/** The subscriber cannot be reached: the step is canceled. `messages` show the reason in the message list. */
export const unreachable = (lines: Line[], messages: NewMessage[] = []): Prepared => ({
  kind: 'refused',
  refused: { admitted: false, state: 'canceled', lines },
  messages,
});

/** The step fails for a reason that no retry changes. */
export const impossible = (...lines: Line[]): Prepared => ({
  kind: 'refused',
  refused: { admitted: false, state: 'failed', lines },
  messages: [],
});

/** Overrides of the provider replaced the recipients, and all of them are suppressed. */
export const ALL_SUPPRESSED: ProviderError = { ok: false, kind: 'recipient', message: RECIPIENT_SUPPRESSED };
