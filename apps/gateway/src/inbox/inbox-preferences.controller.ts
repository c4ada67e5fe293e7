import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import {
  ChangedPreferenceDto,
  ChangeGlobalPreferenceDto,
  ChangeSubscriptionPreferenceDto,
  ChannelFlagsDto,
  InboxBulkPreferencesDto,
  InboxPreferenceDto,
  InboxPreferencesQuery,
  InboxSubscriptionPreferenceDto,
  invalidField,
  LIMITS,
} from '@clarion/contracts';
import { InboxOperation } from '../edge/openapi/operation';
import { SubscriberPreferencesService } from '../audience/preferences/subscriber-preferences.service';
import { InboxSubscriptionsService } from './inbox-subscriptions.service';
import { InboxRoutes, OwnInbox } from './inbox.guard';
import type { Inbox } from './inbox.service';

@InboxRoutes()
@Controller('v1/inbox')
@ApiExtraModels(InboxSubscriptionPreferenceDto)
export class InboxPreferencesController {
  constructor(
    private readonly preferences: SubscriberPreferencesService,
    private readonly subscriptions: InboxSubscriptionsService,
  ) {}

  @Get('preferences')
  @InboxOperation('List the preferences of the subscriber: the global one, then one for each active workflow', {
    description: `At most ${LIMITS.preferredWorkflows} workflows, newest first. The global preference is always there.`,
    type: [InboxPreferenceDto],
  })
  list(@OwnInbox() inbox: Inbox, @Query() query: InboxPreferencesQuery): Promise<InboxPreferenceDto[]> {
    return this.preferences.listAll(inbox, query);
  }

  @Get('preferences/global')
  @InboxOperation('Retrieve the global preference of the subscriber', {
    description: 'It holds for every workflow without a preference, and has the schedule.',
    type: InboxPreferenceDto,
  })
  global(@OwnInbox() inbox: Inbox): Promise<InboxPreferenceDto> {
    return this.preferences.global(inbox);
  }

  @Patch('preferences')
  @InboxOperation('Update the global preference or the schedule of the subscriber', {
    description: 'Channels that are not named stay as they are. A critical workflow ignores preferences.',
    type: InboxPreferenceDto,
  })
  changeGlobal(
    @OwnInbox() inbox: Inbox,
    @Body() { schedule, ...channels }: ChangeGlobalPreferenceDto,
  ): Promise<InboxPreferenceDto> {
    return this.preferences.changeGlobal(inbox, channels, schedule);
  }

  @Patch('preferences/bulk')
  @InboxOperation('Update the preferences of the subscriber for several workflows', {
    description:
      'All are changed, or none. With `subscriptionIdentifier`, the preferences of topic subscriptions are changed.',
    type: [InboxPreferenceDto, InboxSubscriptionPreferenceDto],
  })
  async changeBulk(
    @OwnInbox() inbox: Inbox,
    @Body() { preferences }: InboxBulkPreferencesDto,
  ): Promise<(InboxPreferenceDto | InboxSubscriptionPreferenceDto)[]> {
    const ofSubscriptions = preferences.flatMap(({ subscriptionIdentifier, ...rest }) =>
      subscriptionIdentifier === undefined ? [] : { subscriptionIdentifier, ...rest },
    );
    if (ofSubscriptions.length === 0) {
      const changes = preferences.map(({ workflowId, ...rest }) => ({ workflowId, channels: channelsOf(rest) }));
      return this.preferences.changeWorkflows(inbox, changes);
    }
    if (ofSubscriptions.length < preferences.length) {
      const rule = 'each value in preferences must name a topic subscription, or none';
      throw invalidField('preferences', rule);
    }
    return this.subscriptions.changePreferences(inbox, ofSubscriptions);
  }

  @Patch('preferences/:workflowId')
  @InboxOperation('Update the preference of the subscriber for one workflow', {
    description: 'Channels that are not named stay as they are. A critical workflow cannot be switched off (400).',
    type: InboxPreferenceDto,
  })
  async changeWorkflow(
    @OwnInbox() inbox: Inbox,
    @Param('workflowId') workflowId: string,
    @Body() channels: ChannelFlagsDto,
  ): Promise<ChangedPreferenceDto> {
    const [changed] = await this.preferences.changeWorkflows(inbox, [{ workflowId, channels }]);
    return changed!;
  }

  @Patch('subscriptions/:identifier/preferences/:workflowId')
  @InboxOperation('Update what a topic subscription of the subscriber wants of one workflow', {
    description: '`enabled` removes an earlier condition. The identifier or the id of the subscription is accepted.',
    type: InboxSubscriptionPreferenceDto,
  })
  async changeSubscription(
    @OwnInbox() inbox: Inbox,
    @Param('identifier') subscriptionIdentifier: string,
    @Param('workflowId') workflowId: string,
    @Body() { enabled, condition }: ChangeSubscriptionPreferenceDto,
  ): Promise<InboxSubscriptionPreferenceDto> {
    const change = { subscriptionIdentifier, workflowId, enabled, condition };
    const [changed] = await this.subscriptions.changePreferences(inbox, [change]);
    return changed!;
  }
}

const channelsOf = ({ in_app, email, sms, chat, push }: ChannelFlagsDto): ChannelFlagsDto => ({
  in_app,
  email,
  sms,
  chat,
  push,
});
