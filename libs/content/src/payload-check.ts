import type { JsonObject } from '@clarion/contracts/core';

export type PayloadFault = { field: string; message: string; value?: unknown; schemaPath?: string };

/** The result of checking a payload; `payload` is set when the schema filled in defaults. */
export type PayloadCheck = { valid: true; payload?: JsonObject } | { valid: false; errors: PayloadFault[] };

/** The message of a payload whose check took too much time. */
export const TOO_COSTLY = 'takes too long to check against the schema of the workflow';
