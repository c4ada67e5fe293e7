import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import {
  ChangeWidgetPreferenceDto,
  ChangeWidgetPreferencesDto,
  WidgetOrganizationDto,
  WidgetPreferenceDto,
} from '@clarion/contracts';
import { AllowsUnsigned } from '../edge/http/route-policy';
import { InboxOperation } from '../edge/openapi/operation';
import { SubscriberPreferencesService } from '../audience/preferences/subscriber-preferences.service';
import { InboxRoutes, OwnInbox } from './inbox.guard';
import type { Inbox } from './inbox.service';
import { flagsOf, toWidgetPreference } from './widget-forms';

const OLDER = {
  description: 'For older clients. The preferences of the inbox have the same operation.',
  deprecated: true,
};

/** What `@novu/headless` calls for preferences. */
@InboxRoutes()
@Controller('v1/widgets')
export class WidgetPreferencesController {
  constructor(private readonly preferences: SubscriberPreferencesService) {}

  @Get('organization')
  @AllowsUnsigned()
  @InboxOperation('Retrieve the id of the organization', {
    description: 'For older clients.',
    deprecated: true,
    type: WidgetOrganizationDto,
  })
  organization(@OwnInbox() { organizationId }: Inbox): WidgetOrganizationDto {
    return { _id: organizationId };
  }

  @Get('preferences')
  @InboxOperation('List the preferences for workflows', { ...OLDER, type: [WidgetPreferenceDto] })
  async list(@OwnInbox() inbox: Inbox): Promise<WidgetPreferenceDto[]> {
    const [, ...ofWorkflows] = await this.preferences.listAll(inbox, { criticality: 'all' });
    return ofWorkflows.map(toWidgetPreference);
  }

  @Get('preferences/global')
  @InboxOperation('List the global preference, as the only element', { ...OLDER, type: [WidgetPreferenceDto] })
  async listGlobal(@OwnInbox() inbox: Inbox): Promise<WidgetPreferenceDto[]> {
    return [toWidgetPreference(await this.preferences.global(inbox))];
  }

  @Patch('preferences')
  @InboxOperation('Update the global preference', { ...OLDER, type: WidgetPreferenceDto })
  async changeGlobal(
    @OwnInbox() inbox: Inbox,
    @Body() { preferences = [], enabled }: ChangeWidgetPreferencesDto,
  ): Promise<WidgetPreferenceDto> {
    return toWidgetPreference(await this.preferences.changeGlobal(inbox, flagsOf(preferences, enabled)));
  }

  @Patch('preferences/:workflowId')
  @InboxOperation('Update the preference for one workflow', { ...OLDER, type: WidgetPreferenceDto })
  async changeWorkflow(
    @OwnInbox() inbox: Inbox,
    @Param('workflowId') workflowId: string,
    @Body() { channel, enabled }: ChangeWidgetPreferenceDto,
  ): Promise<WidgetPreferenceDto> {
    const channels = flagsOf(channel ? [channel] : [], enabled);
    const [changed] = await this.preferences.changeWorkflows(inbox, [{ workflowId, channels }]);
    return toWidgetPreference(changed!);
  }
}
