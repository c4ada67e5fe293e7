import { Module } from '@nestjs/common';
import { EnvironmentAdmin } from './environment-admin';
import { EnvironmentTagsController } from './environment-tags.controller';
import { EnvironmentsController } from './environments.controller';
import { EnvironmentsService } from './environments.service';
import { InboxSecrets } from './inbox-secrets';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';

@Module({
  controllers: [EnvironmentsController, EnvironmentTagsController, OrganizationsController],
  providers: [EnvironmentAdmin, EnvironmentsService, InboxSecrets, OrganizationsService],
  exports: [EnvironmentAdmin, EnvironmentsService],
})
export class EnvironmentsModule {}
