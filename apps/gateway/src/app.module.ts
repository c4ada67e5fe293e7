import { type DynamicModule, Module } from '@nestjs/common';
import { CoreModule, type GatewayDependencies } from './core.module';
import { EnvironmentsModule } from './environments/environments.module';
import { HealthModule } from './health/health.module';
import { SubscribersModule } from './subscribers/subscribers.module';

@Module({})
export class AppModule {
  static with(dependencies: GatewayDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [CoreModule.with(dependencies), HealthModule, EnvironmentsModule, SubscribersModule],
    };
  }
}
