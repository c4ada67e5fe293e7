import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@clarion/persistence';
import { Config, Egress } from '@clarion/platform';
import { EventSetUp } from './event-set-up.service';
import { IntegrationOperations } from './integration-operations.service';
import { IntegrationSettings } from './integration-settings.service';
import { IntegrationsController } from './integrations.controller';
import { IntegrationsService } from './integrations.service';
import { ProviderCatalogue } from './provider-catalogue';
import { ProvidersController } from './providers.controller';

@Module({
  controllers: [IntegrationsController, ProvidersController],
  providers: [
    IntegrationsService,
    IntegrationOperations,
    IntegrationSettings,
    EventSetUp,
    ProviderCatalogue,
    {
      provide: Egress,
      inject: [Config, Database],
      useFactory: (config: Config, database: Database) =>
        Egress.fromConfig(config, () => database.refuseWait('a call to a provider')),
    },
  ],
  exports: [IntegrationsService, Egress, IntegrationSettings],
})
export class IntegrationsModule implements OnApplicationShutdown {
  constructor(private readonly egress: Egress) {}

  onApplicationShutdown(): Promise<void> {
    return this.egress.close();
  }
}
