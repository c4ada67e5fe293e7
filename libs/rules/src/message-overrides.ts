import { type Channel, isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { providerOverrides } from './overrides';

/** The overrides of the trigger for one message: fields of the message itself, and the rest for the provider. */
export class MessageOverrides {
  /** Undefined for most messages: their trigger has no overrides. */
  private readonly values: JsonObject | undefined;
  private readonly taken: Set<string> | undefined;

  constructor(overrides: JsonObject | null, place: { stepId: string; channel: Channel; providerId: string }) {
    if (!overrides) return;
    this.values = providerOverrides(overrides, place);
    this.taken = new Set();
  }

  text(name: string): string | undefined {
    const value = this.take(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** A list of texts, or a single text as a list. */
  texts(name: string): string[] {
    const value = this.take(name);
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).filter(
      (item): item is string => typeof item === 'string' && item !== '',
    );
  }

  object(name: string): JsonObject | undefined {
    const value = this.take(name);
    return isJsonObject(value as Json | undefined) ? (value as JsonObject) : undefined;
  }

  list(name: string): JsonObject[] | undefined {
    const value = this.take(name);
    return Array.isArray(value)
      ? (value.filter((item) => typeof item === 'object' && item !== null) as JsonObject[])
      : undefined;
  }

  /** All overrides that were not read by name. */
  rest(): JsonObject {
    const { values, taken } = this;
    if (!values || !taken) return {};
    return Object.fromEntries(Object.entries(values).filter(([name]) => !taken.has(name)));
  }

  private take(name: string): unknown {
    this.taken?.add(name);
    return this.values?.[name];
  }
}
