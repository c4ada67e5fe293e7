import { oneOf, oneText } from '../../search';

export const TABS = ['environments', 'variables', 'keys', 'sessions', 'audit-log'] as const;
export type SettingsTab = (typeof TABS)[number];

export type SettingsSearch = {
  tab?: SettingsTab;
  /** The id of the environment whose settings are shown. */
  edit?: string;
  /** The filters of the audit log. */
  resourceType?: string;
  resourceId?: string;
  actor?: string;
};

export const readSettingsSearch = (search: Record<string, unknown>): SettingsSearch => ({
  tab: oneOf(search, 'tab', TABS),
  edit: oneText(search, 'edit'),
  resourceType: oneText(search, 'resourceType'),
  resourceId: oneText(search, 'resourceId'),
  actor: oneText(search, 'actor'),
});
