import type { DetailStatus } from '@clarion/contracts/core';

/** Status and text of an execution detail, as two parameters of a statement. */
export const textOf = ({ status, detail }: { status: DetailStatus; detail: string }): [DetailStatus, string] => [
  status,
  detail,
];
