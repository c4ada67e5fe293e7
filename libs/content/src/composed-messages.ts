import type { EmailBlockDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';

export type ComposedEmail = {
  subject: string;
  html: string;
  /** Plain-text alternative of `html`. */
  text: string;
  preheader?: string;
  /** Set when the body was a list of blocks. */
  blocks?: EmailBlockDto[];
};

export type ComposedInApp = {
  subject?: string;
  content: string;
  avatar?: string;
  /** The redirect of a click and the buttons, in the form that the message table stores. */
  cta: JsonObject;
  data?: JsonObject;
};
