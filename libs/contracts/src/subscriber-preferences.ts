import type { WeekDay } from './vocabulary';
import type { PreferenceLayer } from './workflow-definition';

/** What a subscriber wants, as it is stored: about one workflow, or without one about all. */
export type StoredPreference = {
  workflowId: string | null;
  /** The contexts to which it is restricted, as preferenceContext writes them. */
  contextKey: string;
  preferences: PreferenceLayer;
  /** Of the global preference only. */
  schedule: SubscriberSchedule | null;
};

/** Contexts as one text, the same whatever their order; empty when there are none. */
export const preferenceContext = (contextKeys: string[]): string => [...new Set(contextKeys)].sort().join();

/** When a subscriber wants to be reached, by the clock of the subscriber's time zone. Part of the global preference. */
export type SubscriberSchedule = {
  /** False means at any time, and so does a schedule without a week. */
  isEnabled: boolean;
  /** A day that is not named is closed. */
  weeklySchedule?: Partial<Record<WeekDay, DaySchedule>>;
};

export type DaySchedule = { isEnabled: boolean; hours?: TimeRange[] };

/** `09:00 AM`; a range that ends at or before its start goes on into the next day. */
export type TimeRange = { start: string; end: string };

/** A time as a schedule writes it; the groups are hour, minute and half of the day. */
export const CLOCK_TIME = /^(0?[1-9]|1[0-2]):([0-5]\d) (AM|PM)$/;
