import type {
  Channel,
  DetailSource,
  DetailStatus,
  EndpointType,
  EnvironmentId,
  Json,
  JsonObject,
  Lane,
  NotedLimits,
  MessageStatus,
  NotificationId,
  ProviderId,
  Severity,
  StepId,
  StepStatus,
  StepType,
  StoredPreference,
  TraceContext,
  TriggerId,
} from '@clarion/contracts/core';
import type { StepWindow, Subscriber } from '../../entities';

/** How entries of the event log are stored: those of a statement in one row, or in a row each. */
export type Recording = 'packed' | 'single';

/** A step as its worker holds it until the lease ends, with the rows that are needed to decide about it. */
export type ClaimedStep = {
  id: StepId;
  /** The claim of the batch: its lease is that of the step. */
  claimId: string;
  environmentId: EnvironmentId;
  notificationId: NotificationId;
  transactionId: string;
  stepKey: string;
  type: StepType;
  state: Extract<StepStatus, 'queued' | 'delayed'>;
  digest: JsonObject | null;
  error: JsonObject | null;
  integrationId: string | null;
  scheduleExtensionsCount: number | null;
  /** Steps behind it run while it waits for a retry; it has kept others that wait for it. */
  hasReleased: boolean;
  /** Of a replay: the identifier of the only integration that may send it. */
  through?: string;
  /** The limits that the step has waited for since its last attempt. */
  notedLimits: NotedLimits;
  /** Attempts so far, this one included. */
  attempt: number;
  /** Goes up with each change of the row, the mark included. A worker with an older fence has lost the step. */
  fence: number;
  lane: Lane;
  /** Claims since the last one that did not end in a crash, this one included. */
  crashCount: number;
  /** The previous worker crashed during a provider call, so the message may have been sent. */
  inDoubt: boolean;
  /** The clock of the database. */
  now: Date;
  /** How long the step was due before it was claimed. */
  waitedMs: number;
  /** How long ago its trigger was accepted, by the clock of the database. */
  ageMs: number;
  /** When the claim returned, by the monotonic clock of the process (`performance.now`). */
  claimedAt: number;
  /** Of its trigger, in seconds. */
  ttl: number | null;
  notification: ClaimedNotification;
  /** Null when the subscriber was deleted after the trigger. */
  subscriber: ClaimedSubscriber | null;
  preferences: StoredPreference[];
  /** The stored chat and push endpoints of the subscriber; empty for steps of other channels. */
  endpoints: ClaimedEndpoint[];
  /** Outputs of the earlier steps of the notification, by step key. */
  outputs: Record<string, JsonObject> | null;
  /** In milliseconds. */
  workflowUpdatedAt: number;
  /** Changes with every change of an integration, a layout or the dialect of the environment. */
  settingsStamp: string | null;
  /** Changes with the variables and translations of the environment; null when there are none. */
  contentStamp: string | null;
  /** Whether the environment has suppressed addresses on the channel of the step. */
  hasSuppressions: boolean;
  /** How the event log of the environment records it; null without one. */
  recorded: Recording | null;
  /** Whether payload fields of its trigger are marked: words of providers are kept only where redaction finds them. */
  isSensitive: boolean;
  /** Bytes of its payload, outputs, subscriber and so on, as JSON. */
  bytes: number;
  /** The claim was full: more of the steps could be claimed. */
  leavesMore?: boolean;
};

export type ClaimedNotification = {
  triggerId: TriggerId;
  workflowId: string;
  workflowVersion: number;
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: JsonObject | null;
  tenant: string | null;
  severity: Severity;
  critical: boolean;
  contextKeys: string[] | null;
  tags: string[];
  trace: TraceContext | null;
};

export type ClaimedSubscriber = Pick<
  Subscriber,
  | 'id'
  | 'subscriberId'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'avatar'
  | 'locale'
  | 'timezone'
  | 'data'
  | 'isOnline'
> & { lastOnlineAt: string | null };

/** A chat or push endpoint of a subscriber; its credentials are sealed. */
export type ClaimedEndpoint = { id: string; integrationId: string; credentials: string } & (
  | { providerId: ProviderId; type?: undefined }
  /** A channel endpoint. */
  | { identifier: string; type: EndpointType; contextKeys: string[]; connection: ClaimedConnection | null }
);

/** The connection whose token sends to an endpoint; `auth` is ciphertext. */
export type ClaimedConnection = { id: string; identifier: string; workspaceId: string; auth: string };

/** A step together with the fence of its claim, which proves that the caller holds it. */
export type HeldStep = { id: StepId; fence: number };

/** An execution detail to be written with the outcome of its step. */
export type NewDetail = {
  status: DetailStatus;
  detail: string;
  source?: DetailSource;
  isRetry?: boolean;
  providerId?: ProviderId;
  messageId?: string;
  raw?: string;
  /** When it happened, by the monotonic clock of the process (`performance.now`); absent: when it is written. */
  at?: number;
};

/** A message to be written with the outcome of its step. A message with the same id is replaced. */
export type NewMessage = {
  id: string;
  channel: Channel;
  providerId?: ProviderId;
  integrationId?: string;
  providerMessageId?: string;
  messageTemplateId?: string;
  title?: string;
  subject?: string;
  content: Json;
  email?: string;
  phone?: string;
  /** Every address of the message, normalised as in the table of suppressions. */
  recipients?: string[];
  directWebhookUrl?: string;
  deviceTokens?: string[];
  cta?: JsonObject;
  actor?: JsonObject;
  avatar?: string;
  data?: JsonObject;
  overrides?: JsonObject;
  severity?: Severity;
  status: MessageStatus;
  errorId?: string;
  errorText?: string;
  delivered?: boolean;
  /** When it was created, by the monotonic clock of the process (`performance.now`); absent: when it is written. */
  at?: number;
};

/** The result of one attempt at a claimed step. Every outcome has details: they are the record that users see. */
export type StepOutcome = {
  id: StepId;
  fence: number;
  state: StepStatus;
  /** When the step runs again, for `queued` and `delayed`. */
  dueAt?: string;
  dueInMs?: number;
  /** The integration that it waits for: it runs sooner if that can be called again. */
  waitsFor?: string;
  attempt?: number;
  providerId?: ProviderId;
  integrationId?: string;
  output?: JsonObject;
  digest?: JsonObject;
  error?: JsonObject;
  scheduleExtensionsCount?: number;
  /** Of a delay: the earlier step whose message ends the wait when it is read; null ends this. */
  awaits?: { stepId: StepId; messageIds: string[] } | null;
  /** The step ends without collecting its open window: the oldest step that joined takes over. */
  passesDigestOn?: boolean;
  /** Of a step that waits for a retry: the keys of steps that may run meanwhile, if they come next. */
  releases?: string[];
  /** Of a step that ends: it has released others before, and its later steps wait for them too. */
  hasReleased?: boolean;
  /** How the event log of the environment gets entries about its messages. */
  recorded?: Recording;
  /** What happens to the later steps of the notification. */
  then: 'wait' | 'advance' | 'halt' | 'skip';
  details: NewDetail[];
  messages?: NewMessage[];
};

/** A step that is due now and is to be offered to the queue. */
export type QueuedStep = { id: StepId; type: StepType; environmentId: EnvironmentId; lane: Lane };

export type Recorded = {
  /** Steps whose outcome was written. Every other step has been claimed again or has ended. */
  held: Set<StepId>;
  /** Steps that are due now because the step before them has ended. */
  queued: QueuedStep[];
};

/** What a window of events is for: one key of one step of a workflow, for one subscriber. */
export type WindowName = Omit<StepWindow, 'events' | 'expiresAt'>;

/** A digest step that opens a window, or joins the window that is open for its key. */
export type DigestRequest = HeldStep &
  Omit<WindowName, 'windowKey'> & {
    notificationId: NotificationId;
    digestKey: string;
    dueAt: string;
    lookBackMs?: number;
    digest: JsonObject;
  };

/** `first`: no event in the look-back window, so nothing is digested. `lost`: the caller no longer holds the step. */
export type DigestResult = 'opened' | 'joined' | 'first' | 'lost';

/** A throttle step that is counted into the window of its key. */
export type ThrottleRequest = HeldStep & WindowName & { windowMs: number; threshold: number };

/** The place of a throttle step in its window, and when the window ends. */
export type ThrottleResult = { id: StepId; throttled: boolean; events: number; until: Date };

export type DigestEvent = { id: string; time: string; payload: JsonObject };

/** How many events of a digest are read, and how many bytes of JSON their payloads may have together. */
export type DigestLimits = { events: number; bytes: number };

/** The members of a digest: the first events, the number of all events, and traces of some of them. */
export type CollectedDigest = { events: DigestEvent[]; count: number; traces: TraceContext[] };
