import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config, Egress } from '@clarion/platform';
import { IntegrationsController } from './integrations.controller';
import { IntegrationsService } from './integrations.service';

@Module({
  controllers: [IntegrationsController],
  providers: [
    IntegrationsService,
    { provide: Egress, inject: [Config], useFactory: (config: Config) => Egress.fromConfig(config) },
  ],
  exports: [Egress],
})
export class IntegrationsModule implements OnApplicationShutdown {
  constructor(private readonly egress: Egress) {}

  onApplicationShutdown(): Promise<void> {
    return this.egress.close();
  }
}
