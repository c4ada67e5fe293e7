import type { Line } from './admit-step';

/** Lines that a step's record has in more than one place: where it runs, and where it is explained. */

export const STEP_QUEUED: Line = { status: 'Pending', detail: 'Step queued' };
export const MESSAGE_CREATED: Line = { status: 'Pending', detail: 'Message created' };
export const MESSAGE_SENT: Line = { status: 'Success', detail: 'Message sent' };

export const DELAY_FINISHED: Line = { status: 'Success', detail: 'Delay is finished' };

export const DIGEST_SKIPPED: Line = { status: 'Success', detail: 'Digest was skipped, first backoff event' };

export const PREVIOUS_FAILED = 'Step was canceled because a previous step failed';
export const THROTTLED = 'Throttle limit exceeded for the given window';
export const CHANNEL_NOT_KEPT = 'Channel credentials of the recipient could not be stored';
export const OVERRIDES_NOT_READ = 'Some overrides are not known and were not used';

/** Names what is wrong with the content of a step. */
export const contentFaultLine = (fault: { path: string; message: string }): Line => ({
  status: 'Failed',
  detail: 'Message content could not be generated',
  raw: fault,
  source: 'Payload',
});

export const layoutSelectedLine = (layoutId: string): Line => ({
  status: 'Pending',
  detail: 'Layout selected',
  raw: { layoutId },
});

export const layoutMissingLine = (layoutId: string): Line => ({
  status: 'Failed',
  detail: 'Layout not found ',
  raw: { layoutId },
});

export const providerSelectedLine = (
  displayName: string,
  { providerId, identifier, name, id }: { providerId: string; identifier: string; name: string; id: string },
): Line => ({
  status: 'Pending',
  detail: `${displayName} provider was selected`,
  raw: { providerId, identifier, name, integrationId: id },
});
