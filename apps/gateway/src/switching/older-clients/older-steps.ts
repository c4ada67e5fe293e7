import {
  type AuthoredStepType,
  isJsonObject,
  type Json,
  type JsonObject,
  type OlderContentDto,
  type OlderStepAnswerDto,
  type OlderStepDto,
  type WorkflowStepDto,
  type WorkflowStepInputDto,
  pick,
} from '@clarion/contracts';
import { withoutNulls } from '../../edge/http/page';

/** Names that templates read beside the payload. */
const ROOTS = new Set(['payload', 'subscriber', 'actor', 'tenant', 'step', 'steps', 'context', 'env', 'workflow', 't']);
const VARIABLE = /(\{\{\{?)\s*([A-Za-z_]\w*)((?:\.\w+)*)\s*\}\}\}?/g;

/** Older clients write `{{name}}` for a value of the payload, `{{{name}}}` for an unescaped one. */
const toTemplate = (text: string): string =>
  text.replace(VARIABLE, (_, braces: string, root: string, rest: string) => {
    const path = `${ROOTS.has(root) ? '' : 'payload.'}${root}${rest}`;
    return braces === '{{{' ? `{{ ${path} | raw }}` : `{{${path}}}`;
  });

function templatesIn(value: Json): Json {
  if (typeof value === 'string') return toTemplate(value);
  if (Array.isArray(value)) return value.map(templatesIn);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, templatesIn(member)]));
}

/** How the fields of an older step become control values, and back. */
type StepForm = {
  toControls(step: OlderStepDto): JsonObject;
  toContent(controls: JsonObject): Partial<OlderContentDto> & { metadata?: JsonObject };
};

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const member = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && isJsonObject(value) ? value[name] : undefined;

const PLAIN: StepForm = {
  toControls: ({ template }) => given({ body: template.content }),
  toContent: ({ body }) => ({ content: text(body) }),
};

/** The control values of digests, delays and the like have the names of the older metadata. */
const TIMED: StepForm = {
  toControls: ({ metadata = {} }) => metadata,
  toContent: (metadata) => ({ metadata }),
};

const EMAIL: StepForm = {
  toControls: ({ template: { subject, content, preheader, senderName, layoutId } }) =>
    given({ subject, body: content, preheader, layoutId, from: senderName && { name: senderName } }),
  toContent: ({ subject, body, preheader, from, layoutId }) => ({
    subject: text(subject),
    content: Array.isArray(body) ? body : text(body),
    preheader: text(preheader),
    senderName: text(member(from, 'name')),
    layoutId: layoutId as string | null | undefined,
  }),
};

const PUSH: StepForm = {
  toControls: ({ template: { title, content } }) => given({ subject: title, body: content }),
  toContent: ({ subject, body }) => ({ title: text(subject), content: text(body) }),
};

const IN_APP: StepForm = {
  toControls: ({ template: { subject, content, cta } }) => {
    const url = text(member(cta?.['data'], 'url'));
    const labels = labelsOf(cta);
    const redirect = url === undefined ? undefined : { url, target: '_self' };
    return given({
      subject,
      body: content,
      redirect,
      primaryAction: labels['primary'] && { label: labels['primary'], ...(redirect && { redirect }) },
      secondaryAction: labels['secondary'] && { label: labels['secondary'] },
    });
  },
  toContent: ({ subject, body, redirect, primaryAction, secondaryAction }) => {
    const buttons = [
      { type: 'primary', content: text(member(primaryAction, 'label')) },
      { type: 'secondary', content: text(member(secondaryAction, 'label')) },
    ].filter(({ content }) => content !== undefined) as JsonObject[];
    const url = text(member(redirect, 'url'));
    const cta = given({ data: url !== undefined && { url }, action: buttons.length > 0 && { buttons } });
    return {
      subject: text(subject),
      content: text(body),
      ...(Object.keys(cta).length > 0 && { cta: { type: 'redirect', ...cta } }),
    };
  },
};

const FORMS: Partial<Record<AuthoredStepType, StepForm>> = {
  email: EMAIL,
  in_app: IN_APP,
  push: PUSH,
  sms: PLAIN,
  chat: PLAIN,
};

function labelsOf(cta: JsonObject | undefined): Record<string, string> {
  const buttons = member(cta?.['action'], 'buttons');
  const pairs = (Array.isArray(buttons) ? buttons : []).map((each) => [member(each, 'type'), member(each, 'content')]);
  return Object.fromEntries(pairs.filter(([, label]) => typeof label === 'string')) as Record<string, string>;
}

/** Only what was given: an absent control has its default. */
const given = (controls: Record<string, Json | false | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(controls).filter(([, value]) => value !== undefined && value !== false && value !== ''),
  ) as JsonObject;

export function toStepInput(step: OlderStepDto): WorkflowStepInputDto {
  const { type } = step.template;
  const controls = (FORMS[type] ?? TIMED).toControls(step);
  return {
    ...(step._id !== undefined && { _id: step._id }),
    name: step.name ?? type,
    type,
    active: step.active ?? true,
    shouldStopOnFail: step.shouldStopOnFail ?? false,
    filters: step.filters ?? [],
    controlValues: FORMS[type] ? (templatesIn(controls) as JsonObject) : controls,
  };
}

export function toOlderStep(step: WorkflowStepDto): OlderStepAnswerDto {
  const { metadata, layoutId, ...content } = (FORMS[step.type] ?? TIMED).toContent(step.controlValues);
  return {
    _id: step._id,
    uuid: step.stepId,
    ...pick(step, 'name', 'active', 'shouldStopOnFail', 'filters'),
    template: { type: step.type, ...withoutNulls(content), ...(layoutId !== undefined && { layoutId }) },
    ...(metadata && { metadata }),
    ...(step.issues && { issues: step.issues as unknown as JsonObject }),
  };
}

/** A step that stays as it is. */
export const keptStep = (step: WorkflowStepDto): WorkflowStepInputDto => ({
  ...pick(step, '_id', 'stepId', 'name', 'type', 'active', 'shouldStopOnFail', 'filters', 'variants', 'controlValues'),
});
