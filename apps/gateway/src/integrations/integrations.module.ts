import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@clarion/persistence';
import { Config, Egress } from '@clarion/platform';
import { IntegrationOperations } from './integration-operations.service';
import { IntegrationsController } from './integrations.controller';
import { IntegrationsService } from './integrations.service';
import { ProviderCatalogue } from './provider-catalogue';
import { ProvidersController } from './providers.controller';

@Module({
  controllers: [IntegrationsController, ProvidersController],
  providers: [
    IntegrationsService,
    IntegrationOperations,
    ProviderCatalogue,
    {
      provide: Egress,
      inject: [Config, Database],
      useFactory: (config: Config, database: Database) =>
        Egress.fromConfig(config, () => database.refuseWait('a call to a provider')),
    },
  ],
  exports: [Egress],
})
export class IntegrationsModule implements OnApplicationShutdown {
  constructor(private readonly egress: Egress) {}

  onApplicationShutdown(): Promise<void> {
    return this.egress.close();
  }
}
