import { type DynamicModule, Module } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { Database } from '@clarion/persistence';
import { Config, Egress, Health, Metrics, SecretBox } from '@clarion/platform';
import { QueueModule, RealtimeRelay } from '@clarion/queue';
import type { Resources } from './resources';

export const LOGGER = Symbol('logger');
export const TRACING = Symbol('tracing');

/** The resources of the process, for every module of a role. They stay open: who opened them closes them. */
@Module({})
export class ResourcesModule {
  static with(resources: Resources): DynamicModule {
    const values = [
      { provide: Config, useValue: resources.config },
      { provide: Database, useValue: resources.database },
      { provide: Egress, useValue: resources.egress },
      { provide: Health, useValue: resources.health },
      { provide: LOGGER, useValue: resources.logger },
      { provide: Metrics, useValue: resources.metrics },
      { provide: RealtimeRelay, useValue: resources.relay },
      { provide: SecretBox, useValue: resources.secrets },
      { provide: TemplateRenderer, useValue: resources.templates },
      { provide: TRACING, useValue: resources.tracing },
    ];
    return {
      global: true,
      module: ResourcesModule,
      imports: [QueueModule.on(resources.queueConnection)],
      providers: values,
      exports: values.map(({ provide }) => provide),
    };
  }
}
