import type { Alias } from './alias';
import { LAYOUT_ALIASES } from './layout-aliases';
import { OTHER_ALIASES } from './other-aliases';
import { SUBSCRIBER_ALIASES } from './subscriber-aliases';
import { TEMPLATE_ALIASES } from './template-aliases';
import { TOPIC_ALIASES } from './topic-aliases';

/** Every route of an older client that no present operation has. */
export const ALIASES: readonly Alias[] = [
  ...SUBSCRIBER_ALIASES,
  ...TOPIC_ALIASES,
  ...LAYOUT_ALIASES,
  ...TEMPLATE_ALIASES,
  ...OTHER_ALIASES,
];
