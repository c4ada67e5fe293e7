import { type DomainError, type FieldErrors, type Json, type JsonObject, LIMITS } from '@clarion/contracts';
import type { Database } from '@clarion/persistence';
import type { Environment } from '@clarion/persistence';
import { parseJsonBody } from '../../edge/http/json-body';
import type { Batch, ImportKind, BatchResult, Problem } from './import-progress';
import type { SourceClient } from './source-client';

/** Stores the progress in the transaction of the batch. In a dry run it ends the transaction instead. */
export type Commit = (outcome: BatchResult) => Promise<void>;

export interface ImportedKind<T = unknown> {
  readonly name: ImportKind;
  /** Reads the batch after the cursor; null is the start. */
  read(cursor: Json): Promise<Batch<T>>;
  /** Writes a batch and calls `commit` in the same transaction. A repeated batch changes nothing. */
  write(items: T[], commit: Commit): Promise<void>;
}

export type ImportContext = {
  client: SourceClient;
  database: Database;
  environment: Environment;
  /** How messages call the source. */
  sourceName: string;
  isDryRun: boolean;
  /** The kinds that this run imports. In a dry run, what they would create counts as being there. */
  kinds: readonly ImportKind[];
};

export class Tally implements BatchResult {
  created = 0;
  updated = 0;
  unchanged = 0;
  skipped = 0;
  readonly problems: Problem[] = [];

  constructor(private readonly kind: ImportKind) {}

  skip(id: string, reason: string): void {
    this.skipped += 1;
    this.note(id, reason);
  }

  /** A part of an item that is left out. */
  note(id: string, reason: string): void {
    this.problems.push({ kind: this.kind, id: shortened(id, 200), reason: shortened(reason, 500) });
  }

  get outcome(): BatchResult {
    const { created, updated, unchanged, skipped, problems } = this;
    return { created, updated, unchanged, skipped, problems };
  }
}

const shortened = (text: string, limit: number): string => (text.length <= limit ? text : `${text.slice(0, limit)}…`);

/** Why the interface would not accept a value of this size or content; undefined when it would. */
export function contentFault(value: JsonObject): string | undefined {
  const text = textOf(value);
  if (text === undefined) return 'is nested too deep';
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMITS.bodyBytes) return `has ${bytes} bytes, at most ${LIMITS.bodyBytes} are accepted`;
  try {
    parseJsonBody(text);
    return undefined;
  } catch (error) {
    return reasonOf(error as DomainError);
  }
}

/** Undefined when the value is nested deeper than the stack reaches; only the parser has no such limit. */
function textOf(value: JsonObject): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export function reasonOf(error: DomainError): string {
  const errors = error.extra['errors'] as FieldErrors | undefined;
  return errors ? faultText(errors) : error.message;
}

/** Each message with the path of its field, where the message does not begin with it. */
export const faultText = (errors: FieldErrors): string =>
  Object.entries(errors)
    .flatMap(([field, { messages }]) =>
      messages.map((message) => (message.startsWith(field) ? message : `${field}: ${message}`)),
    )
    .join('; ');

/** What a source sent where a text belongs. An object may not be convertible, which would end the import. */
export const shownText = (value: Json): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value);

export const textIn = (object: JsonObject, name: string): string | undefined => {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
};

export const given = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (hasValue(object, name) ? [[name, object[name]!]] : [])));

const hasValue = (object: JsonObject, name: string): boolean =>
  Object.hasOwn(object, name) && object[name] !== null && object[name] !== undefined;
