import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Database, REPOSITORIES } from '@clarion/persistence';
import { Config, type Logger, SecretBox } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import { KeyDirectory } from './auth/key-directory';

export const LOGGER = Symbol('logger');

/** What the process is given at boot. Everything else is made from it. */
export type GatewayDependencies = {
  config: Config;
  database: Database;
  producer: QueueProducer;
  secrets: SecretBox;
  logger: Logger;
};

/** The few things every resource may ask for. */
@Global()
@Module({})
export class CoreModule {
  static with({ config, database, producer, secrets, logger }: GatewayDependencies): DynamicModule {
    const values = [
      { provide: Config, useValue: config },
      { provide: Database, useValue: database },
      { provide: QueueProducer, useValue: producer },
      { provide: SecretBox, useValue: secrets },
      { provide: LOGGER, useValue: logger },
    ];
    const repositories = REPOSITORIES.map((Repository) => ({
      provide: Repository,
      useFactory: () => new Repository(database),
    }));
    return {
      module: CoreModule,
      providers: [...values, ...repositories, KeyDirectory],
      exports: [...values.map(({ provide }) => provide), ...REPOSITORIES, KeyDirectory],
    };
  }
}
