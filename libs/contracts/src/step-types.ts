import { type Channel, CHANNELS } from './vocabulary';

/** What the code has to know about a step type. All other lists of step types are derived from these records. */
export type StepTypeFacts = {
  /** The queue that runs the step: of a channel worker or of the engine. Null: steps of this type never run. */
  runsOn: Channel | 'engine' | null;
  /** A workflow may contain steps of this type. */
  isAuthored: boolean;
  /** Reaching the step records the detail "Step queued". A step that waits records its own detail instead. */
  announcesQueued: boolean;
  /** The step runs at any hour. Steps of the other types are canceled outside the subscriber's schedule. */
  ignoresSchedule: boolean;
  /** The step renders a message that the preview can show. */
  hasContent: boolean;
  /** The step may be in the state `delayed`: the steps behind it start when its time has come. */
  waits: boolean;
  /** The step merges with open steps of the same key, and its output is the list of collected events. */
  collectsEvents: boolean;
  /** The author may give the step any control value; there is no list of known controls. */
  takesAnyControl: boolean;
};

const CHANNEL_STEP = {
  isAuthored: true,
  announcesQueued: true,
  ignoresSchedule: false,
  hasContent: true,
  waits: false,
  collectsEvents: false,
  takesAnyControl: false,
} as const;

const ENGINE_STEP = {
  runsOn: 'engine',
  isAuthored: true,
  announcesQueued: true,
  ignoresSchedule: false,
  hasContent: false,
  waits: false,
  collectsEvents: false,
  takesAnyControl: false,
} as const;

/** One record per step type, in the order of the interface. `trigger` is only a value of the activity filter. */
export const STEP_TYPE_FACTS = {
  in_app: { ...CHANNEL_STEP, runsOn: 'in_app', ignoresSchedule: true },
  email: { ...CHANNEL_STEP, runsOn: 'email' },
  sms: { ...CHANNEL_STEP, runsOn: 'sms' },
  chat: { ...CHANNEL_STEP, runsOn: 'chat' },
  push: { ...CHANNEL_STEP, runsOn: 'push' },
  digest: { ...ENGINE_STEP, announcesQueued: false, ignoresSchedule: true, waits: true, collectsEvents: true },
  trigger: { ...ENGINE_STEP, runsOn: null, isAuthored: false, announcesQueued: false },
  delay: { ...ENGINE_STEP, announcesQueued: false, ignoresSchedule: true, waits: true },
  throttle: { ...ENGINE_STEP },
  custom: { ...ENGINE_STEP, takesAnyControl: true },
} as const satisfies Record<Channel, StepTypeFacts> & Record<string, StepTypeFacts>;

type Facts = typeof STEP_TYPE_FACTS;

/** Every value of a step's type that the interface knows. */
export type StepType = keyof Facts;

/** The step types whose record matches `Pattern`, for example `{ runsOn: 'engine' }`. */
type StepTypesWith<Pattern> = { [Type in StepType]: Facts[Type] extends Pattern ? Type : never }[StepType];

export type AuthoredStepType = StepTypesWith<{ isAuthored: true }>;
/** Step types that the engine runs; channel workers run the other ones. */
export type EngineStepType = StepTypesWith<{ runsOn: 'engine' }>;
export type ContentStepType = StepTypesWith<{ hasContent: true }>;

const factsOf = (type: StepType): StepTypeFacts => STEP_TYPE_FACTS[type];

export const STEP_TYPES = Object.keys(STEP_TYPE_FACTS) as readonly StepType[];

export const AUTHORED_STEP_TYPES: readonly AuthoredStepType[] = STEP_TYPES.filter(
  (type): type is AuthoredStepType => factsOf(type).isAuthored,
);

export const ENGINE_STEP_TYPES: readonly EngineStepType[] = STEP_TYPES.filter(
  (type): type is EngineStepType => factsOf(type).runsOn === 'engine',
);

/** Step types for which the detail "Step queued" is recorded when the step is reached. */
export const ANNOUNCED_STEP_TYPES: readonly StepType[] = STEP_TYPES.filter((type) => factsOf(type).announcesQueued);

export const isChannelStepType = (type: StepType): type is Channel => (CHANNELS as readonly StepType[]).includes(type);

export const announcesQueued = (type: StepType): boolean => factsOf(type).announcesQueued;
export const ignoresSchedule = (type: StepType): boolean => factsOf(type).ignoresSchedule;
export const stepTypeWaits = (type: StepType): boolean => factsOf(type).waits;
export const collectsEvents = (type: StepType): boolean => factsOf(type).collectsEvents;
export const takesAnyControl = (type: StepType): boolean => factsOf(type).takesAnyControl;
export const hasContent = (type: StepType): type is ContentStepType => factsOf(type).hasContent;
