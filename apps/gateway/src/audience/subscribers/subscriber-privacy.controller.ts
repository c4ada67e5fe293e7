import { Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ErasureReceiptDto, ExportSubscriberQuery, SubscriberExportDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { SubscriberPrivacyService } from './subscriber-privacy.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v2/subscribers/:subscriberId')
export class SubscriberPrivacyController {
  constructor(private readonly privacy: SubscriberPrivacyService) {}

  @Post('export')
  @Operation('Export all that is stored about a subscriber', {
    description:
      'One JSON document with the profile, channels, subscriptions, preferences, suppressions, event log, triggers, ' +
      'notifications, steps, execution details, messages and their copies in the outbox. A long history has several ' +
      'pages. Credentials are masked. Of an event with several recipients only the part of this one is shown.',
    type: SubscriberExportDto,
  })
  export(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Query() { after }: ExportSubscriberQuery,
  ) {
    return this.privacy.export(owner, subscriberId, after);
  }

  @Post('erase')
  @StrictInput()
  @Operation('Erase all that is stored about a subscriber', {
    description:
      'Cancels its open work, deletes or clears its data in all tables in one transaction, and answers a receipt ' +
      'that the audit log keeps. Notifications and steps stay as counts without content. 409 while a message to it ' +
      'is being sent.',
    type: ErasureReceiptDto,
  })
  erase(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string) {
    return this.privacy.erase(owner, subscriberId);
  }
}
