import type { ButtonType, Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import type { ComposedInApp } from './composed-messages';
import { safeUrl, sanitizeInApp } from './html';
import type { RenderItem, TemplateRenderer } from './template-renderer';
import type { TemplateFault, TextModes } from './templates';

export type InAppRendering = { ok: true; message: ComposedInApp } | { ok: false; fault: TemplateFault };

export type InAppItem = Omit<RenderItem, 'modes'> & {
  /** Default true. */
  escapeHtml?: boolean;
};

/** Controls that a client shows. They may contain HTML; URLs and data may not. */
const BUTTON_TEXTS = ['label', 'resultContent'] as const;
const SHOWN = new Set([
  ...['subject', 'body'],
  ...BUTTON_TEXTS.flatMap((name) => [`primaryAction.${name}`, `secondaryAction.${name}`]),
]);

const IN_APP_MODES: TextModes = (path, text) => (!SHOWN.has(path) ? 'text' : isHtml(text) ? 'html' : 'feed');

/** Only messages with HTML are composed in a render process, because sanitizing is slow. */
export async function renderInApps(renderer: TemplateRenderer, items: InAppItem[]): Promise<InAppRendering[]> {
  const renderings = await renderer.renderMany(
    items.map(({ escapeHtml = true, ...item }) => (escapeHtml ? { modes: IN_APP_MODES, ...item } : item)),
  );
  const inProcess = renderings.flatMap((rendering, index) => {
    if (!rendering.ok || !holdsHtml(rendering.controls)) return [];
    return [{ environmentId: items[index]!.environmentId, controls: rendering.controls }];
  });
  const composed = (inProcess.length > 0 ? await renderer.composeInApps(inProcess) : []).values();
  return renderings.map((rendering) => {
    if (!rendering.ok) return rendering;
    if (!holdsHtml(rendering.controls)) return checked(composeInApp(rendering.controls));
    const outcome = composed.next().value!;
    return outcome.ok ? checked(outcome.result) : outcome;
  });
}

function checked(message: ComposedInApp): InAppRendering {
  return message.content.trim() === '' && (message.subject ?? '').trim() === ''
    ? { ok: false, fault: { path: 'body', message: 'is empty' } }
    : { ok: true, message };
}

function holdsHtml({ subject, body, primaryAction, secondaryAction, disableOutputSanitization }: JsonObject): boolean {
  if (disableOutputSanitization === true) return false;
  return [subject, body, ...textsOf(primaryAction), ...textsOf(secondaryAction)].some(isHtml);
}

const isHtml = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('<');

const textsOf = (action: Json | undefined): (Json | undefined)[] =>
  isJsonObject(action) ? BUTTON_TEXTS.map((name) => action[name]) : [];

/** Drops URLs that a browser should not open. Throws for HTML that is nested too deeply. */
export function composeInApp(controls: JsonObject): ComposedInApp {
  const clean = controls['disableOutputSanitization'] === true ? (text: string) => text : sanitizeInApp;
  const { subject, body, data } = controls;
  const avatar = safeUrl(controls['avatar']);
  return {
    ...(typeof subject === 'string' && subject !== '' && { subject: clean(subject) }),
    content: typeof body === 'string' ? clean(body) : '',
    ...(avatar !== undefined && { avatar }),
    cta: ctaOf(controls, clean),
    ...(isJsonObject(data) && { data }),
  };
}

function ctaOf(controls: JsonObject, clean: (text: string) => string): JsonObject {
  const redirect = redirectOf(controls['redirect']);
  const buttons = [
    ...buttonOf('primary', controls['primaryAction'], clean),
    ...buttonOf('secondary', controls['secondaryAction'], clean),
  ];
  return {
    ...(redirect && { type: 'redirect', data: redirect }),
    ...(buttons.length > 0 && { action: { status: 'pending', result: {}, buttons } }),
  };
}

function buttonOf(type: ButtonType, action: Json | undefined, clean: (text: string) => string): JsonObject[] {
  const [label, result] = textsOf(action);
  if (!isJsonObject(action) || typeof label !== 'string' || label === '') return [];
  const resultContent = typeof result === 'string' && result !== '' && { resultContent: clean(result) };
  return [{ type, content: clean(label), ...resultContent, ...redirectOf(action['redirect']) }];
}

function redirectOf(redirect: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(redirect)) return undefined;
  const url = safeUrl(redirect['url']);
  const { target } = redirect;
  return url === undefined ? undefined : { url, ...(typeof target === 'string' && target !== '' && { target }) };
}
