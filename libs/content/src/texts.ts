import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import type { TemplateFault } from './templates';

type Refused = { ok: false; fault: TemplateFault };
export type ComposedText = { ok: true; content: string } | Refused;
export type ComposedPush = { ok: true; title: string; body: string; data?: JsonObject } | Refused;

export function composeText(controls: JsonObject): ComposedText {
  const content = textOf(controls['body']);
  return isBlank(content) ? emptyBody : { ok: true, content };
}

export function composePush(controls: JsonObject): ComposedPush {
  const body = textOf(controls['body']);
  if (isBlank(body)) return emptyBody;
  const { data } = controls;
  return { ok: true, title: textOf(controls['subject']), body, ...(isJsonObject(data) && { data }) };
}

const emptyBody: Refused = { ok: false, fault: { path: 'body', message: 'is empty' } };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isBlank = (text: string): boolean => text.trim() === '';
