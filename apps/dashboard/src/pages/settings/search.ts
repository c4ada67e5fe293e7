import { oneOf, oneText, reader } from '../../search';

/** `edit` is the id of the environment whose settings are shown; the last three filter the audit log. */
export const readSettingsSearch = reader({
  tab: oneOf('environments', 'variables', 'keys', 'sessions', 'audit-log'),
  edit: oneText,
  resourceType: oneText,
  resourceId: oneText,
  actor: oneText,
});
export type SettingsSearch = ReturnType<typeof readSettingsSearch>;
export type SettingsTab = NonNullable<SettingsSearch['tab']>;
