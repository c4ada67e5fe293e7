import { type DetailSource, type DetailStatus, executionDetail } from '@clarion/contracts/core';

export type Line = {
  status: Extract<DetailStatus, 'Success' | 'Warning' | 'Failed' | 'Pending'>;
  detail: string;
  raw?: unknown;
  source?: DetailSource;
};

/** The step has no usable content; `fault` names the control and what is wrong with it. */
export const contentFaultLine = (fault: { path: string; message: string }): Line => ({
  ...executionDetail('contentFailed'),
  raw: fault,
});

export const layoutSelectedLine = (layoutId: string): Line => ({
  ...executionDetail('layoutSelected'),
  raw: { layoutId },
});

export const layoutMissingLine = (layoutId: string): Line => ({
  ...executionDetail('layoutNotFound'),
  raw: { layoutId },
});

export const providerSelectedLine = (
  displayName: string,
  { providerId, identifier, name, id }: { providerId: string; identifier: string; name: string; id: string },
): Line => ({
  ...executionDetail('providerSelected', { provider: displayName }),
  raw: { providerId, identifier, name, integrationId: id },
});
