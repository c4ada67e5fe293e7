import { joinContextKeys } from './contexts';
import type { WeekDay } from './vocabulary';
import type { PreferenceLayer } from './workflow-definition';

/** A stored preference of a subscriber: for one workflow, or without a workflowId for all. */
export type StoredPreference = {
  workflowId: string | null;
  /** The contexts to which it is restricted, as `preferenceContext` writes them. */
  contextKey: string;
  preferences: PreferenceLayer;
  /** Only in the global preference. */
  schedule: SubscriberSchedule | null;
};

/** Contexts as one text, independent of their order; empty when there are none. */
export const preferenceContext = (contextKeys: string[]): string => joinContextKeys([...new Set(contextKeys)].sort());

/** When a subscriber wants to be notified, in the time zone of the subscriber. Part of the global preference. */
export type SubscriberSchedule = {
  /** False means at any time; so does a schedule without a week. */
  isEnabled: boolean;
  /** A day that is not named is closed. */
  weeklySchedule?: Partial<Record<WeekDay, DaySchedule>>;
};

export type DaySchedule = { isEnabled: boolean; hours?: TimeRange[] };

/** `09:00 AM`; a range that ends at or before its start lasts into the next day. */
export type TimeRange = { start: string; end: string };

/** The format of a time; the groups are hour, minute and AM or PM. */
export const CLOCK_TIME = /^(0?[1-9]|1[0-2]):([0-5]\d) (AM|PM)$/;
