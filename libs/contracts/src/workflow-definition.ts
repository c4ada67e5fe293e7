import type { StepFilterDto } from './http/filters.dto';
import type { JsonObject } from './json';
import type { AuthoredStepType } from './step-types';
import type { Channel, TimeUnit } from './vocabulary';

/**
 * What a workflow is made of, as it is stored. A version holds a list of `WorkflowStep`; the gateway writes it, everything
 * that runs a notification reads it. Once written a version never changes, so a field added here later is optional.
 */
export type WorkflowStep = {
  /** Stays with the step through all versions. */
  id: string;
  /** The author's name of the step, unique in its workflow: `steps.<stepId>` in templates and overrides. */
  stepId: string;
  name: string;
  type: AuthoredStepType;
  active: boolean;
  shouldStopOnFail: boolean;
  /** Groups are OR-ed; none means "always". */
  filters: StepFilterDto[];
  /** Other contents of the same step; the first active one whose filters pass is used instead of `controlValues`. */
  variants: StepVariant[];
  controlValues: JsonObject;
  /** What was wrong with the control values when they were saved; absent when nothing was. */
  issues?: StepIssues;
};

export type StepVariant = {
  id: string;
  name?: string;
  active: boolean;
  filters: StepFilterDto[];
  controlValues: JsonObject;
};

export const CONTENT_ISSUES = [
  'MISSING_VALUE',
  'INVALID_URL',
  'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
  'UNSUPPORTED_PROPERTY',
] as const;
export type ContentIssueType = (typeof CONTENT_ISSUES)[number];

export type ContentIssue = { issueType: ContentIssueType; message: string; variableName?: string };

/** By control, written as a path: `subject`, `redirect.url`, `variants.0.body`. */
export type StepIssues = {
  controls: Record<string, ContentIssue[]>;
  /** By channel. */
  integration?: Record<string, IntegrationIssue[]>;
};

export type IntegrationIssue = { issueType: 'MISSING_INTEGRATION'; message: string };

/** A layer of preferences: what it leaves out is decided by the layer below. */
export type PreferenceLayer = {
  all?: { enabled?: boolean; readOnly?: boolean };
  channels?: Partial<Record<Channel, { enabled?: boolean }>>;
};

/** `workflow` comes with the workflow, `user` is what the operator set over it. */
export type WorkflowPreferences = { user?: PreferenceLayer | null; workflow?: PreferenceLayer | null };

/**
 * What the templates of a workflow read, as paths inside the payload and the subscriber, and the paths that its payload schema
 * names. Found when the workflow is saved; absent in one that was saved before that was done.
 */
export type WorkflowVariables = { payload?: string[]; subscriber?: string[]; schema?: string[] };

export const DELAY_TYPES = ['regular', 'timed', 'scheduled', 'dynamic'] as const;
export type DelayType = (typeof DELAY_TYPES)[number];

export const THROTTLE_TYPES = ['fixed', 'dynamic'] as const;
export type ThrottleType = (typeof THROTTLE_TYPES)[number];

export const THROTTLE_UNITS = ['minutes', 'hours', 'days'] as const satisfies TimeUnit[];

/**
 * What a topic subscription wants of each workflow, by the id of the workflow; of a workflow that is not named it wants
 * everything. A condition decides alone, `enabled` counts where there is none.
 */
export type SubscriptionPreferences = { [workflowId: string]: SubscriptionPreference };

/** `condition` is JSON-Logic over payload, subscriber, actor and context. */
export type SubscriptionPreference = { enabled: boolean; condition?: JsonObject };

export const LAYOUT_EDITORS = ['html', 'block'] as const;
export type LayoutEditor = (typeof LAYOUT_EDITORS)[number];

/** The frame around an email; the rendered step takes the place of `{{content}}`. A block body is JSON as text. */
export type LayoutControlValues = { email?: { body: string; editorType: LayoutEditor } };

/** A file of a trigger as the stored payload names it; its content is in a row of its own. */
export type AttachmentReference = { id: string; name: string; mime: string; size: number };
