import type { JsonObject } from '../json';
import { Child, Children, Choice, Flag, JsonMap, Text, Texts } from './fields';

export class TriggerVariableDto {
  @Text() name!: string;
}

/** How a workflow is triggered, and what it reads of the event. */
export class NotificationTriggerDto {
  @Choice(['event']) type!: 'event';
  @Text({ description: 'The workflowId of the workflow.' }) identifier!: string;
  @Children(() => TriggerVariableDto, {
    description:
      'Paths inside the payload that the templates or the payload schema name, found when the workflow was saved.',
  })
  variables!: TriggerVariableDto[];
  @Children(() => TriggerVariableDto, {
    optional: true,
    description: 'Paths inside the subscriber that the templates read.',
  })
  subscriberVariables?: TriggerVariableDto[];
}

export class PreferenceSettingsDto {
  @Flag({ optional: true }) email?: boolean;
  @Flag({ optional: true }) sms?: boolean;
  @Flag({ optional: true }) in_app?: boolean;
  @Flag({ optional: true }) chat?: boolean;
  @Flag({ optional: true }) push?: boolean;
}

export class EmbeddedStepDto {
  @Text({ optional: true }) _id?: string;
  @Text({ optional: true }) uuid?: string;
  @Text({ optional: true }) name?: string;
  @Text({ optional: true }) _templateId?: string;
  @Text({ optional: true, description: 'The step before it; the first one has none.' }) _parentId?: string;
  @Flag({ optional: true }) active?: boolean;
  @Flag({ optional: true }) shouldStopOnFail?: boolean;
  @JsonMap({ optional: true, description: 'Its `type`; the contents are in `GET /v2/workflows/{workflowId}`.' })
  template?: JsonObject;
}

/** The workflow that a message came from (spec 2.11), as it is now. */
export class EmbeddedWorkflowDto {
  @Text({ optional: true }) _id?: string;
  @Text() name!: string;
  @Text() description!: string;
  @Flag() active!: boolean;
  @Flag({ description: 'Always false: there are no drafts.' }) draft!: boolean;
  @Child(() => PreferenceSettingsDto) preferenceSettings!: PreferenceSettingsDto;
  @Flag({ description: 'Preferences of subscribers do not count.' }) critical!: boolean;
  @Texts() tags!: string[];
  @Children(() => EmbeddedStepDto) steps!: EmbeddedStepDto[];
  @Text() _organizationId!: string;
  @Text({ description: 'Always empty: workflows are made with API keys.' }) _creatorId!: string;
  @Text() _environmentId!: string;
  @Children(() => NotificationTriggerDto) triggers!: NotificationTriggerDto[];
  @Text({ description: 'Always empty: there are no groups.' }) _notificationGroupId!: string;
  @Flag() deleted!: boolean;
  @Text({ description: 'Empty unless it is deleted.' }) deletedAt!: string;
  @Text({ description: 'Always empty.' }) deletedBy!: string;
}
