import { oneOf, oneText } from '../../search';

export const TABS = ['environments', 'keys', 'sessions', 'audit-log'] as const;
export type SettingsTab = (typeof TABS)[number];

/** The types of resources whose changes are recorded. */
export const RESOURCE_TYPES = [
  ...['api_key', 'bulk_action', 'context', 'environment', 'hold', 'integration', 'layout', 'organization'],
  ...['suppression', 'tenant', 'workflow'],
] as const;

export type SettingsSearch = {
  tab?: SettingsTab;
  /** The filters of the audit log. */
  resourceType?: string;
  resourceId?: string;
  actor?: string;
};

export const readSettingsSearch = (search: Record<string, unknown>): SettingsSearch => ({
  tab: oneOf(search, 'tab', TABS),
  resourceType: oneOf(search, 'resourceType', RESOURCE_TYPES),
  resourceId: oneText(search, 'resourceId'),
  actor: oneText(search, 'actor'),
});
