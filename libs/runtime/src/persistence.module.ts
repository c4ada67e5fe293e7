import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Database } from '@clarion/persistence';

@Module({})
export class PersistenceModule {
  /** Gives a module the repositories that it names. */
  static forFeature(repositories: Type<unknown>[]): DynamicModule {
    return {
      module: PersistenceModule,
      providers: repositories.map((Repository) => ({
        provide: Repository,
        useFactory: (database: Database) => new Repository(database),
        inject: [Database],
      })),
      exports: repositories,
    };
  }
}
