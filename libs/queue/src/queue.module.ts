import { BullModule, InjectQueue } from '@nestjs/bullmq';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { QUEUE_NAMES } from './jobs';
import { QueueProducer } from './producer';
import { BackendQueue, QueueConnection, type Queues } from './queue-connection';
import { BackendWorker } from './queue-processor';
import { StepOffers } from './step-offers';

BullModule.queueClass = BackendQueue;
BullModule.workerClass = BackendWorker;

@Injectable()
class InjectedQueues implements Queues {
  @InjectQueue('trigger') readonly trigger!: BackendQueue;
  @InjectQueue('timer') readonly timer!: BackendQueue;
  @InjectQueue('deliver.in_app') readonly 'deliver.in_app'!: BackendQueue;
  @InjectQueue('deliver.email') readonly 'deliver.email'!: BackendQueue;
  @InjectQueue('deliver.sms') readonly 'deliver.sms'!: BackendQueue;
  @InjectQueue('deliver.chat') readonly 'deliver.chat'!: BackendQueue;
  @InjectQueue('deliver.push') readonly 'deliver.push'!: BackendQueue;
}

/** All queues over one connection, for the whole application. It stays open: who opened it closes it. */
@Module({})
export class QueueModule {
  static on(connection: QueueConnection): DynamicModule {
    const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name, connection: connection as object })));
    const made = [
      { provide: QueueConnection, useValue: connection },
      {
        provide: QueueProducer,
        useFactory: (queues: Queues) => new QueueProducer(connection, queues),
        inject: [InjectedQueues],
      },
      {
        provide: StepOffers,
        useFactory: (producer: QueueProducer) => new StepOffers(producer),
        inject: [QueueProducer],
      },
    ];
    return {
      global: true,
      module: QueueModule,
      imports: [queues],
      providers: [InjectedQueues, ...made],
      exports: [queues, ...made.map(({ provide }) => provide)],
    };
  }
}
