import {
  CHANNELS,
  type ChannelFlagsDto,
  type InboxPreferenceDto,
  type MessageMark,
  type WidgetChannelDto,
  type WidgetMarkDto,
  type WidgetPreferenceDto,
} from '@clarion/contracts';

/** How older clients write marks and preferences. */

/** Single channels win over the switch for all. */
export function flagsOf(given: WidgetChannelDto[], all: boolean | undefined): ChannelFlagsDto {
  const others = all === undefined || given.length > 0 ? [] : CHANNELS.map((channel) => [channel, all]);
  return Object.fromEntries([...others, ...given.map(({ type, enabled }) => [type, enabled])]) as ChannelFlagsDto;
}

export const toWidgetPreference = ({ enabled, channels, workflow }: InboxPreferenceDto): WidgetPreferenceDto => ({
  ...(workflow && { template: { _id: workflow.id, name: workflow.name, critical: workflow.critical } }),
  preference: { enabled, channels },
});

export function markOf({ seen, read }: WidgetMarkDto): MessageMark {
  if (read !== undefined) return read ? 'read' : 'unread';
  return seen === false ? 'unseen' : 'seen';
}
