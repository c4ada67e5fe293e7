import type { DetailStatus } from '@clarion/contracts/core';

export const textOf = ({ status, detail }: { status: DetailStatus; detail: string }): [DetailStatus, string] => [
  status,
  detail,
];
