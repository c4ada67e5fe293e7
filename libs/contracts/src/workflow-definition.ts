import type { StepFilterDto } from './http/filters.dto';
import type { JsonObject } from './json';
import type { AuthoredStepType } from './step-types';
import type { Channel, TimeUnit } from './vocabulary';

/** A version never changes once it is written, so a field that is added later is optional. */
export type WorkflowStep = {
  /** Stays the same in all versions. */
  id: string;
  /** The author's name of the step, unique in the workflow: `steps.<stepId>` in templates and overrides. */
  stepId: string;
  name: string;
  type: AuthoredStepType;
  active: boolean;
  shouldStopOnFail: boolean;
  /** The step runs when one of the groups matches, or when there are none. */
  filters: StepFilterDto[];
  /** Other contents of the step; the first active one whose filters match replaces `controlValues`. */
  variants: StepVariant[];
  controlValues: JsonObject;
  /** The issues of the control values when they were saved; absent when there were none. */
  issues?: StepIssues;
};

export type StepVariant = {
  id: string;
  name?: string;
  active: boolean;
  filters: StepFilterDto[];
  controlValues: JsonObject;
};

export type ContentIssueType =
  | 'MISSING_VALUE'
  | 'INVALID_URL'
  | 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE'
  | 'UNSUPPORTED_PROPERTY'
  | 'TIER_LIMIT_EXCEEDED';

export type ContentIssue = { issueType: ContentIssueType; message: string; variableName?: string };

/** Issues by the path of the control: `subject`, `redirect.url`, `variants.0.body`. */
export type StepIssues = {
  controls: Record<string, ContentIssue[]>;
  /** Issues by channel. */
  integration?: Record<string, IntegrationIssue[]>;
};

export type IntegrationIssue = { issueType: 'MISSING_INTEGRATION'; message: string };

/** A layer of preferences. The layer below decides about a missing value. */
export type PreferenceLayer = {
  all?: { enabled?: boolean; readOnly?: boolean };
  channels?: Partial<Record<Channel, { enabled?: boolean }>>;
};

/** `workflow` comes with the workflow; `user` is set by the operator and overrides it. */
export type WorkflowPreferences = { user?: PreferenceLayer | null; workflow?: PreferenceLayer | null };

/** Found when the workflow is saved; an older workflow does not have them. */
export type WorkflowVariables = { payload?: string[]; subscriber?: string[]; schema?: string[] };

export const DELAY_TYPES = ['regular', 'timed', 'scheduled', 'dynamic', 'until_read'] as const;
export type DelayType = (typeof DELAY_TYPES)[number];

export const THROTTLE_TYPES = ['fixed', 'dynamic'] as const;
export type ThrottleType = (typeof THROTTLE_TYPES)[number];

export const THROTTLE_UNITS = ['minutes', 'hours', 'days'] as const satisfies TimeUnit[];

/** By workflow id. A workflow that is not named is wanted. A condition decides alone; `enabled` counts without one. */
export type SubscriptionPreferences = { [workflowId: string]: SubscriptionPreference };

/** `condition` is JSON-Logic over payload, subscriber, actor and context. */
export type SubscriptionPreference = { enabled: boolean; condition?: JsonObject };

export const LAYOUT_EDITORS = ['html', 'block'] as const;
export type LayoutEditor = (typeof LAYOUT_EDITORS)[number];

/** The content of the step replaces `{{content}}`. The body of the block editor is JSON text. */
export type LayoutControlValues = { email?: { body: string; editorType: LayoutEditor } };

/** A file of a trigger as the stored payload names it; the content is in a separate row. */
export type AttachmentReference = { id: string; name: string; mime: string; size: number };
