import type { ComposedEmail } from './composed-messages';
import type { EmailItem, TemplateRenderer } from './template-renderer';
import type { TemplateFault } from './templates';

export type EmailRendering = { ok: true; email: ComposedEmail } | { ok: false; fault: TemplateFault };

/** Fills emails whose templates only insert inert values, and composes the others. The results are the same. */
export async function renderEmails(renderer: TemplateRenderer, items: EmailItem[]): Promise<EmailRendering[]> {
  const filled = await renderer.fillEmails(items);
  const open = items.filter((_, index) => filled[index] === undefined);
  const composed = (open.length > 0 ? await renderer.composeEmails(open) : []).values();
  return filled.map((email): EmailRendering => {
    if (email) return checked(email);
    const outcome = composed.next().value!;
    return outcome.ok ? checked(outcome.result) : outcome;
  });
}

const checked = (email: ComposedEmail): EmailRendering =>
  email.subject === '' && email.html.trim() === ''
    ? { ok: false, fault: { path: 'body', message: 'is empty, and so is the subject' } }
    : { ok: true, email };
